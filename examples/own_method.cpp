// A method of one's own: symplectic Euler, p1 = p0 - h H_q(q0, p1), q1 = q0 + h H_p(q0, p1), as its equations. From
// them come the step, its Jacobian and its tangent map; what it claims is measured like the claims of any other method.
#include <rattleback/rattleback.hpp>

#include <cstdio>

using namespace rattleback;

Method symplectic_euler(const Model& model, const Options&) {
    if (model.kind != Model::hamiltonian || model.constrained())
        throw Unsuitable("this method takes Hamiltonians without constraints");
    const Mechanics sys(model);
    const Expr h = step_size(model);
    const Vec p1 = symbols_like(*model.graph, "next ", model.p);
    const auto at_p1 = [&](const Vec& f) { return substitute(f, {{model.p, p1}}); };
    Step step{.graph = model.graph, .state = concat({model.q, model.p}), .h = h, .t = model.t};
    step.find = {{p1, model.p}}; // Newton starts from the momenta there are
    step.equations = {p1 == model.p - h * at_p1(gradient(model.function, model.q))};
    step.increment = concat({h * at_p1(gradient(model.function, model.p)), p1 - model.p});
    carry_positions_and_momenta(step, sys, zeros_like(model.v));
    return {.id = "own_euler", .step = step, .order = 1};
}

int main() {
    const Scheme scheme{.id = "own_euler",
                        .title = "symplectic Euler",
                        .takes = "Hamiltonians without constraints",
                        .order = [](const Options&) { return 1; },
                        .claims = [](const Options&) -> std::vector<Claim> {
                            return {{Property::symplectic, Answer::yes, {}}, {Property::symmetric, Answer::no, {}}};
                        },
                        .build = symplectic_euler};
    register_scheme(scheme); // now a method like the others, by its id
    const Model model = read_model("coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"p_x^2/2 - cos(x)\"\n"
                                   "[initial]\nq = [1]\np = [0]\n",
                                   "pendulum.toml");
    const Run run = integrate(model, {.method = "own_euler", .step = 0.05, .until = 50});
    std::printf("x(50) = %.6f, largest energy error %.1e\n", run.q(run.t.size() - 1, 0), run.energy_error_max());
    const Verification found = verify(model, parse_methods("own_euler")[0], {.step = 0.05});
    for (const MeasuredClaim& c : found.claims)
        std::printf("%-12s claimed %-4s %s\n", c.name.c_str(), c.claimed.c_str(), to_text(c.verdict).data());
    return run.report().ok() && found.holds() ? 0 : 1;
}
