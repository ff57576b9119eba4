// Any bytes at all: Document::parse gives a tree that lies inside the text, or throws a ModelError.
//
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Isrc/model test/fuzz/document_fuzz.cpp
//   src/model/*.cpp
//   ./a.out -dict=test/fuzz/toml.dict corpus test/fuzz/corpus/document
// In every full test run: -runs=200000
#include "model/document.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using rattleback::model::Document;
using rattleback::model::Entry;
using rattleback::model::ModelError;
using rattleback::model::Range;
using rattleback::model::Source;
using rattleback::model::Value;

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

bool inside(Range inner, Range outer) {
    return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

void check_string(const Value& value) {
    const std::size_t size = value.text().size();
    Range last = value.in_file(0, 0);
    const std::size_t stride = size / 1000 + 1;
    for (std::size_t i = 0; i < size; i += stride) {
        const Range one = value.in_file(i, i + 1);
        require(inside(one, value.range()) && one.begin < one.end, "a byte of a string comes from bytes of the file");
        require(one.begin >= last.begin && one.end >= last.end, "the map of a string is monotone");
        const Range rest = value.in_file(i, size);
        require(rest.begin == one.begin && rest.end >= one.end, "ranges of a string are made of its bytes");
        last = one;
    }
    require(inside(value.in_file(size, size), value.range()), "the end of a string is in the file");
}

void check(const Value& value, Range file, int depth) {
    require(depth <= 66, "the depth is bounded");
    require(inside(value.range(), file), "a value is in the file");
    switch (value.kind()) {
    case Value::Kind::Table: {
        std::size_t last = 0;
        for (const Entry& entry : value.entries()) {
            require(inside(entry.key_range, file) && entry.key_range.begin >= last,
                    "keys are in the order of the file");
            require(inside(entry.in_file(0, entry.key.size()), entry.key_range), "a key is in the file");
            require(value.find(entry.key) == &entry, "a key is found");
            last = entry.key_range.end;
            check(entry.value, file, depth + 1);
        }
        break;
    }
    case Value::Kind::Array:
        for (const Value& item : value.items()) check(item, file, depth + 1);
        break;
    case Value::Kind::String: check_string(value); break;
    case Value::Kind::Integer:
    case Value::Kind::Float: require(!value.literal().empty(), "a number has a literal"); break;
    default: break;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Document document =
            Document::parse(Source("fuzz.toml", std::string(reinterpret_cast<const char*>(data), size)));
        check(document.root(), {0, document.source().text().size()}, 0);
    } catch (const ModelError& error) {
        const std::string_view what = error.what();
        require(what.starts_with("fuzz.toml:"), "an error names its file");
        require(error.place().line > 0 || error.message() == "the file is empty", "an error has a place");
    }
    return 0;
}
