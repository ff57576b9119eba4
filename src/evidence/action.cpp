// The action of a flow generates it (de Leon, Martin de Diego and Santamaria 2004b, Prop. 3.3): with A the integral of
// p dq - H dt from (q_0, p_0) to (q_h, p_h), S_2 = p_h . q_h - A is its generating function of the second kind,
//     dS_2 = p_0 . dq_0 + q_h . dp_h.
// A is one more coordinate a with a' = p . H_p - H: the Hamiltonian H + p_a (p . H_p - H) has the flow of H where p_a =
// 0.
#include "evidence/defects.hpp"

#include "model/copy.hpp"
#include "run/stepper.hpp"

namespace rattleback {

using solve::product;

Expr action_rate(const Model& model) { return dot(model.p, gradient(model.function, model.p)) - model.function; }

template <class T>
std::optional<T> action_defect(const Model& given, const std::string& method, T h, int steps, Report& report,
                               const std::function<Expr(const Model&)>& rate) {
    Model model = deep_copy(given);
    if (model.kind != Model::hamiltonian || model.constrained()) return {};
    const Expr a_rate = rate(model);
    model.q.push_back({"action", model.graph->symbol("action so far")});
    model.v.push_back({"action'", model.graph->symbol("rate of the action so far")});
    model.p.push_back({"p_action", model.graph->symbol("momentum of the action")});
    model.function = model.function + model.p[model.p.size() - 1].value * a_rate;
    model.q0.push_back(0), model.p0.push_back(0), model.v0.clear(), model.symmetries.clear(), model.sections.clear();
    if (model.control) model.control->dynamics.push_back({"action", Expr(0)});
    const CompiledMethod compiled = compile(model, method);
    Stepper<T> stepper(compiled);
    Tangent<T> tangent(compiled);
    if (!stepper.start(report, h)) return {};
    const std::vector<T> first = stepper.state();
    const std::size_t all = first.size(), n = all / 2 - 1, momenta = n + 1; // of (q, a, p, p_a)
    Matrix<T> flow(all, all);
    for (std::size_t i = 0; i < all; ++i) flow(i, i) = 1;
    for (int k = 0; k < steps; ++k) {
        if (!tangent.advance(stepper, k, h, report)) return {};
        flow = product(tangent.state(), flow);
    }
    const std::vector<T> last = stepper.state();
    T worst = 0;
    for (std::size_t j = 0; j < all; ++j) {
        if (j == n || j == all - 1) continue; // a and p_a
        T dS = -flow(n, j), wanted = j < n ? first[momenta + j] : T(0), size = 1;
        for (std::size_t i = 0; i < n; ++i) {
            const T along_q = last[momenta + i] * flow(i, j), along_p = last[i] * flow(momenta + i, j);
            dS += along_q + along_p, wanted += along_p;
            size = std::max({size, real::abs(along_q), real::abs(along_p)});
        }
        worst = std::max(worst, real::abs(dS - wanted) / size);
    }
    return worst;
}

template std::optional<double> action_defect(const Model&, const std::string&, double, int, Report&,
                                             const std::function<Expr(const Model&)>&);
template std::optional<quad> action_defect(const Model&, const std::string&, quad, int, Report&,
                                           const std::function<Expr(const Model&)>&);

} // namespace rattleback
