// What a file and a formula are not.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring, the_lagrangian, R"(lagrangian = "m/2*(x'^2 + y'^2")", R"(bad.toml:8:19: ')' is missing for this '('
   8 | lagrangian = "m/2*(x'^2 + y'^2"
     |                   ^
     = add the ')')"},
    {spring, the_lagrangian, R"-(lagrangian = "m/2*(x'^2 + y'^2])")-", R"-(bad.toml:8:31: ']' does not close '('
   8 | lagrangian = "m/2*(x'^2 + y'^2])"
     |                               ^
     = close every bracket with its like)-"},
    {spring, the_lagrangian, R"(lagrangian = "2x'^2")",
     R"(bad.toml:8:15: an operator is missing before 'x': write '*' for a product
   8 | lagrangian = "2x'^2"
     |               ^~
     = write 2*x, not 2x)"},
    {spring, the_lagrangian, R"(lagrangian = "x' = 1")", R"(bad.toml:8:18: '=' is not a comparison: write '=='
   8 | lagrangian = "x' = 1"
     |                  ^
     = an equation a = b is written a - b)"},
    {spring, the_lagrangian, R"(lagrangian = "m**2")", R"(bad.toml:8:16: '**' is not an operator: write '^'
   8 | lagrangian = "m**2"
     |                ^~
     = operators are + - * / ^ < <= > >= == != and or)"},
    {spring, the_lagrangian, R"(lagrangian = "")", R"(bad.toml:8:15: empty formula
   8 | lagrangian = ""
     |               ^
     = write a value, for example 0)"},
    {spring, the_lagrangian, R"(lagrangian = "x'^2 + θ")", R"(bad.toml:8:22: unknown character 'θ'
   8 | lagrangian = "x'^2 + θ"
     |                      ^
     = write the letter's name, for example theta)"},
    {spring, the_lagrangian, R"(lagrangian = "x'² - y'^2")", R"(bad.toml:8:17: unknown character '²'
   8 | lagrangian = "x'² - y'^2"
     |                 ^
     = write '^2')"},
    {spring, the_lagrangian, R"(lagrangian = "x'^2 +")", R"(bad.toml:8:20: expected a value after '+'
   8 | lagrangian = "x'^2 +"
     |                    ^
     = write a number, a name or a bracket there; and, or, in, for are no names)"},
    {spring, the_lagrangian, R"(lagrangian = "* x")", R"(bad.toml:8:15: expected a value before '*'
   8 | lagrangian = "* x"
     |               ^
     = write a number, a name or a bracket there; and, or, in, for are no names)"},
    {spring, the_lagrangian, R"(lagrangian = "x'^2 y")",
     R"(bad.toml:8:18: an operator is missing before 'y': write '*' for a product
   8 | lagrangian = "x'^2 y"
     |                  ^~~
     = write 2*x, not 2x)"},
    {spring, the_lagrangian, R"(lagrangian = "x < y < m")", R"(bad.toml:8:21: comparisons cannot be chained: use 'and'
   8 | lagrangian = "x < y < m"
     |                     ^
     = write a < b and b < c)"},
    {spring, the_lagrangian, R"(lagrangian = "x && y")", R"(bad.toml:8:17: '&&' is not known: write 'and'
   8 | lagrangian = "x && y"
     |                 ^~
     = operators are + - * / ^ < <= > >= == != and or)"},
    {spring, the_lagrangian, R"-(lagrangian = "sin()")-", R"-(bad.toml:8:15: 'sin' needs an argument
   8 | lagrangian = "sin()"
     |               ^~~~~
     = write sin(x))-"},
    {spring, the_lagrangian, R"(lagrangian = "'x")", R"(bad.toml:8:15: a prime needs a name in front of it
   8 | lagrangian = "'x"
     |               ^
     = write x' for the velocity of x)"},
    {spring, the_lagrangian, R"(lagrangian = "1.2.3*x")", R"(bad.toml:8:15: number '1.2.3' is malformed
   8 | lagrangian = "1.2.3*x"
     |               ^~~~~
     = write it like 2, 0.5 or 1e-3)"},
    {spring, the_lagrangian, R"(lagrangian = "1e5000*x")", R"(bad.toml:8:15: number is too large
   8 | lagrangian = "1e5000*x"
     |               ^~~~~~
     = the largest number is about 1.18e4932)"},
    {spring, the_lagrangian, R"-(lagrangian = "sum(i in 1..3, x)")-", R"-(bad.toml:8:28: expected ':' before ','
   8 | lagrangian = "sum(i in 1..3, x)"
     |                            ^
     = write sum(i in 1..n: ...), and put sums inside sums)-"},
    {spring, the_lagrangian, R"(lagrangian = "x for i in 1..3")", R"(bad.toml:8:17: 'for' is for constraints
   8 | lagrangian = "x for i in 1..3"
     |                 ^~~~~~~~~~~~~
     = write sum(i in 1..n: ...) to add up)"},
    {spring, the_lagrangian, R"(lagrangian = """
m/2*(x'^2 + y'^2)
  - k/2*(x^2 + + )
""")",
     R"(bad.toml:10:16: expected a value after '+'
  10 |   - k/2*(x^2 + + )
     |                ^
     = write a number, a name or a bracket there; and, or, in, for are no names)"},
    {spring, the_lagrangian, R"(lagrangian = '''
m/2*x^2 \
  - y*w''')",
     R"(bad.toml:9:9: unknown character '\'
   9 | m/2*x^2 \
     |         ^
     = names are made of A-Z, a-z, 0-9 and _)"},
    {spring, the_lagrangian, R"-(lagrangian = "m/2*\u0028x^2 + foo)")-", R"-(bad.toml:8:31: unknown name 'foo'
   8 | lagrangian = "m/2*\u0028x^2 + foo)"
     |                               ^~~)-"},
    {spring, the_lagrangian, R"(# Énergie
lagrangian = "x'^2 + foo"   # é)",
     R"(bad.toml:9:22: unknown name 'foo'
   9 | lagrangian = "x'^2 + foo"   # é
     |                      ^~~)"},
    {spring, "[parameters]", R"(symmetries = { "é è ê" = { x = "foo" } }
[parameters])",
     R"(bad.toml:3:33: unknown name 'foo'
   3 | symmetries = { "é è ê" = { x = "foo" } }
     |                                 ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = """
m/2*(x'^2 + y'^2)
  - k/2*(x^2 + foo^2)
""")",
     R"(bad.toml:10:16: unknown name 'foo'
  10 |   - k/2*(x^2 + foo^2)
     |                ^~~)"},
    {spring, the_lagrangian, R"(lagrangian = """m/2*x^2 \
     - y*foo""")",
     R"(bad.toml:9:10: unknown name 'foo'
   9 |      - y*foo"""
     |          ^~~)"},
    {spring, R"(coordinates = ["x", "y"]
)",
     R"(name = "Θ — système"
observables = { "é" = "x", "ü" = "foo" }
coordinates = ["x", "y"] # ∂L/∂q
)",
     R"(bad.toml:2:35: unknown name 'foo'
   2 | observables = { "é" = "x", "ü" = "foo" }
     |                                   ^~~)"},
    {nothing, "", "", R"(bad.toml: the file is empty
     = 'rattleback gallery' lists models to start from)"},
    {nothing, "", R"(# nothing but a comment
)",
     R"(bad.toml: the model has no coordinates
     = write coordinates = ["x", "y"])"},
    {nothing, "", "coordinates = [x]", R"(bad.toml:1:16: cannot read the value 'x'
   1 | coordinates = [x]
     |                ^
     = formulas and text stand in quotes: "...")"},
    {nothing, "", R"(name = "a
coordinates = ["x"])",
     R"(bad.toml:1:8: the string is not closed
   1 | name = "a
     |        ^~
     = add the closing ")"},
    {spring, "m = 2", R"(m = 2
m = 3)",
     R"(bad.toml:5:1: 'm' is given twice
   5 | m = 3
     | ^
     = the first is on line 4)"},
    {spring, R"(k = "3*m")", "k = 3*m", R"(bad.toml:5:5: cannot read the value '3*m'
   5 | k = 3*m
     |     ^~~
     = formulas and text stand in quotes: "...")"},
    {spring, "[initial]", "[parameters]", R"(bad.toml:10:1: '[parameters]' is given twice
  10 | [parameters]
     | ^~~~~~~~~~~~
     = the first is on line 3)"},
    {spring, R"("m/2*(x'^2)", "'m/2*(x'^2", R"-(bad.toml:8:22: text right after a string
   8 | lagrangian = 'm/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)"
     |                      ^
     = formulas with primes stand in double quotes: "m/2*x'^2")-"},
    {spring, "m = 2", "m = 02", R"(bad.toml:4:5: cannot read the value '02': numbers do not begin with 0
   4 | m = 02
     |     ^~)"},
    {spring, "q = { x = 1,", R"(q = { x = 1
)",
     R"(bad.toml:11:5: '{' is not closed on its line
  11 | q = { x = 1
     |     ^
     = an inline table stays on one line; longer ones are written as [name])"},
};

TEST(SyntaxMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
