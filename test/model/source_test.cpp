#include "../../src/expr/nearest.hpp"
#include "../../src/model/source.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace rattleback::model {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
    std::string out;
    out.reserve(piece.size() * times);
    for (std::size_t k = 0; k < times; ++k) out += piece;
    return out;
}

TEST(ModelErrors, PointAtTheirPlace) {
    const std::string text = repeated("\n", 11) + "lagrangian = \"m/2*thetta'^2\"\n";
    const Source source("sleigh.toml", text);
    const std::size_t begin = text.find("thetta");
    const ModelError error(source, {begin, begin + 6}, "unknown name 'thetta'", "did you mean 'theta'?");
    EXPECT_STREQ(error.what(), "sleigh.toml:12:19: unknown name 'thetta'\n"
                               "  12 | lagrangian = \"m/2*thetta'^2\"\n"
                               "     |                   ^~~~~~\n"
                               "     = did you mean 'theta'?");
    EXPECT_EQ(error.file(), "sleigh.toml");
    EXPECT_EQ(error.place(), (Place{12, 19, 6}));
    EXPECT_EQ(error.message(), "unknown name 'thetta'");
    EXPECT_EQ(error.remedy(), "did you mean 'theta'?");
    EXPECT_STREQ(ModelError("f", "message").what(), "f: message");
    EXPECT_STREQ(ModelError(source, {text.size() + 5, 3}, "far\nout").what(),
                 "sleigh.toml:13:1: far\\nout\n  13 |\n     | ^");
}

TEST(ModelErrors, ClipToTheLineAndWidenTheGutter) {
    const Source source("f", repeated("\n", 12344) + "ab\tc\x01\xe2\x80\xae"
                                                     "d\r\nnext");
    EXPECT_STREQ(ModelError(source, {12346, 12365}, "m", "r").what(), "f:12345:3: m\n"
                                                                      "12345 | ab c??d\n"
                                                                      "      |   ^~~~~\n"
                                                                      "      = r");
}

TEST(ModelErrors, ShowAWindowOfLongLines) {
    const std::string digits = repeated("0123456789", 20); // 200
    const Source source("f", digits + "\n" + repeated("θ", 121));
    const auto what = [&](std::size_t begin, std::size_t end) {
        return std::string(ModelError(source, {begin, end}, "m").what());
    };
    const std::string blanks(53, ' ');
    EXPECT_EQ(what(100, 102), "f:1:101: m\n   1 | ..." + digits.substr(50, 100) + "...\n     | " + blanks + "^~");
    EXPECT_EQ(what(10, 12), "f:1:11: m\n   1 | " + digits.substr(0, 100) + "...\n     |           ^~");
    EXPECT_EQ(what(199, 200),
              "f:1:200: m\n   1 | ..." + digits.substr(100) + "\n     | " + std::string(102, ' ') + "^");
    EXPECT_EQ(what(200, 200),
              "f:1:201: m\n   1 | ..." + digits.substr(100) + "\n     | " + std::string(103, ' ') + "^");
    EXPECT_EQ(what(201, 203), "f:2:1: m\n   2 | " + repeated("θ", 100) + "...\n     | ^");
}

TEST(Sources, CountCodePoints) {
    const std::string line = repeated("aθ€😀", 50);
    const Source source("f", line + "\n" + line + "\n");
    for (const std::size_t number : {1u, 2u}) {
        const std::size_t start = (number - 1) * (line.size() + 1);
        std::size_t column = 0;
        for (std::size_t i = 0; i < line.size(); i += code_point_at(line, i).bytes) {
            ++column;
            EXPECT_EQ(source.place_of(start + i, 1).column, column);
            EXPECT_EQ(source.place_of(start + i, 1).line, number);
        }
    }
}

TEST(Sources, AreReadFromFiles) {
    EXPECT_THROW(Source::open("/no/such/file.toml"), ModelError);
    EXPECT_THROW(Source::open("/"), ModelError);
    const std::string path = testing::TempDir() + "rattleback_document_test.toml";
    std::ofstream(path, std::ios::binary) << "\xef\xbb\xbf"
                                             "a = 1\r\n";
    EXPECT_EQ(Source::open(path).text(), "a = 1\r\n");
    std::remove(path.c_str());
    EXPECT_EQ(Source::too_large(std::size_t{80} << 20), "a model file has at most 64 MiB; this one has 80.0 MiB");
}

TEST(Nearest, FindsTheKnownName) {
    const std::vector<std::string> known = {"x", "theta", "lagrangian", "potential", "pi", "Θ"};
    EXPECT_EQ(nearest("thetta", known), "theta");
    EXPECT_EQ(nearest("htea", known), "");
    EXPECT_EQ(nearest("htetaa", known), "theta");
    EXPECT_EQ(nearest("lagragnian", known), "lagrangian");
    EXPECT_EQ(nearest("PI", known), "pi");
    EXPECT_EQ(nearest("X", known), "x");
    EXPECT_EQ(nearest("hamiltonian", known), "");
    EXPECT_EQ(nearest("theta", {}), "");
    EXPECT_EQ(nearest(repeated("x", 100'000), known), "");
}

} // namespace
} // namespace rattleback::model
