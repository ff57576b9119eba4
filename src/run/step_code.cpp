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
    if (!code::can_write(stages, StepCode::whole_stages)) return {nullptr, "the right-hand side is too large", ""};
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

// As many nodes side by side as the widest vectors have numbers.
constexpr code::Shape nodes_at_once{8, 1};

WalkCode node_code(const ShownNode& node, bool quick) {
    const NamedSystem& system = node.system;
    if (!code::can_write(*system.compiled, StepCode::whole) ||
        (node.beside && !code::can_write(*node.beside->system, StepCode::whole)))
        return {nullptr, nullptr, "the node is too large", ""};
    const code::NodeLayout layout = node.layout();
    const code::Compiled made = code::compile(code::write_nodes(layout, nodes_at_once), nodes_at_once, quick);
    if (!made.native) return {nullptr, nullptr, made.why_not, ""};
    auto result = std::make_shared<NodeCode>();
    result->native = made.native, result->lanes = static_cast<std::size_t>(nodes_at_once.lanes());
    const Fields::Field &state = system.given["state"], &hint = system.given["hint"];
    for (std::size_t input : layout.carried()) {
        const bool in_state = input < state.end() && input >= state.offset;
        result->carried.push_back({in_state, input - (in_state ? state : hint).offset});
    }
    result->reads_time =
        code::reads(*system.compiled, system.given["t"].offset) || (node.beside && node.beside->reads_time());
    return {nullptr, result, "", made.warning};
}

StepCodeResult steps_before_nodes(const CompiledMethod& method, const ShownNode& node, bool quick) {
    const CompiledMethod::Parts& parts = method.parts();
    const CompiledSystem& system = *parts.step.compiled;
    if (parts.method().controls_step || parts.stages) return {nullptr, "its steps are taken one by one", ""};
    const std::size_t most = system.blocks.empty() ? StepCode::better_in_sections : StepCode::whole;
    if (!code::can_write(system, most)) return {nullptr, "the step is too large", ""};
    const code::NodeLayout shown = node.layout();
    const code::Listing listing = code::write_step({&parts.step, hint_between_steps(parts), true, &shown}, {});
    if (listing.lines.size() > StepCode::most_lines) return {nullptr, "the step is too large", ""};
    StepCodeResult made = compiled(listing, {}, system, quick, system.blocks.empty());
    if (!made.code) return made;
    auto timed = std::make_shared<StepCode>(*made.code);
    timed->reads_times = code::reads(system, parts.step.given["t"].offset) || parts.method().substeps.size() > 1;
    made.code = timed;
    return made;
}

WalkCode walk_code(const CompiledMethod& method, const ShownNode& node, bool quick) {
    WalkCode made = node_code(node, quick);
    if (!made.nodes) return made;
    const StepCodeResult steps = steps_before_nodes(method, node, quick);
    made.steps = steps.code, made.why_not = steps.why_not;
    if (node.pairs) made.pairs = code::compile(*node.pairs, nodes_at_once, quick).native;
    if (made.warning.empty()) made.warning = steps.warning;
    return made;
}

} // namespace

WalkCode make_walk_code(const CompiledMethod& method, const ShownNode& node, bool quick) noexcept {
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
