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
    if (!sys.has_lagrangian())
        throw BadRun("--project needs a Lagrangian, for its metric; this model gives a Hamiltonian");
    if (!model.holonomic.empty()) {
        const Vec sigma = symbols_like(*model.graph, "multiplier of ", model.holonomic);
        const Vec metric = derivative_along(sys.momentum(), model.v, model.q - old); // M (q - given)
        const auto here = [&](const Vec& f) { return substitute(f, {{model.v, old_v}}); };
        const System system{model.graph,
                            concat({old, old_v, rest}),
                            {{model.q, old}, {sigma, {}}},
                            {here(metric) == gradient(dot(sigma, model.holonomic), model.q),
                             model.holonomic == zeros_like(model.holonomic)},
                            model.q};
        const std::vector<T> given = data.q;
        if (!solve_once(system, {given, data.v, others}, data.q, report)) return false;
    }
    const Vec phi = concat({model.velocity, hidden});
    const Vec lambda = symbols_like(*model.graph, "multiplier of ", phi);
    const Vec p_old = substitute(sys.momentum(), {{model.v, old_v}});
    const System system{model.graph,
                        concat({model.q, old_v, rest}),
                        {{model.v, old_v}, {lambda, {}}},
                        {sys.momentum() == p_old - gradient(dot(lambda, phi), model.v), phi == zeros_like(phi)},
                        model.v};
    const std::vector<T> given = data.v;
    return solve_once(system, {data.q, given, others}, data.v, report);
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template bool variational_transform(const Model&, const std::vector<T>&, bool, InitialData<T>&, Report&);          \
    template bool require_on_constraints(const Model&, const std::vector<T>&, const InitialData<T>&, Report&);         \
    template bool project_on_constraints(const Model&, const std::vector<T>&, InitialData<T>&, Report&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
