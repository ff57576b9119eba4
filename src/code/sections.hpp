// Machine code for the sections of large systems. Newton's method and linear algebra stay with SystemSolver, whose time
// they hardly take there.
#pragma once

#include <rattleback/solve.hpp>

#include <memory>

#include "code/engine.hpp"

namespace rattleback::code {

class CompiledSections final : public SectionCode {
  public:
    bool run(std::size_t section, double* slots) const override;

    std::vector<std::shared_ptr<const Native>> native; // by section; none: for the tape
};

struct SectionsResult {
    std::shared_ptr<const CompiledSections> code; // empty: see why_not
    std::string why_not, warning;
};
// Systems of more lines than this stay on the tape: 10 s of compilation.
constexpr std::size_t most_lines = 600000;
SectionsResult compile_sections(const CompiledSystem& system, bool quick = false);

} // namespace rattleback::code
