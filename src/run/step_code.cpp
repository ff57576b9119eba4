#include "run/step_code.hpp"

#include "code/sections.hpp"
#include "solve/system.hpp"

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

StepCodeResult stage_code(const CompiledMethod::Parts& parts, bool quick) {
    const CompiledStages& stages = *parts.stages;
    if (!code::can_write(stages, StepCode::whole)) return {nullptr, "the right-hand side is too large", ""};
    const code::Listing listing = code::write_stages(stages, parts.method().substeps.size() > 1);
    const code::Compiled made = code::compile(listing, code::stage_shape(stages), quick);
    if (!made.native) return {nullptr, made.why_not, ""};
    auto result = std::make_shared<StepCode>();
    result->native = made.native, result->tables = code::stage_tables(parts.stages), result->newton_blocks = 1;
    return {result, "", made.warning};
}

StepCodeResult step_code(const CompiledMethod& method, const code::Shape& shape, bool quick) {
    const CompiledMethod::Parts& parts = method.parts();
    if (parts.stages) return stage_code(parts, quick);
    const CompiledSystem& system = *parts.step.compiled;
    if (parts.method().controls_step)
        return in_sections_of(system, quick); // the stepper goes back and forth between them
    const code::StepLayout layout{&parts.step, hint_between_steps(parts), true};
    const bool in_sections = system.blocks.empty() && shape.lanes() == 1;
    if (!code::can_write(system, in_sections ? StepCode::better_in_sections : StepCode::whole))
        return in_sections_of(system, quick);
    const code::Listing listing = code::write_step(layout, shape);
    if (shape.lanes() == 1 && listing.lines.size() > StepCode::most_lines) return in_sections_of(system, quick);
    return compiled(listing, shape, system, quick, system.blocks.empty());
}

StepCodeResult walk_code(const CompiledMethod& method, const ShownNode& node, bool quick) {
    const CompiledMethod::Parts& parts = method.parts();
    const CompiledSystem& system = *parts.step.compiled;
    if (parts.method().controls_step || parts.stages) return {nullptr, "its steps are taken one by one", ""};
    const std::size_t most = system.blocks.empty() ? StepCode::better_in_sections : StepCode::whole;
    if (!code::can_write(system, most) || !code::can_write(*node.system.compiled, StepCode::whole) ||
        (node.beside && !code::can_write(*node.beside->system, StepCode::whole)))
        return {nullptr, "the step is too large", ""};
    const code::StepLayout layout{&parts.step, hint_between_steps(parts), true,
                                  node.layout(parts.method().substeps.size() > 1)};
    const code::Listing listing = code::write_step(layout, {});
    if (listing.lines.size() > StepCode::most_lines) return {nullptr, "the step is too large", ""};
    StepCodeResult made = compiled(listing, {}, system, quick, system.blocks.empty());
    if (!made.code) return made;
    const auto of_time = [](const NamedSystem& s) { return code::reads(*s.compiled, s.given["t"].offset); };
    auto timed = std::make_shared<StepCode>(*made.code);
    timed->reads_times = of_time(parts.step) || of_time(node.system) || (node.beside && node.beside->reads_time()) ||
                         parts.method().substeps.size() > 1;
    made.code = timed;
    return made;
}

} // namespace

StepCodeResult make_walk_code(const CompiledMethod& method, const ShownNode& node, bool quick) noexcept {
    return code::or_why_not([&] { return walk_code(method, node, quick); });
}

StepCodeResult make_step_code(const CompiledMethod& method, const code::Shape& shape, bool quick) noexcept {
    return code::or_why_not([&] { return step_code(method, shape, quick); });
}

StepCodeResult make_solve_code(const CompiledSystem& system, bool quick, const code::Shape& shape) noexcept {
    return code::or_why_not([&] {
        if (!code::can_write(system, StepCode::whole)) return in_sections_of(system, quick);
        return compiled(code::write_solve(system, shape), shape, system, quick);
    });
}

std::string hint_between_steps(const CompiledMethod::Parts& parts) {
    const bool other = parts.method().substeps.size() > 1 && parts.step.results.has("steady hint");
    return other ? "steady hint" : "next hint";
}

// The same numbers as Stepper::advance.
StepTimes::StepTimes(const Method& method, double h) : h_(h) {
    quad at = 0;
    for (quad fraction : method.substeps) {
        fraction_.push_back(static_cast<double>(fraction)), at_.push_back(static_cast<double>(at));
        at += fraction;
    }
}

StepTimes::Part StepTimes::at(long long part) const {
    const long long step = part / parts();
    if (parts() == 1) return {since_start(step), 0, h_};
    const auto place = static_cast<std::size_t>(part - step * parts());
    return {since_start(step), at_[place] * h_, fraction_[place] * h_};
}

void StepTimes::fill(long long first, long long count, double* times, double* offsets, double* sizes) const {
    if (parts() == 1) { // no division, and one store: a small step on 16 lanes takes no longer than that
        for (long long i = 0; i < count; ++i) times[i] = since_start(first + i);
        return;
    }
    for (long long i = 0; i < count; ++i) {
        const Part p = at(first + i);
        times[i] = p.time, offsets[i] = p.offset, sizes[i] = p.size;
    }
}

} // namespace rattleback
