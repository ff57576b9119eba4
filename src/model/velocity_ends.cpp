// Velocities that are given at an end, or at the start of a run, where the state has only those that constraints leave:
// v = B w + d is solved for w, and refused where no w has these velocities.
#include <algorithm>
#include <cmath>

#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr double dependent = 1e-9; // what is left of a row, relative to it
constexpr double largest_miss = 1e-10;

using Doubles = std::vector<double>;

double dot(const Doubles& a, const Doubles& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

} // namespace

// B and d of one velocity at an end, where they are numbers; the velocities are linear in w.
std::optional<std::pair<std::vector<double>, double>>
Reader::velocity_at(std::size_t i, const std::vector<std::optional<quad>>& q, std::optional<quad> t, bool sampled) {
    const Vec none = zeros_like(left_velocities_);
    Vec leaves, numbers;
    for (std::size_t k = 0; k < velocities_.size(); ++k)
        if (q[k] || sampled) {
            leaves.push_back(model_.q[k]);
            numbers.push_back({"", q[k] ? Expr(*q[k]) : Expr(std::sin(1 + 1.7 * static_cast<double>(k)))});
        }
    if (t || sampled) leaves.push_back(model_.time_vec()[0]), numbers.push_back({"", Expr(t.value_or(0))});
    const auto number = [&](const Expr& f) {
        const Expr at = leaves.empty() ? f : substitute(f, {{leaves, numbers}});
        return (at.graph() ? scope_.with_numbers(at) : at).constant();
    };
    const std::optional<quad> d = number(substitute(velocities_[i].value, {{left_velocities_, none}}));
    if (!d) return {};
    Doubles row;
    for (const Component& c : gradient(velocities_[i].value, left_velocities_)) {
        const std::optional<quad> entry = number(c.value);
        if (!entry) return {};
        row.push_back(static_cast<double>(*entry));
    }
    return std::pair(row, static_cast<double>(*d));
}

// w with B w = v - d for the velocities that are given, by Gram and Schmidt; those that w does not contain are nothing.
// `determined`: of the given ones, those that are not linear combinations of others.
Reader::LeftVelocities Reader::solve_for_left(const std::vector<GivenVelocity>& given,
                                              const std::vector<std::pair<std::vector<double>, double>>& rows) const {
    const std::size_t k = left_velocities_.size();
    LeftVelocities found;
    std::vector<Doubles> basis;
    std::vector<double> along; // of w, on each vector of the basis
    for (std::size_t r = 0; r < given.size(); ++r) {
        Doubles left = rows[r].first;
        double value = static_cast<double>(given[r].number.value_or(0)) - rows[r].second;
        for (std::size_t i = 0; i < basis.size(); ++i) {
            const double part = dot(left, basis[i]);
            for (std::size_t j = 0; j < k; ++j) left[j] -= part * basis[i][j];
            value -= part * along[i];
        }
        const double length = std::sqrt(dot(left, left)), size = std::sqrt(dot(rows[r].first, rows[r].first));
        if (length <= dependent * std::max(1.0, size)) {
            found.miss = std::max(found.miss, std::abs(value));
            continue;
        }
        for (double& x : left) x /= length;
        basis.push_back(left), along.push_back(value / length), found.independent.push_back(r);
    }
    found.w.assign(k, 0);
    for (std::size_t i = 0; i < basis.size(); ++i)
        for (std::size_t j = 0; j < k; ++j) found.w[j] += along[i] * basis[i][j];
    return found;
}

void Reader::refuse_velocities(Range at, double miss) const {
    fail(at, "no velocity that the constraints allow has these components: they miss by " + real::to_text(miss, 4),
         "leave out those that follow from the others");
}

// At an end: numbers for w where those given determine it, else formulas that vanish there.
void Reader::read_end_velocities(const Value& from, const std::string& what, std::vector<std::optional<quad>>& values,
                                 Vec& set) {
    std::vector<GivenVelocity> given;
    const std::size_t n = velocities_.size(), k = left_velocities_.size();
    by_coordinate(from, model_.q, [&](const Entry& e, const Target& target) {
        if (target.place >= n) fail(e.key_range, "v is a table of coordinates", "write { x = 0 }");
        const FormulaText text = text_of(e.value, what.c_str());
        const Parsed p = parse(text);
        const Expr value = scalar(p);
        GivenVelocity one{target.place, value, {}, std::string(e.key) + "' - (" + p.tree.text + ")"};
        if (scope_.contents(value).now)
            require_positions(p, value, what);
        else
            one.number = number(text), one.value = Expr(*one.number);
        given.push_back(one);
    });
    const bool numbers = std::all_of(given.begin(), given.end(), [](const auto& g) { return g.number.has_value(); });
    const bool rest = std::all_of(given.begin(), given.end(), [](const auto& g) { return g.number == quad(0); });
    std::vector<std::pair<Doubles, double>> rows;
    bool known = numbers;
    for (const GivenVelocity& g : given) {
        auto row = velocity_at(g.place, values, {}, false);
        known &= row.has_value();
        if (!row) row = velocity_at(g.place, values, {}, true);
        rows.push_back(row.value_or(std::pair(Doubles(k, 0.0), 0.0)));
    }
    const LeftVelocities found = solve_for_left(given, rows);
    if (known && found.miss > largest_miss) refuse_velocities(from.range(), found.miss);
    const bool at_rest = rest && std::all_of(rows.begin(), rows.end(), [](const auto& r) { return r.second == 0; });
    if ((known || at_rest) && found.independent.size() == k) {
        for (std::size_t j = 0; j < k; ++j) values[n + j] = static_cast<quad>(known ? found.w[j] : 0.0);
        return;
    }
    for (std::size_t r = 0; r < given.size(); ++r) {
        const bool needed = !(known || at_rest) ||
                            std::find(found.independent.begin(), found.independent.end(), r) != found.independent.end();
        if (needed) set.push_back({given[r].text, velocities_[given[r].place].value - given[r].value});
    }
}

// At the start of a run.
std::vector<quad> Reader::left_velocities_at_start(const std::vector<quad>& q, const std::vector<quad>& v, Range at) {
    std::vector<GivenVelocity> given;
    std::vector<std::pair<Doubles, double>> rows;
    const std::vector<std::optional<quad>> place(q.begin(), q.end());
    for (std::size_t i = 0; i < velocities_.size(); ++i) {
        given.push_back({i, Expr(v[i]), v[i], {}});
        const auto row = velocity_at(i, place, model_.t0, false);
        if (!row) fail(at, "the velocity constraints have no values at the start", "start elsewhere");
        rows.push_back(*row);
    }
    const LeftVelocities found = solve_for_left(given, rows);
    if (found.miss > largest_miss) refuse_velocities(at, found.miss);
    return {found.w.begin(), found.w.end()};
}

} // namespace rattleback::model
