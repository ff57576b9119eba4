// Lobatto IIIA-IIIB for constraints (Jay 1996), shared by lobatto and, with two stages, rattle.
#pragma once

#include "scheme/operators.hpp"

namespace rattleback {

//   Q_i = q0 + h sum_j a_ij V_j,   P_i = p0 + h sum_j a^_ij (L_q + F - G^T Lambda)_j,   P_i = L_v(Q_i, V_i)
//   g(Q_i) = 0 for i = 2 .. s,     q1 = Q_s,   p1 = p0 + h sum_j b_j (L_q + F - G^T Lambda)_j,   g_q v1 + g_t = 0
// with V = H_p for a Hamiltonian. Lambda_s does not enter the stages: the last line determines it.
Step spark_step(const Nonholonomic& system, int stages);
// Variational velocity constraints have multipliers of their own at every stage: P_i = F_v(Q_i, V_i, lambda_i) and
// phi(Q_i, V_i) = 0 with F = L - lambda . phi, and F_q in place of L_q; holonomic constraints may stand beside them.
Step spark_step(const Variational& system, int stages);
std::vector<Claim> spark_claims(const std::string& reversible_if);

} // namespace rattleback
