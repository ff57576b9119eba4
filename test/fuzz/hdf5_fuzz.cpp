// Any bytes at all as the answer of rattleback-read-hdf5, which may have been taken over by the file it read:
// read_stream and stored_run give a run whose tables fit its layout, or throw. libhdf5 itself is not fuzzed: its
// crashes are known, stay in that program, and are met by test/output/hdf5_safety_test.cpp.
// In every full test run: -runs=200000
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "output/hdf5.hpp"
#include "output/hdf5_stream.hpp"
#include "output/json.hpp"

namespace {

using namespace rattleback;

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

void check(const StoredRun& run) {
    const std::size_t rows = run.record["t"].rows();
    require(rows > 0, "a run has rows");
    for (std::size_t i = 0; i < run.record.layout().groups.size(); ++i) {
        const Table& table = run.record.table(i);
        require(table.columns() == run.record.layout().groups[i].columns.size(),
                "a table has the columns of its group");
        require(table.columns() == 0 || table.rows() == rows, "every table has all rows");
    }
    try {
        const ReportRun page = report_run(run);
        require(page.t.size() == rows, "a page has every time");
    } catch (const BadJson&) {} // the summary may be anything
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::size_t at = 0;
    const auto next = [&](char* to, std::size_t wanted) {
        if (size - at < wanted) return false;
        std::memcpy(to, data + at, wanted);
        at += wanted;
        return true;
    };
    try {
        check(stored_run("fuzz.h5", read_stream("fuzz.h5", size, next)));
    } catch (const BadRun& error) {
        require(std::string_view(error.what()).starts_with("fuzz.h5 is no result: "), "an error names its file");
    }
    return 0;
}
