#include "scheme/iteration_tol.hpp"

namespace rattleback {

OptionInfo iteration_tol_option() {
    return {"iteration_tol", "0",
            "of iteration=fixed: what iterations may leave, relative to the largest slope, for short runs; 0: nothing "
            "that adds up"};
}

void check_iteration_tol(const Options& options) {
    if (!options.has("iteration_tol")) return;
    const quad tolerance = options.number("iteration_tol", 0);
    const std::string iteration = options.word("iteration", "newton");
    if (iteration != "fixed" && iteration != "auto")
        throw BadMethod("option iteration_tol belongs to iterations of stages: it needs iteration=fixed or auto");
    if (!(tolerance >= 0) || !(tolerance <= quad(1) / 10000))
        throw BadMethod("option iteration_tol=" + options.values().at("iteration_tol") +
                        ": a number from 0 to 1e-4 is needed");
}

std::vector<Claim> kept_by_iterations(const Options& options, std::vector<Claim> claims) {
    if (options.number("iteration_tol", 0) == 0) return claims;
    for (Claim& c : claims) // what holds at nodes is solved for on its own, to round-off
        if (c.answer == Answer::yes && c.property != Property::constraint_exact &&
            c.property != Property::holonomic_exact)
            c.answer = Answer::unknown;
    return claims;
}

} // namespace rattleback
