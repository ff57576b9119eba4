#include "scheme/iteration.hpp"

namespace rattleback {

std::string iteration_of(const Method& method) {
    const std::string option = ":iteration=";
    if (const std::size_t at = method.text.find(option); at != std::string::npos) {
        const std::size_t begin = at + option.size();
        return method.text.substr(begin, method.text.find(':', begin) - begin);
    }
    for (const Scheme* scheme : all_schemes())
        for (const OptionInfo& o : scheme->options)
            if (scheme->id == method.id && o.name == "iteration") return o.fallback;
    return "newton";
}

OptionInfo iteration_tol_option() {
    return {"iteration_tol", "0",
            "of iteration=fixed: what iterations may leave, relative to the largest slope, for short runs; 0: nothing "
            "that adds up"};
}

void check_iteration_tol(const Options& options) {
    if (!options.has("iteration_tol")) return;
    const quad tolerance = options.number("iteration_tol", 0);
    const std::string iteration = options.word("iteration", "auto");
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
