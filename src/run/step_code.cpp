#include "run/step_code.hpp"

#include "code/sections.hpp"
#include "scheme/operators.hpp"

namespace rattleback {

namespace {

StepCodeResult compiled(const code::Listing& listing, const code::Shape& shape, const CompiledSystem& system,
                        bool quick, bool all_or_nothing = false) {
    const code::Compiled made = code::compile(listing, shape, quick);
    if (!made.native) return {nullptr, made.why_not, ""};
    auto result = std::make_shared<StepCode>();
    result->shape = shape, result->native = made.native, result->all_or_nothing = all_or_nothing;
    for (const Block& b : system.blocks) result->newton_blocks += !b.linear;
    return {result, "", made.warning};
}

StepCodeResult in_sections_of(const CompiledSystem& system, bool quick) {
    const code::SectionsResult made = code::compile_sections(system, quick);
    return {nullptr, made.why_not, made.warning, made.code};
}

} // namespace

StepCodeResult make_step_code(const Method& method, const CompiledSystem& system, std::size_t parameters,
                              const code::Shape& shape, bool quick) {
    if (method.controls_step) return in_sections_of(system, quick); // the stepper goes back and forth between them
    const auto n = static_cast<std::size_t>(method.step.state.count()),
               m = static_cast<std::size_t>(method.step.hint.count());
    const bool steady = method.substeps.size() > 1 && !method.step.steady_hint.empty();
    const auto outright = static_cast<std::size_t>(last_components(method.step.state, method.step.outright).count());
    const code::StepLayout layout{&system, n, m, parameters, steady ? n + m : n, outright, true};
    const bool in_sections = system.blocks.empty() && shape.lanes() == 1;
    if (!code::can_write(system, in_sections ? StepCode::better_in_sections : StepCode::whole))
        return in_sections_of(system, quick);
    const code::Listing listing = code::write_step(layout, shape);
    if (shape.lanes() == 1 && listing.lines.size() > StepCode::most_lines) return in_sections_of(system, quick);
    return compiled(listing, shape, system, quick, system.blocks.empty());
}

StepCodeResult make_solve_code(const CompiledSystem& system, bool quick) {
    if (!code::can_write(system, StepCode::whole)) return in_sections_of(system, quick);
    return compiled(code::write_solve(system, {}), {}, system, quick);
}

// The same numbers as Stepper::advance.
StepTimes::StepTimes(const Method& method, double t0, double h) : t0_(t0), h_(h) {
    quad at = 0;
    for (quad fraction : method.substeps) {
        fraction_.push_back(static_cast<double>(fraction)), at_.push_back(static_cast<double>(at));
        at += fraction;
    }
}

void StepTimes::at(long long part, double& t, double& size) const {
    const long long step = part / parts();
    t = of_step(step), size = h_;
    if (parts() == 1) return;
    const auto place = static_cast<std::size_t>(part - step * parts());
    t = t + at_[place] * h_, size = fraction_[place] * h_;
}

void StepTimes::fill(long long first, long long count, double* times, double* sizes) const {
    if (parts() == 1) {
        for (long long i = 0; i < count; ++i) times[i] = of_step(first + i), sizes[i] = h_;
        return;
    }
    for (long long i = 0; i < count; ++i) at(first + i, times[i], sizes[i]);
}

} // namespace rattleback
