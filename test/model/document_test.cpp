#include "../../src/model/document.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rattleback::model {
namespace {

Document parse(std::string text) { return Document::parse(Source("f.toml", std::move(text))); }

std::string complaint(std::string text) {
    try {
        parse(std::move(text));
    } catch (const ModelError& error) { return error.what(); }
    return "no complaint";
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string out;
    out.reserve(piece.size() * times);
    for (std::size_t k = 0; k < times; ++k) out += piece;
    return out;
}

const Value& at(const Value& table, std::string_view key) { return table.find(key)->value; }

std::string_view in(const Document& document, Range range) {
    return document.source().text().substr(range.begin, range.end - range.begin);
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree

TEST(Documents, KeepTheOrderOfTheFile) {
    const Document document = parse("z = 1\na = { y = 1, b.d = 2, b.c = 3, \"a b\" = 4 }\nm.q = 1\nm.p = 2\n"
                                    "[t.s.r]\nk = 1\n[c]\nx = 1\n[t]\nb = 2\na = 3\n[[l]]\n[[l]]\nz = 1\n");
    const auto keys = [](const Value& table) {
        std::string out;
        for (const Entry& entry : table.entries()) out += std::string(entry.key) + " ";
        return out;
    };
    EXPECT_EQ(keys(document.root()), "z a m t c l ");
    EXPECT_EQ(keys(at(document.root(), "a")), "y b a b ");
    EXPECT_EQ(keys(at(at(document.root(), "a"), "b")), "d c ");
    EXPECT_EQ(keys(at(document.root(), "m")), "q p ");
    EXPECT_EQ(keys(at(document.root(), "t")), "s b a ");
    EXPECT_EQ(in(document, at(document.root(), "t").range()), "[t]");
    EXPECT_EQ(in(document, at(document.root(), "m").range()), "m");
    EXPECT_EQ(at(document.root(), "l").items().size(), 2u);
    EXPECT_EQ(in(document, document.root().find("c")->key_range), "c");
    EXPECT_EQ(document.root().find("nothing"), nullptr);
}

TEST(Documents, PlaceValuesAfterOtherAlphabets) {
    const Document document =
        parse("\"é😀\" = { \"θ\" = \"α€\", x = [1.5, \"ü\"], \"x[i]'\" = true } # π\nb = \"é\"\r\n");
    const Entry& first = document.root().entries()[0];
    EXPECT_EQ(first.key, "é😀");
    EXPECT_EQ(in(document, first.key_range), "\"é😀\"");
    EXPECT_EQ(in(document, first.in_file(2, 6)), "😀");
    const Value& table = first.value;
    EXPECT_EQ(in(document, table.entries()[0].key_range), "\"θ\"");
    EXPECT_EQ(in(document, at(table, "θ").range()), "\"α€\"");
    EXPECT_EQ(in(document, at(table, "θ").in_file(2, 5)), "€");
    EXPECT_EQ(in(document, at(table, "x").items()[0].range()), "1.5");
    EXPECT_EQ(at(table, "x").items()[1].raw(), "\"ü\"");
    EXPECT_EQ(in(document, table.find("x[i]'")->in_file(2, 3)), "i");
    EXPECT_EQ(at(table, "x[i]'").raw(), "true");
    EXPECT_EQ(at(document.root(), "b").text(), "é");
}

TEST(Documents, KnowScalars) {
    const Document document = parse("i = -9_223_372_036_854_775_808\nh = 0x1F\nf = +1_000.25e-1_0\n"
                                    "q = 0.1000000000000000055511151\nn = nan\nm = -inf\nt = true\n"
                                    "z = -0.0\ns = 5e-324");
    const Value& root = document.root();
    EXPECT_EQ(at(root, "i").integer(), INT64_MIN);
    EXPECT_EQ(at(root, "i").literal(), "-9223372036854775808");
    EXPECT_EQ(at(root, "h").integer(), 31);
    EXPECT_EQ(at(root, "h").real(), 31.0);
    EXPECT_EQ(at(root, "f").kind(), Value::Kind::Float);
    EXPECT_EQ(at(root, "f").real(), 1000.25e-10);
    EXPECT_EQ(at(root, "f").literal(), "+1000.25e-10");
    EXPECT_EQ(at(root, "f").raw(), "+1_000.25e-1_0");
    EXPECT_EQ(at(root, "q").literal(), "0.1000000000000000055511151");
    EXPECT_TRUE(std::isnan(at(root, "n").real()));
    EXPECT_EQ(at(root, "m").real(), -INFINITY);
    EXPECT_EQ(at(root, "t").kind(), Value::Kind::Boolean);
    EXPECT_TRUE(std::signbit(at(root, "z").real()));
    EXPECT_GT(at(root, "s").real(), 0);
    EXPECT_EQ(at(root, "h").kind_name(), "an integer");
    EXPECT_THROW(at(root, "h").text(), std::logic_error);
    EXPECT_THROW(at(root, "f").integer(), std::logic_error);
    EXPECT_THROW(at(root, "t").entries(), std::logic_error);
}

TEST(Documents, SurviveMoves) {
    Document first = parse("short = \"é\\n\"\n\"k\\u00e9y\" = 1_0\n");
    Document second = std::move(first);
    std::vector<Document> many;
    many.push_back(std::move(second));
    many.push_back(parse("a = 1"));
    const Value& root = many[0].root();
    EXPECT_EQ(at(root, "short").text(), "é\n");
    EXPECT_EQ(at(root, "kéy").literal(), "10");
    EXPECT_EQ(root.find("kéy")->in_file(0, 1), root.find("kéy")->key_range);
    EXPECT_EQ(many[0].source().name(), "f.toml");
}

// ---------------------------------------------------------------------------------------------------------------------
// From the decoded bytes of a string back to the file

struct Mapped {
    std::string raw, text, part, written; // the last mention of a part of the text, and how the file wrote it
};

const std::vector<Mapped> mapped = {
    {R"("m/2*x'^2")", "m/2*x'^2", "x'", "x'"},
    {R"("")", "", "", ""},
    {R"("a\tb\"c\\d")", "a\tb\"c\\d", "\t", R"(\t)"},
    {R"("a\tb\"c\\d")", "a\tb\"c\\d", "b\"c", R"(b\"c)"},
    {R"("a\tb\"c\\d")", "a\tb\"c\\d", "\\d", R"(\\d)"},
    {R"("θ\u03b8x\U0001F600y")", "θθx😀y", "x", "x"},
    {R"("θ\u03b8x\U0001F600y")", "θθx😀y", "θx", R"(\u03b8x)"},
    {R"("θ\u03b8x\U0001F600y")", "θθx😀y", "😀y", R"(\U0001F600y)"},
    {R"("\b\f\r\n end")", "\b\f\r\n end", "\r\n e", R"(\r\n e)"},
    {"'lit\\n \"x\"'", "lit\\n \"x\"", "\\n", "\\n"},
    {"\"\"\"\nfirst\nsecond\"\"\"", "first\nsecond", "second", "second"},
    {"\"\"\"\r\nfirst\r\nsecond\"\"\"", "first\nsecond", "t\ns", "t\r\ns"},
    {"'''\nfirst\r\nsecond '' x'''", "first\nsecond '' x", "'' x", "'' x"},
    {"\"\"\"a + \\\n   \n\t b * c\"\"\"", "a + b * c", "b * c", "b * c"},
    {"\"\"\"a + \\\n   \n\t b * c\"\"\"", "a + b * c", "+ b", "+ \\\n   \n\t b"},
    {"\"\"\"a\\\n θ\"\"\"", "aθ", "θ", "θ"},
    {"\"\"\"a + \\  \r\n b\\\n\"\"\"", "a + b", "b", "b"},
    {"\"\"\"say \"\"yes\"\" \\\"\"\"\"\"\"", "say \"\"yes\"\" \"\"\"", "s\"\" \"", "s\"\" \\\""},
    {"'''two '''''", "two ''", "''", "''"},
};

TEST(Strings, MapBackToTheFile) {
    for (const Mapped& m : mapped) {
        const Document document = parse("\"é\" = 1\nkey = [ 'θ', " + m.raw + " ] # end");
        const Value& value = at(document.root(), "key").items()[1];
        EXPECT_EQ(value.raw(), m.raw);
        ASSERT_EQ(value.text(), m.text) << m.raw;
        const std::size_t begin = m.text.rfind(m.part);
        EXPECT_EQ(in(document, value.in_file(begin, begin + m.part.size())), m.written) << m.raw;
    }
}

TEST(Strings, MapEmptyAndOversizedRanges) {
    const Document document = parse(R"(a = "x\ny")");
    const Value& value = at(document.root(), "a");
    EXPECT_EQ(value.in_file(0, 0), (Range{5, 5}));
    EXPECT_EQ(value.in_file(1, 1), (Range{6, 6}));
    EXPECT_EQ(value.in_file(3, 3), (Range{9, 9}));
    EXPECT_EQ(value.in_file(2, 1000), (Range{8, 9}));
    EXPECT_EQ(value.in_file(1000, 2000), (Range{9, 9}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Large and hostile files. The bound on the time is generous: a quadratic reader would take minutes.

void expect_quickly(const std::string& text, std::string_view expected = "no complaint") {
    const std::clock_t start = std::clock();
    const std::string what = complaint(text);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_NE(what.find(expected), std::string::npos) << what.substr(0, 500);
    EXPECT_LT(seconds, 10) << what.substr(0, 500);
}

TEST(Large, LegalFilesAreRead) {
    expect_quickly("a = \"" + repeated("x+y*", 2'500'000) + "\"");
    expect_quickly("a = \"" + repeated("\\n\\\"", 2'500'000) + "\"");
    expect_quickly("\"é\" = [" + repeated("0.123456789, ", 200'000) + "]");
    std::string keys, inlined = "q = { x = 0", dotted, arrays;
    for (int i = 0; i < 100'000; ++i) {
        const std::string number = std::to_string(i);
        keys += "key" + number + " = 1\n";
        inlined += ", x" + number + " = 1.0";
        dotted += "t" + number + ".b = 1\n";
        arrays += "[[t" + number + "]]\n";
    }
    expect_quickly(keys);
    expect_quickly(inlined + "}");
    expect_quickly(dotted);
    expect_quickly(arrays);
    expect_quickly(repeated("[[t]]\n", 50'000));
}

TEST(Hostile, NestingIsRefused) {
    const std::string_view deep = "nested too deeply: at most 64 brackets and dots around a value";
    expect_quickly("a = " + repeated("[", 1'000'000), deep);
    expect_quickly("a = " + repeated("{a=", 1'000'000), deep);
    expect_quickly(repeated("a.", 1'000'000) + "a = 1", deep);
    expect_quickly("[" + repeated("a.", 1'000'000) + "a]", deep);
    expect_quickly("[a.a.a]\n" + repeated("b.", 30) + "b = " + repeated("[\n", 40), deep);
    expect_quickly(repeated("[", 1'000'000), "expected the name of a table");
    expect_quickly("a = " + repeated("[", 64) + "1.5" + repeated("]", 64));
    expect_quickly(repeated("a.", 63) + "a = [[1.5]]", deep);
    expect_quickly(repeated("a.", 64) + "a = 1");
}

TEST(Hostile, EndlessThingsAreRefused) {
    expect_quickly("a = [" + repeated("1,", 2'100'000) + "]", "at most 2000000 values");
    expect_quickly("a = \"" + repeated("x", 10'000'000), "the string is not closed");
    expect_quickly("a = " + repeated("\"", 1'000'001), "text right after a string");
    expect_quickly(std::string((std::size_t{64} << 20) + 1, ' '), "at most 64 MiB; this one has 67108865 bytes");
}

} // namespace
} // namespace rattleback::model
