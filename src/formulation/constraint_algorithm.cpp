#include "formulation/constraint_algorithm.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "formulation/independent_rows.hpp"
#include "solve/surface.hpp"

namespace rattleback {
namespace {

constexpr int most_levels = 12, places = 4;
constexpr double negligible = 1e-8; // beside what it is elsewhere
constexpr double round_off = 1e-12; // of the terms it is made of

Vec one() { return Vec({{"t", Expr(1)}}); }

double largest(const std::vector<double>& x) {
    double result = 0;
    for (double a : x) result = std::max(result, std::abs(a));
    return result;
}

Vec unnamed(const std::vector<Expr>& formulas) {
    Vec result;
    for (const Expr& e : formulas) result.push_back({"", e});
    return result;
}

Expr square(const Vec& x) { return dot(x, x); }
Expr length(const Vec& x) { return fn::sqrt(square(x)); }

std::string own_name(int level, std::size_t number) {
    return (level == 1 ? "psi" : "psi_" + std::to_string(level) + "_") + std::to_string(number);
}

} // namespace

ConstraintAlgorithm::ConstraintAlgorithm(ConstrainedHamiltonian given) : ConstrainedHamiltonian(std::move(given)) {
    for (const Component& c : primary) links.push_back({c.name, "given", 0}), phi.push_back(c);
    const auto dimension = [&] { return w.count() - static_cast<int>(phi.size()); };
    levels.push_back({dimension(), {}, {}});
    for (const Component& c : primary) levels[0].constraints.push_back(c.name);
    if (dimension() < 0)
        throw Unsuitable("there are " + std::to_string(phi.size()) + " constraints on " + std::to_string(w.count()) +
                         " variables: they cannot be independent\n  leave out those that follow from the others");
    solve::Surface surface(graph, primary, w, concat({time, parameters}));
    if (surface.evaluate(start, others) && !surface.unusual_size().empty()) throw Unsuitable(surface.unusual_size());
    require_regular(primary, primary);
    std::size_t known = 0; // rows that determine multipliers
    for (int level = 1;; ++level) {
        if (level > most_levels || dimension() < 0) // those without a value at the start may be too many
            throw Unsuitable("Dirac's algorithm does not end within " + std::to_string(level - 1) + " levels");
        const std::vector<Place> at = points();
        if (at.empty()) throw Unsuitable("contradictory constraints: no place was found near the start where all hold");
        const Determined by = determined(at);
        for (; known < by.rows.size(); ++known) levels.back().conditions.push_back(links[by.rows[known]].name);
        const Vec found = hidden(level, by, at);
        if (found.empty()) {
            for (std::size_t j = 0; j < primary.size(); ++j)
                if (std::find(by.columns.begin(), by.columns.end(), j) == by.columns.end())
                    arbitrary.push_back(primary[j].name);
            break;
        }
        add(found);
        levels.back().dimension = dimension();
    }
    classify();
}

std::vector<ConstraintAlgorithm::Place> ConstraintAlgorithm::around() const {
    std::vector<Place> found;
    for (int point = 0; point <= places; ++point) {
        Place x{start, others};
        const double size = 0.02 * point * std::max(1.0, largest(start));
        for (std::size_t k = 0; k < x.w.size(); ++k)
            x.w[k] += size * std::sin(1.0 + 2.0 * static_cast<double>(k) + 5.0 * point);
        x.others[0] += 0.137 * point; // what holds at one time need not hold later
        found.push_back(x);
    }
    return found;
}

std::vector<ConstraintAlgorithm::Place> ConstraintAlgorithm::places_on(const Vec& set) const {
    solve::Surface surface(graph, set, w, concat({time, parameters}));
    std::vector<int> all;
    for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    std::vector<Place> found;
    for (Place x : around())
        if (surface.reach(x.w, x.others, all)) found.push_back(x);
    return found;
}

std::vector<std::vector<double>> ConstraintAlgorithm::values(const Vec& f, const std::vector<Place>& at) const {
    SystemSolver<double> solver(compile(System{graph, concat({w, time, parameters}), {}, {}, f}));
    std::vector<std::vector<double>> all;
    for (const Place& x : at) {
        std::copy(x.others.begin(), x.others.end(), std::copy(x.w.begin(), x.w.end(), solver.given()));
        Report ignored;
        if (!solver.solve(ignored)) continue;
        all.emplace_back();
        for (std::size_t i = 0; i < solver.result_count(); ++i) all.back().push_back(solver.result(i));
    }
    return all;
}

std::vector<Expr> ConstraintAlgorithm::matrix(const Vec& a, const Vec& b) const {
    std::vector<Vec> fields;
    for (const Component& y : b) fields.push_back(field(y.value));
    std::vector<Expr> m;
    for (const Component& x : a)
        for (const Vec& f : fields) m.push_back(derivative_along(x.value, w, f));
    return m;
}

Vec ConstraintAlgorithm::rate(const Vec& a) const {
    return derivative_along(a, concat({w, time}), concat({field(H), one()}));
}

// x^2 = 0 has no gradient where it holds: then neither brackets nor Newton's method see it.
void ConstraintAlgorithm::require_regular(const Vec& added, const Vec& set) const {
    const std::vector<Place> at = places_on(set);
    for (const Component& c : added) {
        const Vec slope = unnamed({square(gradient(c.value, w))});
        double on = 0, beside = 0;
        for (const auto& x : values(slope, at)) on = std::max(on, std::sqrt(x[0]));
        for (const auto& x : values(slope, around())) beside = std::max(beside, std::sqrt(x[0]));
        // Newton's method stops where x^2 = 1e-12, 5e-5 of its slope 0.02 away.
        if (!at.empty() && on <= 1e-4 * beside)
            throw Unsuitable("the constraint " + c.name + " = " + to_text(c.value, 60) +
                             " has no gradient where it vanishes: Dirac's algorithm cannot go on\n  write the model "
                             "such that it is regular there, as x = 0 in place of x^2 = 0");
    }
}

// {a_i, b_j} at these places. What is nothing but round-off is 0: {a, a} need not cancel term by term.
std::vector<std::vector<double>> ConstraintAlgorithm::bracket_values(const Vec& a, const Vec& b,
                                                                     const std::vector<Place>& at) const {
    Vec wanted = unnamed(matrix(a, b));
    for (const Component& c : a) wanted.push_back({"", length(gradient(c.value, w))});
    for (const Component& c : b) wanted.push_back({"", length(gradient(c.value, w))});
    std::vector<std::vector<double>> all = values(wanted, at);
    const std::size_t m = a.size(), k = b.size();
    for (std::vector<double>& x : all) {
        for (std::size_t i = 0; i < m * k; ++i)
            if (std::abs(x[i]) <= round_off * x[m * k + i / k] * x[m * k + m + i % k]) x[i] = 0;
        x.resize(m * k);
    }
    return all;
}

// Multipliers that the conditions of all constraints so far determine, the oldest first.
ConstraintAlgorithm::Determined ConstraintAlgorithm::determined(const std::vector<Place>& at) const {
    const std::vector<std::vector<double>> numbers = bracket_values(phi, primary, at);
    if (numbers.empty()) throw Unsuitable("the brackets of the constraints have no value at the start");
    const std::size_t m = phi.size(), k = primary.size();
    Determined by;
    for (std::size_t point = 0; point < numbers.size(); ++point) {
        const std::vector<std::size_t> rows = independent_rows(numbers[point], m, k);
        if (point == 0) by.rows = rows;
        if (rows.size() != by.rows.size())
            throw Unsuitable("the rank of the brackets of the constraints is " + std::to_string(by.rows.size()) +
                             " at the start and " + std::to_string(rows.size()) +
                             " nearby: what is hidden changes there\n  start elsewhere");
    }
    std::vector<double> chosen(k * by.rows.size()); // transposed
    for (std::size_t i = 0; i < by.rows.size(); ++i)
        for (std::size_t j = 0; j < k; ++j) chosen[j * by.rows.size() + i] = numbers[0][by.rows[i] * k + j];
    by.columns = independent_rows(chosen, k, by.rows.size());
    return by;
}

// Those multipliers as formulas, the others 0.
Vec ConstraintAlgorithm::solved(const Determined& by) const {
    Vec rows, columns, result = zeros_like(primary);
    for (std::size_t i : by.rows) rows.push_back(phi[i]);
    for (std::size_t j : by.columns) columns.push_back(primary[j]);
    if (rows.empty()) return result;
    const std::vector<Expr> x = graph->solve(matrix(rows, columns), expand(-rate(rows)));
    for (std::size_t j = 0; j < by.columns.size(); ++j) result[by.columns[j]].value = x[j];
    return result;
}

// What the conditions that determine nothing say, where it does not hold already.
Vec ConstraintAlgorithm::hidden(int level, const Determined& by, const std::vector<Place>& at) {
    const Vec rates = rate(phi), multipliers = solved(by);
    const std::vector<Expr> brackets = matrix(phi, primary);
    const std::size_t k = primary.size();
    Vec found;
    for (std::size_t i = 0; i < phi.size(); ++i) {
        if (std::find(by.rows.begin(), by.rows.end(), i) != by.rows.end()) continue;
        Expr left = rates[i].value;
        Expr terms = length(gradient(phi[i].value, w)) * length(field(H));
        bool alone = true; // without multipliers
        for (std::size_t j = 0; j < k; ++j) {
            if (brackets[i * k + j].is(0) || multipliers[j].value.is(0)) continue;
            left = left + brackets[i * k + j] * multipliers[j].value;
            terms = terms + fn::abs(brackets[i * k + j] * multipliers[j].value);
            alone = false;
        }
        const Vec parts = unnamed({left, rates[i].value, square(gradient(left, w)), terms});
        double size = 0, slope = 0, beside = 0;
        for (const auto& x : values(parts, at))
            if (!(std::abs(x[0]) <= round_off * x[3])) size = std::max(size, std::abs(x[0]));
        for (const auto& x : values(parts, around()))
            beside = std::max({beside, std::abs(x[0]), std::abs(x[1])}), slope = std::max(slope, x[2]);
        if (size <= negligible * beside || size == 0) continue; // it holds where the others do
        const std::string origin = "{" + links[i].name + (alone ? ", H}" : ", H + mu . phi}");
        if (slope <= 1e-20 * size * size)
            throw Unsuitable("contradictory constraints: " + origin + " = " + real::to_text(size, 3) +
                             " must vanish, and does nowhere");
        found.push_back({origin, left});
    }
    Vec kept = independent(found);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        links.push_back({own_name(level, i + 1), kept[i].name, level});
        kept[i].name = links.back().name;
    }
    return kept;
}

// Of several that come at once some may follow from the others.
Vec ConstraintAlgorithm::independent(const Vec& candidates) const {
    if (candidates.empty()) return {};
    const Vec all = concat({phi, candidates});
    const std::vector<Place> at = places_on(all);
    if (at.empty()) {
        std::string names;
        for (const Component& c : candidates)
            names += (names.empty() ? "" : ", ") + c.name + " = " + to_text(c.value, 60);
        throw Unsuitable("contradictory constraints: no place was found near the start where those given hold and " +
                         names + " vanish" + (candidates.size() == 1 ? "es" : ""));
    }
    solve::Surface surface(graph, all, w, concat({time, parameters}));
    if (!surface.evaluate(at[0].w, at[0].others)) return candidates;
    const std::vector<std::size_t> rows =
        independent_rows(surface.gradients, all.size(), static_cast<std::size_t>(surface.dimension()));
    Vec kept, dropped;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        (std::find(rows.begin(), rows.end(), phi.size() + i) != rows.end() ? kept : dropped).push_back(candidates[i]);
    const Vec set = concat({phi, kept});
    require_regular(kept, all);
    if (dropped.empty()) return kept;
    const auto on = values(dropped, places_on(set)), off = values(dropped, around());
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        double size = 0, beside = 0;
        for (const auto& x : on) size = std::max(size, std::abs(x[i]));
        for (const auto& x : off) beside = std::max(beside, std::abs(x[i]));
        if (size > negligible * beside)
            throw Unsuitable(
                "the hidden constraint " + dropped[i].name + " = " + to_text(dropped[i].value, 60) +
                " has no gradient of its own where it vanishes: Dirac's algorithm cannot go on\n  write the "
                "model such that it is regular there, as x = 0 in place of x^2 = 0");
    }
    return kept;
}

void ConstraintAlgorithm::add(const Vec& found) {
    levels.emplace_back();
    for (const Component& c : found) {
        phi.push_back(c), levels.back().constraints.push_back(c.name);
        require_start(phi.size() - 1);
    }
}

void ConstraintAlgorithm::require_start(std::size_t i) {
    if (!off_start.empty()) return;
    solve::Surface surface(graph, Vec({phi[i]}), w, concat({time, parameters}));
    const bool exists = surface.evaluate(start, others);
    if (exists && surface.holds({0})) return;
    const double residual = exists ? surface.f[0] : NAN, relative = exists ? surface.of_terms(0) : NAN;
    const std::string formula = to_text(phi[i].value, 60);
    off_start = "the initial data are off the hidden constraint " + links[i].name + " = " + links[i].origin + " = " +
                (formula.ends_with("...") ? "" : formula + " = ") + "0: the residual is " +
                real::to_text(static_cast<quad>(residual), 3) + ", " + real::to_text(static_cast<quad>(relative), 3) +
                " of its largest term\n  correct them; check --brackets prints it";
}

// NOTE: where rows of an antisymmetric matrix are independent, and there are as many as its rank, so is the square
// that they cut out: the multipliers of these constraints are determined.
void ConstraintAlgorithm::classify() {
    const std::size_t m = phi.size();
    const std::vector<double> numbers = bracket_values(phi, phi, {points().front()}).at(0);
    for (std::size_t i : independent_rows(numbers, m, m)) links[i].second_class = true;
    const double small = negligible * largest(numbers);
    for (std::size_t i = 0; i < m; ++i)
        links[i].combined =
            !links[i].second_class && largest({numbers.begin() + static_cast<std::ptrdiff_t>(i * m),
                                               numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * m)}) > small;
}

Vec ConstraintAlgorithm::second_class() const {
    Vec chosen;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (links[i].second_class) chosen.push_back(phi[i]);
    return chosen;
}

Vec ConstraintAlgorithm::mu() const {
    Vec result = second_class();
    const std::vector<Expr> x = graph->solve(matrix(result, result), expand(-rate(result)));
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = {"mu of " + result[i].name, x[i]};
    return result;
}

Vec ConstraintAlgorithm::written_mu() const {
    Vec result = second_class();
    const std::size_t n = result.size();
    std::vector<Expr> a = matrix(result, result), b = expand(-rate(result));
    for (std::size_t k = 0; k < n; ++k) {
        Vec column;
        for (std::size_t i = k; i < n; ++i) column.push_back({"", a[i * n + k]});
        const std::vector<double> sizes = values(column, {points().front()}).at(0);
        std::size_t best = 0;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            if (std::abs(sizes[i]) > std::abs(sizes[best])) best = i;
        for (std::size_t j = 0; j < n && best > 0; ++j) std::swap(a[k * n + j], a[(k + best) * n + j]);
        if (best > 0) std::swap(b[k], b[k + best]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i * n + k].is(0)) continue;
            const Expr factor = a[i * n + k] / a[k * n + k];
            for (std::size_t j = k; j < n; ++j) a[i * n + j] = a[i * n + j] - factor * a[k * n + j];
            b[i] = b[i] - factor * b[k];
        }
    }
    for (std::size_t i = 0; i < n; ++i) result[i] = {"mu of " + result[i].name, b[i] / a[i * n + i]};
    return result;
}

FirstOrder ConstraintAlgorithm::hamiltonian() const {
    const Vec chosen = second_class();
    return {graph, w, {}, field(chosen.empty() ? H : H + dot(mu(), chosen)), {}, {}};
}

FirstOrder ConstraintAlgorithm::weak() const {
    const Vec chosen = second_class(), m = symbols_like(*graph, "mu of ", chosen);
    const Vec flow = field(chosen.empty() ? H : H + dot(m, chosen));
    FirstOrder result{graph, w, m, flow, {}, zeros_like(m)};
    if (!chosen.empty())
        result.algebraic.push_back(derivative_along(chosen, concat({w, time}), concat({flow, one()})) ==
                                   zeros_like(chosen));
    return result;
}

} // namespace rattleback
