// Text of others, made fit for a terminal.
#include <gtest/gtest.h>

#include "expr/shown.hpp"

namespace rattleback {
namespace {

TEST(Shown, EscapesWhatATerminalWouldObey) {
    EXPECT_EQ(shown("plain text, Größe, θ, 力学"), "plain text, Größe, θ, 力学");
    EXPECT_EQ(shown("\x1b[31mred\x1b[0m\a"), "\\x1B[31mred\\x1B[0m\\x07");
    EXPECT_EQ(shown("two\nlines\r\tand a tab"), "two\\nlines\\x0D\\tand a tab");
    EXPECT_EQ(shown(std::string_view("nul\0del\x7f", 8)), "nul\\x00del\\x7F");
    EXPECT_EQ(shown("\u009b2J"), "\\x9B2J") << "a control of Latin-1";
    EXPECT_EQ(shown("\u202eevil\u2066 \u200b\ufeff"), "\\u202Eevil\\u2066 \\u200B\\uFEFF");
    EXPECT_EQ(shown("\U000e0041"), "\\U000E0041") << "a tag";
    EXPECT_EQ(shown("\xff\xc3(\xe2\x82"), "\\xFF\\xC3(\\xE2\\x82") << "not UTF-8";
    EXPECT_EQ(shown(shown("\x1b\n")), shown("\x1b\n"));
}

TEST(Shown, TellsWhetherThereIsAnythingToEscape) {
    EXPECT_TRUE(is_printable("Größe 力"));
    for (const char* text : {"a\nb", "\t", "\x1b", "\x7f", "\u0085", "\u202e", "\u00ad", "\xff"})
        EXPECT_FALSE(is_printable(text)) << shown(text);
}

TEST(Shown, CutsNamesInTheMiddle) {
    EXPECT_EQ(shortened("short"), "short");
    EXPECT_EQ(shortened("0123456789", 10), "0123456789");
    EXPECT_EQ(shortened("0123456789a", 10), "0123...89a");
    EXPECT_EQ(shortened("αβγδεζηθικλ", 10), "αβγδ...ικλ");
    EXPECT_EQ(shortened(std::string(100000, 'x')).size(), 80u);
}

TEST(Shown, MessagesKeepLinesAndStayShort) {
    EXPECT_EQ(shown_message("first\n  second \x1b"), "first\n  second \\x1B");
    const std::string path(150, 'p');
    EXPECT_EQ(shown_message("cannot read " + path), "cannot read " + path) << "most paths are shorter than that";
    const std::string name(100000, 'n');
    EXPECT_EQ(shown_message("unknown '" + name + "'"), "unknown " + shortened("'" + name + "'"));
    std::string many;
    for (int i = 0; i < 100000; ++i) many += "word ";
    EXPECT_EQ(shown_message(many).size(), 4003u);
    EXPECT_TRUE(shown_message(many).ends_with("..."));
    std::string greek;
    for (int i = 0; i < 10000; ++i) greek += "θ ";
    EXPECT_TRUE(is_printable(shown_message(greek))) << "cut between two letters";
}

} // namespace
} // namespace rattleback
