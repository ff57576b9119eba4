#include "code/sections.hpp"

#include <array>
#include <chrono>

#include "code/formulas.hpp"
#include "code/section.hpp"
#include "solve/system.hpp"

namespace rattleback::code {

bool CompiledSections::run(std::size_t section, double* slots) const {
    double left = 0;
    std::array<double*, array_count> arrays{};
    arrays[Array::slots] = slots, arrays[Array::left] = &left;
    for (const auto& n : native[section]) n->entry()(arrays.data(), 0, function_table());
    return left == 0;
}

namespace {

SectionsResult compile_all(const CompiledSystem& system, bool quick, const SectionsBudget& budget) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const std::vector<bool> wanted = wanted_slots(system);
    std::vector<std::vector<Listing>> sections;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < system.program.sections.size(); ++i) {
        sections.push_back(write_section(system.program, i, wanted));
        for (const Listing& l : sections.back()) lines += l.lines.size();
        if (lines > budget.lines) return {nullptr, "the step is too large", ""};
    }
    auto code = std::make_shared<CompiledSections>();
    SectionsResult result;
    for (const auto& listings : sections) {
        auto& native = code->native.emplace_back();
        for (const Listing& listing : listings) {
            if (seconds() > budget.seconds) return {nullptr, "the step takes too long to compile", ""};
            const Compiled made = compile(listing, {}, quick);
            if (!made.native) return {nullptr, made.why_not, ""};
            native.push_back(made.native);
            if (result.warning.empty()) result.warning = made.warning;
        }
    }
    result.code = code;
    return result;
}

} // namespace

SectionsResult compile_sections(const CompiledSystem& system, bool quick, const SectionsBudget& budget) noexcept {
    return or_why_not([&] { return compile_all(system, quick, budget); });
}

} // namespace rattleback::code
