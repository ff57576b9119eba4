#include "formulation/chain.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "formulation/dirac.hpp"
#include "formulation/general_hamiltonian.hpp"
#include "model/copy.hpp"
#include "solve/surface.hpp"

namespace rattleback {

std::vector<double> time_and_parameters(const Model& model) {
    return other_values(model, static_cast<double>(model.t0));
}

namespace {

// (q, p) at the start; p = L_v where only v is given.
std::vector<double> mechanical_start(const Mechanics& sys) {
    const Model& m = sys.model;
    std::vector<double> start(m.q0.begin(), m.q0.end());
    start.insert(start.end(), m.p0.begin(), m.p0.end());
    if (!m.p0.empty()) return start;
    if (!sys.has_lagrangian()) throw Unsuitable("Dirac's algorithm starts from momenta; give p in [initial]");
    SystemSolver<double> solver(compile(System{m.graph, concat({sys.q, sys.v, m.others()}), {}, {}, sys.momentum()}));
    double* to = std::copy(start.begin(), start.end(), solver.given());
    for (quad x : m.v0) *to++ = static_cast<double>(x);
    for (double x : time_and_parameters(m)) *to++ = x;
    Report report;
    if (!solver.solve(report)) throw Unsuitable("the model cannot start: " + report.text());
    for (std::size_t i = 0; i < solver.result_count(); ++i) start.push_back(solver.result(i));
    return start;
}

void add_numbered(const std::string& name, const Vec& formulas, Vec& to) {
    int number = 0;
    for (const Component& c : scalars(formulas)) to.push_back({name + std::to_string(++number), c.value});
}

ConstrainedHamiltonian mechanical(const Model& m) {
    if (m.holonomic.empty() && m.phase.empty())
        throw Unsuitable("Dirac's algorithm needs holonomic or phase constraints");
    if (!m.velocity.empty()) throw Unsuitable("Dirac's algorithm takes no constraints on velocities");
    if (!m.force.empty()) throw Unsuitable("Dirac's algorithm takes no forces: the equations are Hamilton's");
    const Mechanics sys(m);
    const Vec q = sys.q, p = sys.p;
    ConstrainedHamiltonian h{m.graph,
                             concat({q, p}),
                             [q, p](const Expr& f) {
                                 return concat({gradient(f, p), -gradient(f, q)});
                             },
                             hamiltonian_of(sys),
                             {},
                             m.time_vec(),
                             concat({m.parameter_vec(), m.centre}),
                             mechanical_start(sys),
                             time_and_parameters(m)};
    add_numbered("g", m.holonomic, h.primary), add_numbered("phi", m.phase, h.primary);
    return h;
}

// z' = B grad f + N f_pi, pi' = -N^T grad f, where B is the inverse of J on the coordinates that J is regular on.
Vec general_field(const GeneralHamiltonian& sys, const Vec& z, const Vec& pi, const Expr& f) {
    const Vec slope = gradient(f, z), across = gradient(f, pi);
    const std::vector<quad> inverse = sys.inverse();
    const std::size_t r = sys.chosen.size(), k = pi.size();
    Vec result = concat({zeros_like(z), zeros_like(pi)});
    const auto add = [&](std::size_t to, quad factor, const Expr& e) {
        if (factor != 0 && !e.is(0)) result[to].value = result[to].value + Expr(factor) * e;
    };
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = 0; j < r; ++j)
            add(static_cast<std::size_t>(sys.chosen[i]), inverse[i * r + j],
                slope[static_cast<std::size_t>(sys.chosen[j])].value);
    for (std::size_t i = 0; i < z.size(); ++i)
        for (std::size_t j = 0; j < k; ++j) {
            add(i, sys.kernel[i * k + j], across[j].value);
            add(z.size() + j, -sys.kernel[i * k + j], slope[i].value);
        }
    return result;
}

// Components that are left out follow from N^T grad H = 0 where that determines them.
std::vector<double> general_start(const GeneralHamiltonian& sys) {
    const Model& m = sys.model;
    std::vector<double> start;
    Vec open, known;
    for (std::size_t i = 0; i < m.z.size(); ++i) {
        const bool given = i >= m.z_given.size() || m.z_given[i];
        (given ? known : open).push_back(m.z[i]);
        if (given) start.push_back(static_cast<double>(m.z0[i]));
    }
    if (open.empty()) return start;
    const Vec conditions = sys.multiplier_equations();
    solve::Surface surface(m.graph, conditions, open, concat({known, m.others()}));
    std::vector<double> found(open.size(), 0.0), others = start;
    for (double x : time_and_parameters(m)) others.push_back(x);
    std::vector<int> all;
    for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    for (double guess : {0.0, 1.0, -1.0, 10.0, -10.0}) { // 0 may be where the slopes vanish
        found.assign(open.size(), guess);
        if (surface.reach(found, others, all)) break;
    }
    std::vector<double> whole;
    for (std::size_t i = 0, a = 0, b = 0; i < m.z.size(); ++i)
        whole.push_back(i >= m.z_given.size() || m.z_given[i] ? start[a++] : found[b++]);
    return whole;
}

ConstrainedHamiltonian general(const Model& m) {
    const auto sys = std::make_shared<const GeneralHamiltonian>(m);
    if (sys->nullity() == 0 && m.phase.empty())
        throw Unsuitable("J is regular and there are no constraints: Dirac's algorithm finds nothing; gauss fits");
    Vec pi;
    for (const Component& y : sys->y) pi.push_back({"momentum of " + y.name, m.graph->symbol("momentum of " + y.name)});
    const Vec z = m.z;
    ConstrainedHamiltonian h{m.graph,
                             concat({z, pi}),
                             [sys, z, pi](const Expr& f) { return general_field(*sys, z, pi, f); },
                             m.function,
                             {},
                             m.time_vec(),
                             m.parameter_vec(),
                             general_start(*sys),
                             time_and_parameters(m)};
    h.start.resize(h.w.size(), 0.0);
    add_numbered("pi", pi, h.primary), add_numbered("phi", m.phase, h.primary);
    return h;
}

} // namespace

std::vector<std::size_t> singular_inputs(const Model& m) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; m.control && i < m.inputs.size(); ++i)
        if (m.inputs[i].formula == m.control->inputs[i].value) all.push_back(i);
    return all;
}

namespace {

// Places that are in no way special, between the ends.
void choose_start(Model& m, int place) {
    const auto n = static_cast<std::size_t>(m.q.count());
    m.q0.assign(n, 0), m.p0.assign(n, 0), m.v0.clear(), m.has_start = true;
    for (std::size_t i = 0; i < n; ++i) {
        std::optional<quad> a, b;
        if (m.boundary && !m.boundary->periodic) a = m.boundary->from[i], b = m.boundary->to[i];
        const quad middle = a && b ? (*a + *b) / 2 : a ? *a : b ? *b : quad(0);
        const double k = static_cast<double>(i) + 3.0 * place;
        m.q0[i] = middle + static_cast<quad>(0.3 * std::sin(1.0 + 2.0 * k));
        m.p0[i] = static_cast<quad>(0.7 * std::cos(2.0 + 3.0 * k));
    }
}

void require_determined(const Model& m, const DiracChain& chain) {
    const std::vector<std::size_t> singular = singular_inputs(m);
    for (std::size_t k = 0; k < singular.size(); ++k)
        if (std::find(chain.arbitrary.begin(), chain.arbitrary.end(), chain.primary[k].name) != chain.arbitrary.end())
            throw Unsuitable("the input '" + m.inputs[singular[k]].name + "' is not determined: neither H_" +
                             m.inputs[singular[k]].name +
                             " = 0 nor what it hides contains it, and the last set of the chain is not symplectic\n  " +
                             "check --brackets prints the chain; a cost that grows with the input determines it");
}

} // namespace

Model with_start_for_chain(const Model& m) {
    constexpr int places = 6;
    std::string why;
    for (int place = m.has_start && !m.p0.empty() ? -1 : 0; place < places; ++place) {
        Model tried = deep_copy(m);
        if (place >= 0) choose_start(tried, place);
        try {
            require_determined(tried, DiracChain(tried));
            return tried;
        } catch (const Unsuitable& e) {
            if (why.empty()) why = e.what();
        }
    }
    throw Unsuitable(why);
}

void put_in_singular_inputs(Model& m) {
    const std::vector<std::size_t> singular = singular_inputs(m);
    if (singular.empty()) return;
    const DiracChain chain(m);
    require_determined(m, chain);
    Vec leaves, found;
    const Vec mu = chain.written_mu();
    for (std::size_t k = 0; k < singular.size(); ++k)
        for (const Component& each : mu)
            if (each.name == "mu of " + chain.primary[k].name)
                leaves.push_back(m.control->inputs[singular[k]]), found.push_back(each);
    for (NamedFormula& u : m.inputs) u.formula = substitute(u.formula, {{leaves, found}});
    for (NamedFormula& o : m.observables) o.formula = substitute(o.formula, {{leaves, found}});
}

DiracChain::DiracChain(const Model& m)
    : ConstraintAlgorithm(m.kind == Model::general ? general(m) : mechanical(m)), model(m) {
    for (std::size_t i = 0; i < w.size() - model.z.size() && model.kind == Model::general; ++i)
        links[i].origin = "of the kernel of J";
}

} // namespace rattleback
