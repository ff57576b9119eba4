// Initial data on constraints: checked, projected on request, completed by multipliers.
#include "run/initial.hpp"

#include "expr/graph.hpp"
#include "expr/terms.hpp"
#include "formulation/chain.hpp"
#include "solve/surface.hpp"

namespace rattleback {
template <class T>
bool variational_transform(const Model& model, const std::vector<T>& others, bool velocities, InitialData<T>& data,
                           Report& report) {
    const Variational sys(model);
    const Vec rest = time_and_parameter_leaves(model);
    std::vector<T> results;
    if (velocities) {
        if (data.lambda.empty() && model.lambda0.empty())
            throw BadRun("a variational problem that starts from velocities needs the multipliers too: they are part "
                         "of the initial data, " +
                         std::to_string(sys.lambda.count()) + (sys.lambda.count() == 1 ? " number" : " numbers") +
                         "\n  write lambda = [...] in [initial], or start from momenta p");
        if (data.lambda.empty()) data.lambda = to_scalars<T>(model.lambda0);
        const Equation momenta = sys.legendre()[0];
        return solve_once(
            System{model.graph, concat({model.q, model.v, sys.lambda, rest}), {{model.p, {}}}, {momenta}, model.p},
            {data.q, data.v, data.lambda, others}, data.p, report);
    }
    const System system{model.graph,
                        concat({model.q, model.p, rest}),
                        {{model.v, {}}, {sys.lambda, {}}},
                        sys.legendre(),
                        concat({model.v, sys.lambda})};
    if (!solve_once(system, {data.q, data.p, others}, results, report)) return false;
    const auto middle = results.begin() + model.v.count();
    data.v.assign(results.begin(), middle);
    data.lambda.assign(middle, results.end());
    for (std::size_t i = 0; i < model.lambda0.size(); ++i) { // given beside p: it must belong to it
        const T given = static_cast<T>(model.lambda0[i]);
        if (!(real::abs(data.lambda[i] - given) <= static_cast<T>(1e-9) * std::max(T(1), real::abs(given))))
            throw BadRun("the initial momenta determine lambda_" + std::to_string(i + 1) + " = " +
                         real::to_text(static_cast<quad>(data.lambda[i]), 17) + ", not " +
                         real::to_text(static_cast<quad>(given), 17) +
                         "\n  leave lambda out of [initial], or start from velocities v");
    }
    return true;
}

namespace {

template <class T> class Departures {
  public:
    Departures(const Model& model, const Vec& constraints, const std::vector<Data<T>>& data, Report& report)
        : model_(model), constraints_(constraints), data_(data), report_(report) {
        for (const Data<T>& d : data) leaves_ = concat({leaves_, d.leaves});
    }

    bool find(Departure<T>& worst) {
        std::vector<T> found;
        if (!evaluate(concat({constraints_, largest_terms(constraints_)}), found)) return false;
        const std::size_t m = found.size() / 2;
        std::vector<std::size_t> suspects;
        worst.largest = 0;
        for (std::size_t i = 0; i < m; ++i) {
            const T relative = found[i] == 0 ? T(0) : real::abs(found[i]) / found[m + i];
            if (!(relative <= worst.largest)) worst.largest = relative;
            if (!(relative <= static_cast<T>(solve::on_surface))) suspects.push_back(i);
        }
        if (suspects.empty()) return true;
        std::vector<T> rounding;
        if (!roundings(suspects, rounding)) return false;
        T most = 1;
        for (std::size_t k = 0; k < suspects.size(); ++k) {
            const T f = real::abs(found[suspects[k]]), terms = found[m + suspects[k]];
            const T excess = f / (static_cast<T>(solve::on_surface) * terms + rounding[k]);
            if (excess <= most) continue;
            most = excess;
            worst = {expanded_names(constraints_)[suspects[k]], found[suspects[k]], f / terms, worst.largest};
        }
        return true;
    }

  private:
    bool evaluate(const Vec& results, std::vector<T>& found) {
        SystemSolver<T> solver(compile(System{model_.graph, leaves_, {}, {}, results}));
        T* at = solver.given();
        for (const Data<T>& d : data_) at = std::copy(d.values.begin(), d.values.end(), at);
        if (!solver.solve(report_)) return false;
        found.clear();
        for (std::size_t i = 0; i < solver.result_count(); ++i) found.push_back(solver.result(i));
        return true;
    }

    // What the rounding of the data can do to these constraints.
    bool roundings(const std::vector<std::size_t>& rows, std::vector<T>& allowed) {
        const std::vector<Expr> all = expand(constraints_);
        Vec chosen, slopes;
        for (std::size_t i : rows) chosen.push_back({"", all[i]});
        const std::vector<ScalarEntry> entries = expand(jacobian(chosen, leaves_), chosen, leaves_);
        for (const ScalarEntry& e : entries) slopes.push_back({"", e.value});
        std::vector<T> numbers, sizes;
        if (!evaluate(slopes, numbers)) return false;
        for (const Data<T>& d : data_) {
            T largest = 0;
            for (const T& x : d.values) largest = std::max(largest, real::abs(x));
            for (const T& x : d.values) sizes.push_back(d.alike ? largest : real::abs(x));
        }
        allowed.assign(rows.size(), T(0));
        for (std::size_t i = 0; i < entries.size(); ++i)
            allowed[entries[i].row] +=
                static_cast<T>(solve::in_data) * real::abs(numbers[i]) * sizes[entries[i].column];
        return true;
    }

    const Model& model_;
    const Vec& constraints_;
    const std::vector<Data<T>>& data_;
    Report& report_;
    Vec leaves_;
};

} // namespace

template <class T>
bool find_departure(const Model& model, const Vec& constraints, const std::vector<Data<T>>& data, Departure<T>& worst,
                    Report& report) {
    return Departures<T>(model, constraints, data, report).find(worst);
}

template <class T>
bool require_on_constraints(const Model& model, const std::vector<T>& others, const InitialData<T>& data, T& left,
                            Report& report) {
    const Vec hidden = named(rates_of(model.holonomic, model), "the rate of ");
    const Vec all = concat({model.holonomic, model.velocity, hidden, model.phase});
    Departure<T> worst;
    // Entries of a rotation are known as well as the largest of them: 1e-35 in place of 0 is no departure.
    const auto centre = others.end() - model.centre.count();
    if (!find_departure<T>(model, all,
                           {{model.q, data.q},
                            {model.v, data.v},
                            {model.p, data.p},
                            {concat({model.time_vec(), model.parameter_vec()}), {others.begin(), centre}, false},
                            {model.centre, {centre, others.end()}}},
                           worst, report))
        return false;
    if (!worst.name.empty())
        throw BadRun("the initial data are off the constraint " + worst.name + " = 0: " + worst.text() +
                     "\n  correct them, or use --project to move them onto the constraints");
    left = worst.largest;
    return true;
}

template <class T>
bool project_on_constraints(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report) {
    const Mechanics sys(model);
    const Vec rest = time_and_parameter_leaves(model);
    const Vec old = symbols_like(*model.graph, "given ", model.q),
              old_v = symbols_like(*model.graph, "given ", model.v);
    const Vec hidden = named(rates_of(model.holonomic, model), "the rate of ");
    if (!model.phase.empty()) throw BadRun("--project does not move data onto phase constraints; correct them by hand");
    // Of a Hamiltonian the momentum that belongs to the given velocity is an unknown at each q; data.p is close to it.
    const Vec old_p = sys.has_lagrangian() ? Vec() : symbols_like(*model.graph, "given ", model.p);
    const Vec P = sys.has_lagrangian() ? Vec() : symbols_like(*model.graph, "unmoved ", model.p);
    const std::vector<T> p = sys.has_lagrangian() ? std::vector<T>() : data.p;
    const Point unmoved{model.q, old_v, model.t, P};
    const auto solved = [&](System system, std::initializer_list<std::vector<T>> values, std::vector<T>& to) {
        if (!P.empty()) system.find.push_back({P, old_p}), system.equations.push_back(sys.legendre(unmoved));
        return solve_once(system, values, to, report);
    };
    if (!model.holonomic.empty()) {
        const Vec sigma = symbols_like(*model.graph, "multiplier of ", model.holonomic);
        const Vec normal = gradient(dot(sigma, model.holonomic), model.q); // M (q - given) = G^T sigma
        const System system{
            model.graph,
            concat({old, old_v, old_p, rest}),
            {{model.q, old}, {sigma, {}}},
            {sys.metric(unmoved, model.q - old, normal), model.holonomic == zeros_like(model.holonomic)},
            model.q};
        const std::vector<T> given = data.q;
        if (!solved(system, {given, data.v, p, others}, data.q)) return false;
    }
    const Vec phi = concat({model.velocity, hidden});
    const Vec lambda = symbols_like(*model.graph, "multiplier of ", phi);
    const Vec p_old = sys.at(sys.momentum(), unmoved);
    const Point moved{model.q, model.v, model.t, p_old - gradient(dot(lambda, phi), model.v)};
    const System system{model.graph,
                        concat({model.q, old_v, old_p, rest}),
                        {{model.v, old_v}, {lambda, {}}},
                        {sys.legendre(moved), phi == zeros_like(phi)},
                        model.v};
    const std::vector<T> given = data.v;
    return solved(system, {data.q, given, p, others}, data.v);
}

template <class T>
bool reach_phase_constraints(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report) {
    try {
        const DiracChain chain(model);
        const Vec old = symbols_like(*model.graph, "given ", chain.w),
                  sigma = symbols_like(*model.graph, "multiplier of ", chain.phi);
        const System system{
            model.graph,
            concat({old, chain.time, chain.parameters}),
            {{chain.w, old}, {sigma, {}}},
            {chain.w - old == gradient(dot(sigma, chain.phi), chain.w), chain.phi == zeros_like(chain.phi)},
            chain.w};
        std::vector<T> w = model.kind == Model::general ? data.z : data.q, moved;
        if (model.kind != Model::general) w.insert(w.end(), data.p.begin(), data.p.end());
        w.resize(static_cast<std::size_t>(chain.w.count()), T(0));
        if (!solve_once(system, {w, others}, moved, report)) return false;
        auto take = [at = moved.begin()](std::vector<T>& to) mutable {
            for (T& x : to) x = *at++;
        };
        if (model.kind == Model::general) return take(data.z), true;
        return take(data.q), take(data.p), true;
    } catch (const Error&) { return false; } // no such algorithm for this model, or equations without a structure
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template bool variational_transform(const Model&, const std::vector<T>&, bool, InitialData<T>&, Report&);          \
    template bool find_departure(const Model&, const Vec&, const std::vector<Data<T>>&, Departure<T>&, Report&);       \
    template bool require_on_constraints(const Model&, const std::vector<T>&, const InitialData<T>&, T&, Report&);     \
    template bool reach_phase_constraints(const Model&, const std::vector<T>&, InitialData<T>&, Report&);              \
    template bool project_on_constraints(const Model&, const std::vector<T>&, InitialData<T>&, Report&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
