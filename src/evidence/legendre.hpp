// Along a run of a control problem, whether H_uu is positive (Legendre and Clebsch).
#pragma once

#include <rattleback/evidence.hpp>

namespace rattleback {

// No claim of a method but a property of the path: it passes or does not apply, with a remark that says where.
MeasuredClaim legendre_claim(const Model& model, const Run& run);

} // namespace rattleback
