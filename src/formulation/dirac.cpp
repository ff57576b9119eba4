#include "formulation/dirac.hpp"

#include <algorithm>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

// A w = b for a symmetric A as formulas, by L D L^T without pivoting: mass matrices and G M^-1 G^T are definite. An
// unknown for w, as Graph::solve makes, would need a first guess where w divides something.
std::vector<Expr> solved_symmetric(std::vector<Expr> A, std::vector<Expr> b) {
    const std::size_t n = b.size();
    const auto at = [&](std::size_t i, std::size_t j) -> Expr& { return A[i * n + j]; };
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            if (at(i, k).is(0)) continue;
            const Expr factor = at(i, k) / at(k, k);
            for (std::size_t j = k + 1; j < n; ++j) at(i, j) = at(i, j) - factor * at(k, j);
            b[i] = b[i] - factor * b[k];
        }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) b[i] = b[i] - at(i, j) * b[j];
        b[i] = b[i] / at(i, i);
    }
    return b;
}

} // namespace

// Of a Lagrangian that is quadratic in v: v from M(t, q) v = p - L_v(t, q, 0).
Expr hamiltonian_of(const Mechanics& sys) {
    if (!sys.has_lagrangian()) return sys.model.function;
    for (const Component& c :
         sys.v) // NOTE: before M is written out: check asks every method, also with 100,000 members
        if (c.family) throw Unsuitable("this method takes no families of coordinates");
    if (!jacobian(derivative_along(sys.momentum(), sys.v, symbols_like(sys.graph, "any ", sys.v)), sys.v).empty())
        throw Unsuitable("this method needs a Hamiltonian, or a Lagrangian that is quadratic in the velocities");
    const Vec L_v = sys.momentum(), zero = zeros_like(sys.v);
    const Vec right = sys.p - substitute(L_v, {{sys.v, zero}});
    const auto n = static_cast<std::size_t>(sys.q.count());
    std::vector<Expr> M(n * n, Expr(0));
    for (const ScalarEntry& e : expand(jacobian(L_v, sys.v), L_v, sys.v)) M[e.row * n + e.column] = e.value;
    const std::vector<Expr> w = solved_symmetric(M, expand(right));
    Vec v = sys.v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i].value = w[i];
    return substitute(sys.energy(), {{sys.v, v}});
}

Vec scalars(const Vec& f) {
    Vec result;
    const std::vector<Expr> values = expand(f);
    const std::vector<std::string> names = expanded_names(f);
    for (std::size_t i = 0; i < values.size(); ++i) result.push_back({names[i], values[i]});
    return result;
}

namespace {

const Mechanics& with_holonomic(const Mechanics& sys) {
    if (sys.model.holonomic.empty()) throw Unsuitable("this method needs holonomic constraints");
    return sys;
}

} // namespace

Dirac::Dirac(const Model& m) : Mechanics(m), H(hamiltonian_of(with_holonomic(*this))), g(scalars(m.holonomic)) {
    if (!m.velocity.empty() || !m.phase.empty()) throw Unsuitable("this method takes holonomic constraints only");
    if (!m.force.empty()) throw Unsuitable("this method takes no forces: the equations are Hamilton's");
    psi = named(derivative_along(g, concat({q, m.time_vec()}), concat({gradient(H, p), Vec({{"t", Expr(1)}})})),
                "the rate of ");
}

Vec Dirac::bracket(const Vec& a, const Expr& b) const {
    return derivative_along(a, concat({q, p}), concat({gradient(b, p), -gradient(b, q)}));
}

std::vector<Expr> Dirac::matrix(const Vec& a, const Vec& b) const {
    std::vector<Expr> m(a.size() * b.size(), Expr(0));
    for (std::size_t j = 0; j < b.size(); ++j) {
        const Vec column = bracket(a, b[j].value);
        for (std::size_t i = 0; i < a.size(); ++i) m[i * b.size() + j] = column[i].value;
    }
    return m;
}

Vec Dirac::solved(const std::vector<Expr>& m, const Vec& right, const char* name) const {
    Vec result = right;
    const std::vector<Expr> x = solved_symmetric(m, expand(right));
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = {name + std::to_string(i + 1), x[i]};
    return result;
}

Vec Dirac::eta(quad alpha) const { return solved(matrix(g, psi), Expr(alpha) * g - psi, "eta"); }

Vec Dirac::weak_eta(quad alpha) const {
    return alpha == 0 ? zeros_like(psi) : solved(matrix(g, psi), Expr(alpha) * g, "eta");
}

Vec Dirac::mu(const Vec& with_eta) const {
    Vec right = -bracket(psi, H) - derivative_along(psi, model.time_vec(), Vec({{"t", Expr(1)}}));
    const std::vector<Expr> c = matrix(psi, psi);
    for (std::size_t i = 0; i < psi.size(); ++i)
        for (std::size_t j = 0; j < psi.size(); ++j)
            right[i].value = right[i].value - c[i * psi.size() + j] * with_eta[j].value;
    return solved(matrix(psi, g), right, "mu");
}

Expr Dirac::with(const Vec& eta) const { return H + dot(mu(eta), g) + dot(eta, psi); }

Expr Dirac::total(quad alpha) const { return with(eta(alpha)); }

Expr Dirac::simplified(quad alpha) const { return with(weak_eta(alpha)); }

Expr Dirac::linear() const {
    if (!jacobian(derivative_along(g, q, symbols_like(graph, "any ", q)), q).empty())
        throw Unsuitable("this method needs constraints that are linear in q");
    if (!jacobian(g, model.time_vec()).empty())
        throw Unsuitable("this method needs constraints that do not depend on t");
    const Vec direction = symbols_like(graph, "any ", g), along = gradient(dot(direction, g), q);
    if (!jacobian(gradient(H, p), q).empty()) throw Unsuitable("this method needs a metric that does not depend on q");
    const Vec nu = solved(matrix(g, psi), g, "nu"); // {g, psi} = G M^-1 G^T
    const Vec shift = substitute(derivative_along(gradient(H, p), p, along), {{direction, nu}});
    return substitute(H, {{q, q - shift}});
}

Vec Dirac::field(const Expr& hamiltonian) const {
    return concat({gradient(hamiltonian, p), -gradient(hamiltonian, q)});
}

Vec Dirac::field(const Vec& mu, const Vec& eta) const {
    const Vec m = symbols_like(graph, "mu of ", g), e = symbols_like(graph, "eta of ", psi);
    return substitute(field(H + dot(m, g) + dot(e, psi)), {{m, mu}, {e, eta}});
}

FirstOrder Dirac::hamiltonian(const Expr& total) const {
    return {model.graph, concat({q, p}), {}, field(total), {}, {}};
}

FirstOrder Dirac::weak(quad alpha) const {
    // With leaves for mu and eta the conditions on them say how g and psi change along the flow.
    const Vec m = symbols_like(graph, "mu of ", g), e = symbols_like(graph, "eta of ", psi);
    const Vec rate = field(m, e), one({{"t", Expr(1)}});
    const auto change = [&](const Vec& f) {
        return derivative_along(f, concat({q, p, model.time_vec()}), concat({rate, one}));
    };
    return {model.graph,
            concat({q, p}),
            concat({m, e}),
            rate,
            {change(g) == Expr(alpha) * g, change(psi) == zeros_like(psi)},
            concat({zeros_like(m), zeros_like(e)})};
}

} // namespace rattleback
