// What the command line changes: --set, --q, --v.
#include "messages/complaints.hpp"

namespace rattleback {
namespace {

const std::vector<Complaint> complaints = {
    {spring,
     "",
     "",
     R"(--set mm=1: the model has no parameter 'mm'
     = did you mean 'm'?)",
     {.set = {{"mm", "1"}}}},
    {spring,
     "",
     "",
     R"(--set zeta=1: the model has no parameter 'zeta'
     = parameters are m, k)",
     {.set = {{"zeta", "1"}}}},
    {spring,
     "",
     "",
     R"(--set m=1+: expected a value after '+'
     = write a number, a name or a bracket there; and, or, in, for are no names)",
     {.set = {{"m", "1+"}}}},
    {spring, "", "", R"(--set m=1/0: 1/0 is not a finite number)", {.set = {{"m", "1/0"}}}},
    {spring,
     "",
     "",
     R"(--set m=k: parameters refer to each other in a circle: m -> k -> m
     = give one of them a value of its own)",
     {.set = {{"m", "k"}}}},
    {chain,
     "",
     "",
     R"(bad.toml:1:16: the family has no members: x[1..0]
   1 | coordinates = ["x[1..n]"]
     |                ^~~~~~~~~
     = it ends before it begins)",
     {.set = {{"n", "0"}}}},
    {chain,
     "",
     "",
     R"-(bad.toml:8:4: the index must be a whole number, not 3.5
   8 | "x[n+1]" = "sin(t)"
     |    ^~~)-",
     {.set = {{"n", "2.5"}}}},
    {field,
     "",
     "",
     R"(--set m=1: the model has no parameter 'm'
     = there are none)",
     {.set = {{"m", "1"}}}},
    {spring,
     "",
     "",
     R"(--q theta=1: the model has no coordinate 'theta'
     = coordinates are x, y)",
     {.q = {{"theta", "1"}}}},
    {spring, "", "", R"(--q x=foo: unknown name 'foo')", {.q = {{"x", "foo"}}}},
    {spring,
     "",
     "",
     R"(--q x=: empty formula
     = write a value, for example 0)",
     {.q = {{"x", ""}}}},
    {spring,
     "",
     "",
     R"(--v x'=1: the model has no coordinate 'x''
     = did you mean 'x'?)",
     {.v = {{"x'", "1"}}}},
    {spring, "", "", R"(--v y=nan: unknown name 'nan')", {.v = {{"y", "nan"}}}},
    {chain,
     "",
     "",
     R"(--q x[4]=1: the model has no coordinate 'x[4]'
     = did you mean 'x[1]'?)",
     {.q = {{"x[4]", "1"}}}},
    {field,
     "",
     "",
     R"(--q x=1: this model has variables z, neither coordinates nor velocities
     = write --z x=1)",
     {.q = {{"x", "1"}}}},
    {field,
     "",
     "",
     R"(--v x=1: this model has variables z, neither coordinates nor velocities
     = write --z x=1)",
     {.v = {{"x", "1"}}}},
    {spring,
     "v = {",
     "p = {",
     R"(--v x=1: the model starts from momenta p, not from velocities
     = use --p, or give v in [initial])",
     {.v = {{"x", "1"}}}},
    {spring,
     "",
     "",
     R"(--p x=1: the model starts from velocities v, not from momenta
     = use --v, or give p in [initial])",
     {.p = {{"x", "1"}}}},
    {spring,
     "",
     "",
     R"(--z x=1: this model has coordinates, not variables z
     = use --q, and --v or --p)",
     {.z = {{"x", "1"}}}},
    {spring, "", "", R"(--set m=foo: unknown name 'foo')", {.set = {{"m", "foo"}}}},
    {chain,
     "",
     "",
     R"(bad.toml:1:16: a model has at most 200,000 coordinates
   1 | coordinates = ["x[1..n]"]
     |                ^~~~~~~~~)",
     {.set = {{"n", "1e6"}}}},
};

TEST(OptionsMessages, AreWordForWord) { expect_word_for_word(complaints); }

} // namespace
} // namespace rattleback
