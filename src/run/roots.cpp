#include "run/roots.hpp"

#include <algorithm>
#include <cmath>

#include "solve/surface.hpp"

namespace rattleback {
namespace {

constexpr int most_unknowns = 20; // a search from each side of each of them

double largest(const std::vector<double>& x) {
    double size = 0;
    for (double value : x) size = std::max(size, std::abs(value));
    return size;
}

bool are_apart(const std::vector<double>& a, const std::vector<double>& b, double distance) {
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, std::abs(a[i] - b[i]));
    return !(apart <= distance);
}

// The surface f = 0 in the unknowns, searched for other values of the rest.
struct Search {
    Search(const Model& model, const Vec& f, const Vec& unknowns, const Vec& rest)
        : surface(model.graph, f, unknowns, concat({rest, time_and_parameter_leaves(model)})),
          others(time_and_parameters(model, static_cast<double>(model.t0))) {
        for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    }
    // Moves x to a solution; false: none was found.
    bool reach(std::vector<double>& x, std::vector<double> rest) {
        rest.insert(rest.end(), others.begin(), others.end());
        return surface.reach(x, rest, all);
    }

    solve::Surface surface;
    std::vector<double> others;
    std::vector<int> all;
};

// Whether all searches from around y that end do so at one place, and at least one does.
bool is_found_from_around(Search& search, const std::vector<double>& x, const std::vector<double>& y) {
    const double around = 0.1 * (1 + largest(y)), same = around / 10;
    std::vector<double> one;
    for (std::size_t j = 0; j <= y.size(); ++j) // each component, then all of them
        for (const double d : {around, -around}) {
            std::vector<double> from = y;
            for (std::size_t i = 0; i < y.size(); ++i)
                if (i == j || j == y.size()) from[i] += d;
            if (!search.reach(from, x)) continue;
            if (one.empty()) one = from;
            if (are_apart(one, from, same)) return false;
        }
    return !one.empty();
}

} // namespace

bool has_one_solution_nearby(const GeneralHamiltonian& sys, const InitialData<double>& at) {
    const Model& model = sys.model;
    if (sys.nullity() > most_unknowns) return false;
    std::vector<double> values;
    Report ignored;
    if (!solve_once(System{model.graph, model.z, {}, {}, concat({sys.x_of_z(), sys.y_of_z()})}, {at.z}, values,
                    ignored))
        return false;
    const auto middle = values.begin() + sys.rank();
    const std::vector<double> x(values.begin(), middle), y(middle, values.end());
    Search search(model, sys.first_order().algebraic[0].lhs, sys.y, sys.x);
    if (!is_found_from_around(search, x, y)) return false;
    for (int n = 0; n < 4; ++n)
        for (const double side : {1e-3, -1e-3}) {
            std::vector<double> beside = x;
            for (std::size_t i = 0; i < x.size(); ++i) // four directions, always the same
                beside[i] +=
                    side * (1 + std::abs(x[i])) * std::cos(static_cast<double>(n) + 2 * static_cast<double>(i));
            if (!is_found_from_around(search, beside, y)) return false;
        }
    return true;
}

std::string other_roots(const Model& model, const std::vector<double>& z) {
    Vec open, known;
    std::vector<double> taken, given;
    for (std::size_t i = 0; i < model.z.size(); ++i) {
        const bool is_given = i >= model.z_given.size() || model.z_given[i];
        (is_given ? known : open).push_back(model.z[i]);
        (is_given ? given : taken).push_back(z[i]);
    }
    if (open.empty() || open.size() > most_unknowns) return "";
    Search search(model, GeneralHamiltonian(model).multiplier_equations(), open, known);
    std::vector<std::vector<double>> roots{taken};
    for (const double guess : {-0.1, 0.1, -1.0, 1.0, -3.0, 3.0, -10.0, 10.0}) {
        std::vector<double> x(open.size(), guess);
        if (search.reach(x, given) && std::all_of(roots.begin(), roots.end(), [&](const std::vector<double>& r) {
                return are_apart(x, r, 1e-4 * std::max(1.0, largest(r)));
            }))
            roots.push_back(x);
    }
    if (roots.size() == 1) return "";
    const auto words = [&](const std::vector<double>& x) {
        std::string s;
        for (std::size_t i = 0; i < x.size(); ++i)
            s += (i ? ", " : "") + open[i].name + " = " + real::to_text(static_cast<quad>(x[i]), 12); // to be typed
        return s;
    };
    std::string list;
    for (std::size_t i = 1; i < roots.size(); ++i) list += (i > 1 ? "; " : "") + words(roots[i]);
    return "H_lambda = 0 has several roots: " + words(taken) + " is taken; others: " + list;
}

} // namespace rattleback
