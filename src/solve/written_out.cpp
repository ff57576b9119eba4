#include "solve/written_out.hpp"

#include "expr/expander.hpp"

namespace rattleback::solve {

System written_out(const System& system) {
    Expander expander(*system.graph);
    const auto scalars = [&](const Vec& of) {
        const std::vector<Expr> values = expander.members(of);
        const std::vector<std::string> names = expanded_names(of);
        Vec all;
        for (std::size_t i = 0; i < values.size(); ++i) all.push_back({names[i], values[i]});
        return all;
    };
    System result = system;
    result.given = scalars(system.given), result.results = scalars(system.results);
    for (Unknown& u : result.find) {
        u.symbols = scalars(u.symbols), u.guess = scalars(u.guess);
        for (Expr& e : u.beside)
            if (e.graph()) e = expander.scalar(e);
    }
    for (Equation& e : result.equations) e.lhs = scalars(e.lhs), e.rhs = scalars(e.rhs);
    return result;
}

} // namespace rattleback::solve
