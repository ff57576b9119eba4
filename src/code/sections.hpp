// Machine code for the sections of large systems, one function per section. Newton's method and the linear algebra are
// still run by SystemSolver: in large systems most of the time is spent on the formulas.
#pragma once

#include "solve/system.hpp"

#include <memory>

#include "code/engine.hpp"

namespace rattleback::code {

class CompiledSections final : public SectionCode {
  public:
    bool run(std::size_t section, double* slots) const override;

    std::vector<std::vector<std::shared_ptr<const Native>>> native; // by section: to be called one after the other
};

struct SectionsResult {
    std::shared_ptr<const CompiledSections> code; // empty: see why_not
    std::string why_not, warning;
};
// Systems with more lines, or that take longer to compile, stay on the tape. Measured: 12 us per line.
struct SectionsBudget {
    std::size_t lines = 600000;
    double seconds = 20;
};
SectionsResult compile_sections(const CompiledSystem& system, bool quick = false,
                                const SectionsBudget& budget = {}) noexcept;

} // namespace rattleback::code
