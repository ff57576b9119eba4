// Initial data on constraints: checked, projected on request, completed by multipliers.
#include "run/initial.hpp"

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

template <class T>
bool require_on_constraints(const Model& model, const std::vector<T>& others, const InitialData<T>& data,
                            Report& report) {
    const Vec hidden = named(rates_of(model.holonomic, model), "the rate of ");
    const Vec all = concat({model.holonomic, model.velocity, hidden, model.phase});
    const std::vector<std::string> names = expanded_names(all);
    std::vector<T> residual;
    const Vec rest = time_and_parameter_leaves(model);
    if (!solve_once(System{model.graph, concat({model.q, model.v, model.p, rest}), {}, {}, all},
                    {data.q, data.v, data.p, others}, residual, report))
        return false;
    std::size_t worst = 0;
    for (std::size_t i = 1; i < residual.size(); ++i)
        if (!(real::abs(residual[i]) <= real::abs(residual[worst]))) worst = i;
    if (!(real::abs(residual[worst]) <= static_cast<T>(1e-9)))
        throw BadRun("the initial data are off the constraint " + names[worst] + " = 0: the residual is " +
                     real::to_text(static_cast<quad>(residual[worst]), 3) +
                     "\n  correct them, or use --project to move them onto the constraints");
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

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template bool variational_transform(const Model&, const std::vector<T>&, bool, InitialData<T>&, Report&);          \
    template bool require_on_constraints(const Model&, const std::vector<T>&, const InitialData<T>&, Report&);         \
    template bool project_on_constraints(const Model&, const std::vector<T>&, InitialData<T>&, Report&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
