// Whatever fails while machine code is made, an exception of any kind or a lack of memory, is told and nothing more.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "code/backend.hpp"
#include "code/cache.hpp"
#include "code/engine.hpp"
#include "code/sections.hpp"
#include "run/step_code.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

template <class Thrown> class FailingBackend final : public code::Backend {
  public:
    bool fuses() const override { return true; }
    std::string compile(const code::Listing&, const code::Shape&, bool) const override { throw Thrown(); }
    std::unique_ptr<const code::Loaded> load(std::string_view) const override { throw Thrown(); }
};
struct NoLogic : std::logic_error {
    NoLogic() : std::logic_error("no logic") {}
};

template <class Thrown> std::string why_not() {
    const code::Compiled made = code::compile({}, {}, false, code::Cache(""), []() -> const code::Backend* {
        static const FailingBackend<Thrown> backend;
        return &backend;
    });
    EXPECT_FALSE(made.native);
    return made.why_not;
}

TEST(Failures, OfABackEndAreTold) {
    EXPECT_EQ(why_not<NoLogic>(), "no logic");
    EXPECT_EQ(why_not<std::bad_alloc>(), "out of memory");
    EXPECT_EQ(why_not<int>(), "unknown error");
}

// x*y + z, which is one instruction; then as a program that holds what no formula is lowered to.
CompiledSystem broken_system() {
    const auto g = std::make_shared<Graph>();
    const Expr x = g->symbol("x"), y = g->symbol("y"), z = g->symbol("z");
    CompiledSystem system = *compile(System{g, Vec({{"x", x}, {"y", y}, {"z", z}}), {}, {}, Vec({{"f", x * y + z}})});
    for (Section& s : system.program.sections)
        for (Group& group : s.groups) {
            EXPECT_EQ(group.op, Op::fma);
            group.op = Op::count;
        }
    return system;
}

TEST(Failures, WhileLinesAreWrittenAreTold) {
    const CompiledSystem system = broken_system();
    const std::string expected = "a program holds an operation that it cannot compute";
    EXPECT_THROW(code::write_solve(system, {}), std::logic_error);
    const StepCodeResult whole = make_solve_code(system);
    EXPECT_FALSE(whole.code || whole.sections);
    EXPECT_EQ(whole.why_not, expected);
    const code::SectionsResult sections = code::compile_sections(system);
    EXPECT_FALSE(sections.code);
    EXPECT_EQ(sections.why_not, expected);
}

} // namespace
} // namespace rattleback
