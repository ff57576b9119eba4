// What a person sees when a file is not TOML, word for word.
#include "../../src/model/document.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rattleback::model {
namespace {

std::string complaint(std::string text) {
    try {
        Document::parse(Source("f.toml", std::move(text)));
    } catch (const ModelError& error) { return error.what(); }
    return "no complaint";
}

struct Case {
    std::string text;
    std::string what;
};

const std::vector<Case> complaints = {
    {"", "f.toml: the file is empty\n     = 'rattleback gallery' lists models to start from"},
    {" \n\t\r\n", "f.toml: the file is empty\n     = 'rattleback gallery' lists models to start from"},
    {std::string("[\0", 2), "f.toml:1:2: control character U+0000\n"
                            "   1 | [?\n"
                            "     |  ^\n"
                            "     = in a string write \"\\u0000\""},
    {"a = \"\x1b[31m\"", "f.toml:1:6: control character U+001B\n"
                         "   1 | a = \"?[31m\"\n"
                         "     |      ^\n"
                         "     = in a string write \"\\u001B\""},
    {"a = \"θ\xff\"", "f.toml:1:7: byte 0xFF is not UTF-8\n"
                      "   1 | a = \"θ?\"\n"
                      "     |       ^\n"
                      "     = save the file as UTF-8"},
    {"a = 1\rb = 2", "f.toml:1:6: carriage return without line feed\n"
                     "   1 | a = 1?b = 2\n"
                     "     |      ^\n"
                     "     = save the file with Unix or Windows line ends"},
    {"\xef\xbb\xbf\xef\xbb\xbf"
     "a = 1",
     "f.toml:1:1: a second byte-order mark\n"
     "   1 | ?a = 1\n"
     "     | ^"},
    {"\xef\xbb\xbf"
     "a =\t? # x",
     "f.toml:1:5: cannot read the value '?'\n"
     "   1 | a = ? # x\n"
     "     |     ^\n"
     "     = formulas and text stand in quotes: \"...\""},
    {"θ = 1", "f.toml:1:1: 'θ' is not allowed outside quotes\n"
              "   1 | θ = 1\n"
              "     | ^\n"
              "     = put names, text and formulas in quotes"},
    {"# two\r\n\r\nlagrangian = m/2 * v^2  # energy\r\n", "f.toml:3:14: cannot read the value 'm/2 * v^2'\n"
                                                          "   3 | lagrangian = m/2 * v^2  # energy\n"
                                                          "     |              ^~~~~~~~~\n"
                                                          "     = formulas and text stand in quotes: \"...\""},
    {"v = 1 - x", "f.toml:1:7: expected the end of the line, saw '-'\n"
                  "   1 | v = 1 - x\n"
                  "     |       ^\n"
                  "     = formulas and text stand in quotes: \"...\""},
    {"x' = 1", "f.toml:1:1: a quote right after 'x'\n"
               "   1 | x' = 1\n"
               "     | ^~\n"
               "     = names with other characters than letters, digits, '_' and '-' stand in quotes: \"x'\""},
    {"x[1] = 0", "f.toml:1:1: a bracket right after 'x'\n"
                 "   1 | x[1] = 0\n"
                 "     | ^~\n"
                 "     = names with other characters than letters, digits, '_' and '-' stand in quotes: \"x[1]\""},
    {"holonomic = [x^2 = 1]", "f.toml:1:18: '=' inside a value\n"
                              "   1 | holonomic = [x^2 = 1]\n"
                              "     |                  ^\n"
                              "     = formulas and text stand in quotes: \"...\""},
    {"a = b = 1", "f.toml:1:7: '=' inside a value\n"
                  "   1 | a = b = 1\n"
                  "     |       ^\n"
                  "     = formulas and text stand in quotes: \"...\""},
    {"l = 'm*x'^2'", "f.toml:1:10: text right after a string\n"
                     "   1 | l = 'm*x'^2'\n"
                     "     |          ^\n"
                     "     = formulas with primes stand in double quotes: \"m/2*x'^2\""},
    {"a = \"x + y\nb = 2", "f.toml:1:5: the string is not closed\n"
                           "   1 | a = \"x + y\n"
                           "     |     ^~~~~~\n"
                           "     = add the closing \""},
    {"b = 2\na = '''x\ny''", "f.toml:2:5: the string is not closed\n"
                             "   2 | a = '''x\n"
                             "     |     ^~~\n"
                             "     = add the closing '''"},
    {"a = [1,\n  2\n", "f.toml:1:5: '[' is not closed\n"
                       "   1 | a = [1,\n"
                       "     |     ^\n"
                       "     = add the closing ']'"},
    {"a = [}", "f.toml:1:6: expected ']', saw '}'\n"
               "   1 | a = [}\n"
               "     |      ^\n"
               "     = the '[' of line 1 is still open"},
    {"a = 1 ]", "f.toml:1:7: ']' closes nothing\n"
                "   1 | a = 1 ]\n"
                "     |       ^"},
    {"a = { x = 1,\n y = 2 }", "f.toml:1:5: '{' is not closed on its line\n"
                               "   1 | a = { x = 1,\n"
                               "     |     ^\n"
                               "     = an inline table stays on one line; longer ones are written as [name]"},
    {"[mechanics\nx = 1", "f.toml:1:1: '[' is not closed on its line\n"
                          "   1 | [mechanics\n"
                          "     | ^\n"
                          "     = write the header as [name]"},
    {"[=", "f.toml:1:2: expected the name of a table after '[', saw '='\n"
           "   1 | [=\n"
           "     |  ^\n"
           "     = write the header as [name]"},
    {"[]", "f.toml:1:2: a table without a name\n"
           "   1 | []\n"
           "     |  ^\n"
           "     = write the header as [name]"},
    {"a = 2020-01-01", "f.toml:1:5: cannot read the value '2020-01-01'\n"
                       "   1 | a = 2020-01-01\n"
                       "     |     ^~~~~~~~~~\n"
                       "     = formulas and text stand in quotes: \"...\""},
    {"a = 2020 1\n", "f.toml:1:10: two values with nothing between them\n"
                     "   1 | a = 2020 1\n"
                     "     |          ^\n"
                     "     = separate the values of an array with ','"},
    {"m = 1\nn = 2\nm = 3", "f.toml:3:1: 'm' is given twice\n"
                            "   3 | m = 3\n"
                            "     | ^\n"
                            "     = the first is on line 1"},
    {"[a]\nm = 1\n[b]\nm = 1\n\n[ \"a\" ] # again\nn = 1", "f.toml:6:1: '[ \"a\" ]' is given twice\n"
                                                           "   6 | [ \"a\" ] # again\n"
                                                           "     | ^~~~~~~\n"
                                                           "     = the first is on line 1"},
    {"q = { \"é\" = 1, x = 2, \"é\" = 3 }", "f.toml:1:23: '\"é\"' is given twice\n"
                                            "   1 | q = { \"é\" = 1, x = 2, \"é\" = 3 }\n"
                                            "     |                       ^~~\n"
                                            "     = give each name once"},
    {"a = 1\n[a.b]\n[c]\n", "f.toml:2:1: '[a.b]' contradicts what was given before\n"
                            "   2 | [a.b]\n"
                            "     | ^~~~~\n"
                            "     = a name is a value or a table, and an inline table is complete as it stands"},
    {"a.b = 1\na.b.c = 2", "f.toml:2:3: this name is taken: it cannot be a table with dotted names\n"
                           "   2 | a.b.c = 2\n"
                           "     |   ^\n"
                           "     = give the table in one place"},
    {"m 1", "f.toml:1:3: expected '=', saw '1'\n"
            "   1 | m 1\n"
            "     |   ^\n"
            "     = every line is a [header] or 'name = value'"},
    {"m =\nn = 1", "f.toml:1:4: a value is missing after '='\n"
                   "   1 | m =\n"
                   "     |    ^"},
    {"m =", "f.toml:1:4: a value is missing after '='\n"
            "   1 | m =\n"
            "     |    ^"},
    {"a = [1.5, x]", "f.toml:1:11: cannot read the value 'x'\n"
                     "   1 | a = [1.5, x]\n"
                     "     |           ^\n"
                     "     = formulas and text stand in quotes: \"...\""},
    {"a = {x = 1,}", "f.toml:1:12: a comma before '}'\n"
                     "   1 | a = {x = 1,}\n"
                     "     |            ^\n"
                     "     = remove the comma, or add another 'name = value'"},
    {"a = 9223372036854775808", "f.toml:1:5: cannot read the value '9223372036854775808': it does not fit in 64 bits\n"
                                "   1 | a = 9223372036854775808\n"
                                "     |     ^~~~~~~~~~~~~~~~~~~\n"
                                "     = write it with a decimal point"},
    {"a = 1e999 # big", "f.toml:1:5: cannot read the value '1e999': it is out of the range of a double\n"
                        "   1 | a = 1e999 # big\n"
                        "     |     ^~~~~"},
    {"a = 007", "f.toml:1:5: cannot read the value '007': numbers do not begin with 0\n"
                "   1 | a = 007\n"
                "     |     ^~~"},
    {"a = [.5]", "f.toml:1:6: cannot read the value '.5'\n"
                 "   1 | a = [.5]\n"
                 "     |      ^~\n"
                 "     = the point stands between digits: 0.5, 1.0"},
    {"a = \"\\alpha\"", "f.toml:1:6: unknown escape sequence '\\a'\n"
                        "   1 | a = \"\\alpha\"\n"
                        "     |      ^~~~~~\n"
                        "     = write \\\\ for a backslash, or put the text in '...'"},
    {"a = \"\\u03g\"", "f.toml:1:6: expected a hexadecimal digit\n"
                       "   1 | a = \"\\u03g\"\n"
                       "     |      ^~~~~\n"
                       "     = write \\uXXXX with four digits"},
    {"a = \"\\uD800\"", "f.toml:1:6: there is no such character\n"
                        "   1 | a = \"\\uD800\"\n"
                        "     |      ^~~~~~"},
    {"a = \"\"\"x \\ y\"\"\"", "f.toml:1:10: text after the backslash that joins two lines\n"
                               "   1 | a = \"\"\"x \\ y\"\"\"\n"
                               "     |          ^~~\n"
                               "     = write \\\\ for a backslash, or put the text in '''...'''"},
    {"a = \"x\\", "f.toml:1:5: the string is not closed\n"
                  "   1 | a = \"x\\\n"
                  "     |     ^~~\n"
                  "     = add the closing \""},
};

TEST(Complaints, AreWordForWord) {
    for (const Case& c : complaints) EXPECT_EQ(complaint(c.text), c.what) << "in: " << c.text;
}

} // namespace
} // namespace rattleback::model
