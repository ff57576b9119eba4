// Names, file names and files that somebody else made: nothing in them reaches a terminal, a compiler or the memory.
#include <regex>

#include <sys/stat.h>

#include "app/program.hpp"
#include "expr/shown.hpp"

namespace app_test {
namespace {

using Words = std::vector<std::string>;

bool is_clean(const std::string& text) {
    std::string one_line = text;
    std::erase(one_line, '\n');
    return rattleback::is_printable(one_line);
}

void expect_clean(const Words& words) {
    const Outcome o = rattleback(words);
    EXPECT_TRUE(is_clean(o.out) && is_clean(o.err)) << o.out.substr(0, 1000) << o.err.substr(0, 1000);
    EXPECT_LT(o.err.size(), 6000u);
    EXPECT_GE(o.code, 0) << "ended by a signal";
}

const std::vector<std::string> odd = {
    "\x1b[2Jx", "a\x07",   "a\nrattleback: all is well", "\x7f", "\u009b31m", "\u202eevil", "\u200b", "\xff\xfe",
    "a\tb",     "\r\x1b[K"};

TEST(Hostile, WordsOfTheCommandLineAreEscaped) {
    const std::string model = write_file("plain.toml", pendulum);
    for (const std::string& word : odd) {
        const std::vector<Words> all = {{word},
                                        {"run", word},
                                        {"run", model, "-m", word},
                                        {"run", model, "-m", "rk:tableau=" + word},
                                        {"run", model, "--set", word + "=1"},
                                        {"run", model, "--set", "g=" + word},
                                        {"run", model, "--q", word + "=1"},
                                        {"run", model, "-o", word},
                                        {"run", model, "-o", "/nowhere/" + word + ".csv"},
                                        {"run", model, "-o", "-", "--columns", word},
                                        {"run", model, "--backend", word},
                                        {"run", model, "--" + word},
                                        {"run", model, "--until", word},
                                        {"check", word},
                                        {"report", word + ".csv", "-o", "page.html"},
                                        {"verify", "--certificate", word},
                                        {"export", model, "-o", word + ".c"},
                                        {"methods", word},
                                        {"gallery", word},
                                        {"cite", word},
                                        {"papers", word}};
        for (const Words& words : all) expect_clean(words);
    }
}

TEST(Hostile, FileNamesAreEscapedWhereTheyAreShown) {
    for (std::size_t i = 0; i < odd.size(); ++i) {
        const std::string model = write_file("m" + odd[i] + ".toml", pendulum), csv = folder() / (odd[i] + "o.csv");
        expect_clean({"run", model, "-o", csv});
        EXPECT_TRUE(std::filesystem::exists(csv));
        expect_clean({"run", model, "--json"});
        expect_clean({"check", model, "--json"});
        if (i == 0) expect_clean({"verify", model, "-o", "-"}); // takes a second
        const std::string bad = write_file("bad" + odd[i] + ".toml", "coordinates = [\"x\"");
        expect_clean({"check", bad});
        const std::string tableau = write_file("t" + std::to_string(i) + odd[i], "A = [[0.5]]\nb = [1]\n");
        expect_clean({"run", model, "-m", "rk:tableau=" + tableau, "--steps", "3"});
        expect_clean({"compare", model, "-m", "midpoint,rk:tableau=" + tableau, "--steps", "3"});
    }
}

// Names are refused, not repaired: results would carry them on.
TEST(Hostile, NamesOfAModelAreRefused) {
    for (const char* escape : {"\\u001b", "\\n", "\\u0000", "\\u007f", "\\u0085", "\\u202e", "\\u2066", "\\u200b"}) {
        const std::string name = "\"a" + std::string(escape) + "b\"";
        const auto with = [&](const std::string& right, const std::string& wrong) {
            std::string text(pendulum);
            return text.replace(text.find(right), right.size(), wrong);
        };
        const std::vector<std::string> texts = {
            with("\"pendulum\"", name),
            with("\"theta\"", name),
            with("g = 9.81", name + " = 9.81"),
            with("height =", name + " ="),
            with("turn =", name + " ="),
            "reference = " + name + "\n" + std::string(pendulum),
            with("[initial]", "[sections]\n" + name + " = { turn = \"1\" }\n[initial]"),
            with("[initial]", "[view]\npoints = [{ at = [\"theta\", \"0\"], name = " + name + " }]\n[initial]")};
        for (const std::string& text : texts) {
            const Outcome o = rattleback({"check", write_file("names.toml", text)});
            EXPECT_EQ(o.code, 2) << text;
            EXPECT_TRUE(is_clean(o.err)) << o.err;
            EXPECT_NE(o.err.find("^"), std::string::npos) << o.err;
        }
    }
}

TEST(Hostile, LongNamesMakeShortMessages) {
    const std::string name(100000, 'n');
    std::string text(pendulum);
    text.replace(text.find("height"), 6, name);
    const std::string model = write_file("long.toml", text);
    const std::vector<Words> all = {{"run", model, "-o", "-", "--columns", "none"},
                                    {"run", model, "-m", name},
                                    {"run", model, "--set", name + "=1"},
                                    {"run", model, "--q", "theta=" + name},
                                    {"run", name},
                                    {"run", model, "-o", name + ".csv"},
                                    {name},
                                    {"verify", "--certificate", name}};
    for (const Words& words : all) {
        const Outcome o = rattleback(words);
        EXPECT_NE(o.code, 0);
        EXPECT_LT(o.err.size(), 5000u) << o.err.substr(0, 200);
        EXPECT_FALSE(std::regex_search(o.err, std::regex("n{81}"))) << o.err.substr(0, 400);
    }
    const std::string wide = write_file("wide.toml", "coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2 + " +
                                                         std::string(200000, '(') + "\"\n");
    const Outcome o = rattleback({"check", wide});
    EXPECT_EQ(o.code, 2);
    EXPECT_LT(o.err.size(), 2000u) << "the excerpt is cut around the caret";
    EXPECT_NE(o.err.find("..."), std::string::npos);
}

TEST(Hostile, WhatDoesNotEndIsReadUpToALimit) {
    const std::string csv = folder() / "zero.csv", h5 = folder() / "zero.h5", fifo = folder() / "fifo.csv";
    std::filesystem::create_symlink("/dev/zero", csv), std::filesystem::create_symlink("/dev/zero", h5);
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    const std::string sparse = folder() / "sparse.csv", page = folder() / "zero.html";
    std::ofstream(sparse) << "t,x\n";
    std::filesystem::resize_file(sparse, std::uintmax_t(20) << 30);
    const std::pair<Words, const char*> all[] = {
        {{"verify", "--certificate", "/dev/zero"}, "/dev/zero is no certificate: one has at most 16 MiB"},
        {{"report", csv, "-o", page}, "zero.csv is no result: it is not a regular file"},
        {{"report", h5, "-o", page}, "zero.h5 is no result: it is not a regular file"},
        {{"report", fifo, "-o", page}, "fifo.csv is no result: it is not a regular file"},
        {{"report", sparse, "-o", page}, "sparse.csv is no result: a line has more than 64 MiB"},
        {{"check", "/dev/zero"}, "a model file has at most 64 MiB"},
        {{"run", "pendulum", "-m", "rk:tableau=/dev/zero"}, "at most 64 MiB"}};
    for (const auto& [words, message] : all) {
        const Outcome o = rattleback(words);
        EXPECT_EQ(o.code, 2) << o.err;
        EXPECT_NE(o.err.find(message), std::string::npos) << o.err;
        EXPECT_LT(o.megabytes, 300) << words[0] << " " << words[1];
    }
}

// A method's text stands in a comment of the exported C.
TEST(Hostile, ExportedCIsClean) {
    const std::vector<std::string> names = {"*/ int main(void) { return 1; } /*",
                                            "?\?/",
                                            "a\\",
                                            "//x",
                                            "/*",
                                            "*/",
                                            "a\nb",
                                            "\x1b[0m",
                                            "\u202e",
                                            "\xff",
                                            "%s%n",
                                            "\"",
                                            "'",
                                            "**//**"};
    const std::string out = folder() / "step.c";
    for (const std::string& name : names) {
        std::string file = name;
        std::replace(file.begin(), file.end(), '/', '|');
        const std::string slashes = name.find('/') == std::string::npos ? "" : name.substr(0, name.rfind('/') + 1);
        if (!slashes.empty()) std::filesystem::create_directories(folder() / slashes);
        const std::string path = folder() / (slashes + "t");
        std::ofstream(slashes.empty() ? folder() / file : path) << "A = [[0.5]]\nb = [1]\n";
        const Outcome o = rattleback({"export", write_file("plain.toml", pendulum), "-m",
                                      "rk:tableau=" + (slashes.empty() ? folder() / file : path), "-o", out});
        ASSERT_EQ(o.code, 0) << o.err;
        EXPECT_TRUE(is_clean(read_file(out)));
        const std::string command =
            "cc -std=c99 -trigraphs -Wall -Wextra -Werror -Wno-unused-function -c -o /dev/null " + out;
        EXPECT_EQ(std::system(command.c_str()), 0) << name << "\n" << read_file(out).substr(0, 400);
    }
}

TEST(Hostile, PagesSendNothingAnywhere) {
    const std::string page = folder() / "csp.html";
    const Outcome o = rattleback({"run", "pendulum", "-m", "midpoint", "--steps", "10", "--report", page});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::string text = read_file(page).substr(0, 2000);
    for (const char* rule : {"default-src 'none'", "base-uri 'none'", "form-action 'none'"})
        EXPECT_NE(text.find(rule), std::string::npos) << rule;
}

} // namespace
} // namespace app_test
