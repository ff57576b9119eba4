// Chaplygin systems: a group of symmetries whose directions V are transverse to the constraint distribution D.
#pragma once

#include "evidence/explicit_solve.hpp"
#include "evidence/studies.hpp"

namespace rattleback {

// Lagrangian, velocity constraints alone, linear, homogeneous and without time, d'Alembert's principle, no families,
// few coordinates: what is said of geometry is said of these.
bool has_linear_constraints(const Sample& sample);

std::optional<ChaplyginStudy> study_chaplygin(const Sample& sample, Tidy& tidy);

} // namespace rattleback
