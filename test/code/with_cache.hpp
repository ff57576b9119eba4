// A cache in a folder of its own, and listings to put into it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "code/backend.hpp"
#include "code/cache.hpp"
#include "code/engine.hpp"

namespace rattleback::code {

// state + c, once.
inline Listing adds(double c) {
    Listing l;
    const Number x(l, l.put(Do::load, Array::state, 0)), sum = x + c;
    l.put(Do::begin_steps);
    l.put(Do::end_steps);
    l.put(Do::store, Array::state, 0, sum.line());
    return l;
}

inline double run(const Compiled& compiled, double x) {
    double* const arrays[array_count] = {&x};
    compiled.native->entry()(arrays, 1, function_table());
    return x;
}

class CacheTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!backend()) GTEST_SKIP() << backend_missing();
        std::string name = std::filesystem::temp_directory_path() / "rattleback_cache_XXXXXX";
        folder = mkdtemp(name.data());
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string file(const Listing& l) { return cache().path(cache_key(l, {}, false, backend_identity())); }
    Cache cache() const { return Cache(folder / "objects"); }
    static std::string contents(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::filesystem::path folder;
};

} // namespace rattleback::code
