#include "code/sections.hpp"

#include <array>

#include "code/section.hpp"

namespace rattleback::code {

bool CompiledSections::run(std::size_t section, double* slots) const {
    if (!native[section]) return false;
    double left = 0;
    std::array<double*, array_count> arrays{};
    arrays[Array::slots] = slots, arrays[Array::left] = &left;
    native[section]->entry()(arrays.data(), 0, function_table());
    return left == 0;
}

SectionsResult compile_sections(const CompiledSystem& system, bool quick) {
    const std::vector<bool> wanted = wanted_slots(system);
    std::vector<Listing> listings;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < system.program.sections.size(); ++i) {
        listings.push_back(write_section(system.program, i, wanted));
        lines += listings.back().lines.size();
        if (lines > most_lines) return {nullptr, "the step is too large", ""};
    }
    auto code = std::make_shared<CompiledSections>();
    SectionsResult result;
    for (const Listing& listing : listings) {
        Compiled made;
        if (!listing.lines.empty()) {
            made = compile(listing, {}, quick);
            if (!made.native) return {nullptr, made.why_not, ""};
        }
        code->native.push_back(made.native);
        if (result.warning.empty()) result.warning = made.warning;
    }
    result.code = code;
    return result;
}

} // namespace rattleback::code
