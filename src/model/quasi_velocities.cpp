// Mechanics under control with velocity constraints A(t, q) v + b(t, q) = 0: the velocities that they leave are
// v = B(t, q) w + d(t, q), with as many w as directions are left, and the state is (q, w). D'Alembert's principle along
// the columns of B has no multipliers (Maggi):
//     B^T L_vv B w' = B^T (L_q + F - L_vq v - L_vt - L_vv (d/dt (B w + d) with w held))
// w are velocities themselves where some coordinates' have coefficients with a constant determinant; of r constraints
// on r + 1 velocities it is the factor of the one direction that they leave, which has no pole where A keeps its rank.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/each_formula.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr std::size_t most_choices = 500; // of velocities to solve for
constexpr int samples = 8;

using Rows = std::vector<std::size_t>;

// By the first row.
Expr determinant(const std::vector<Vec>& A, const Rows& rows, const Rows& columns) {
    if (rows.empty()) return 1;
    Expr sum = 0;
    const Rows others(rows.begin() + 1, rows.end());
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const Expr& factor = A[rows[0]][columns[j]].value;
        if (factor.is(0)) continue;
        Rows left = columns;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(j));
        const Expr term = factor * determinant(A, others, left);
        sum = j % 2 == 0 ? sum + term : sum - term;
    }
    return sum;
}

// Of n places so many; nothing where there are too many ways.
std::vector<Rows> choices(std::size_t n, std::size_t count) {
    std::vector<Rows> all;
    Rows now(count);
    std::iota(now.begin(), now.end(), 0);
    while (all.size() <= most_choices) {
        all.push_back(now);
        std::size_t i = count;
        while (i > 0 && now[i - 1] == n - count + i - 1) --i;
        if (i == 0) return all;
        ++now[i - 1];
        for (std::size_t k = i; k < count; ++k) now[k] = now[k - 1] + 1;
    }
    return {};
}

// Constraints that share a velocity.
std::vector<Rows> apart(const std::vector<Vec>& A) {
    Rows group(A.size());
    std::iota(group.begin(), group.end(), 0);
    for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            for (std::size_t j = 0; j < A[i].size(); ++j)
                if (!A[i][j].value.is(0) && !A[k][j].value.is(0) && group[i] != group[k])
                    std::replace(group.begin(), group.end(), std::max(group[i], group[k]),
                                 std::min(group[i], group[k]));
    std::vector<Rows> all(A.size());
    for (std::size_t i = 0; i < A.size(); ++i) all[group[i]].push_back(i);
    std::erase_if(all, [](const Rows& rows) { return rows.empty(); });
    return all;
}

} // namespace

// A formula of (t, q) at a place that is like others; 0: all coordinates are 0.
std::optional<quad> Reader::at_sample(const Expr& f, int number) {
    Vec place = model_.q, now = model_.time_vec();
    for (std::size_t i = 0; i < place.size(); ++i)
        place[i].value = Expr(number == 0 ? 0.0 : std::sin(1 + 1.7 * static_cast<double>(i) + 2.3 * number));
    now[0].value = Expr(number == 0 ? 0.0 : 0.3 * number);
    const Expr value = substitute(f, {{concat({model_.q, model_.time_vec()}), concat({place, now})}});
    return (value.graph() ? scope_.with_numbers(value) : value).constant();
}

// Of some velocities, which to solve for: those whose coefficients have a constant determinant; else those whose
// determinant stays away from 0 at the samples. Empty: it is 0 for all.
std::vector<std::size_t> Reader::dependent_velocities(const std::vector<Vec>& A, const std::vector<std::size_t>& rows,
                                                      const std::vector<std::size_t>& columns, bool& constant) {
    Rows best;
    double most = 1e-12;
    constant = false;
    for (const Rows& choice : choices(columns.size(), rows.size())) {
        Rows chosen;
        for (const std::size_t i : choice) chosen.push_back(columns[i]);
        const Expr det = determinant(A, rows, chosen);
        if (det.is(0)) continue;
        const Expr number = det.graph() ? scope_.with_numbers(det) : det;
        if (number.constant() && std::abs(static_cast<double>(*number.constant())) > 1e-12)
            return constant = true, chosen;
        double least = std::numeric_limits<double>::infinity();
        for (int s = 1; s <= samples; ++s)
            least = std::min(least, std::abs(static_cast<double>(at_sample(det, s).value_or(0))));
        if (least > most) most = least, best = chosen;
    }
    return best;
}

// The direction that r constraints leave to r + 1 velocities: its components are the minors of A.
void Reader::leave_one_direction(const std::vector<Vec>& A, const std::vector<std::size_t>& rows,
                                 const std::vector<std::size_t>& columns) {
    std::string name = "quasi_velocity";
    for (int k = 2; scope_.taken(name) || columns_.contains(name); ++k) name = "quasi_velocity_" + std::to_string(k);
    const Component w{name, graph_.symbol(name)};
    columns_.insert(name);
    left_velocities_.push_back(w);
    std::vector<Expr> direction;
    double along = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
        Rows others = columns;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
        const Expr minor = determinant(A, rows, others);
        direction.push_back(j % 2 == 0 ? minor : -minor);
        along += static_cast<double>(at_sample(direction[j], 0).value_or(0));
    }
    for (std::size_t j = 0; j < columns.size(); ++j)
        velocities_[columns[j]].value = (along < 0 ? -direction[j] : direction[j]) * w.value;
}

// velocities_: formulas of q, t and w = left_velocities_.
void Reader::choose_left_velocities(const Vec& constraints, Range header) {
    const std::size_t n = model_.q.size();
    const Vec none = zeros_like(model_.v);
    std::vector<Vec> A;
    Vec b;
    for (const Component& c : constraints) {
        A.push_back(gradient(c.value, model_.v));
        b.push_back({c.name, substitute(c.value, {{model_.v, none}})});
        for (const Component& entry : A.back())
            for (const Component& second : gradient(entry.value, model_.v))
                if (!second.value.is(0))
                    fail(header, "'" + c.name + "' is not linear in velocities, and under control it has to be",
                         "write dynamics of [control] that keep it");
    }
    velocities_ = model_.v;
    for (std::size_t i = 0; i < n; ++i) {
        const bool free = std::all_of(A.begin(), A.end(), [&](const Vec& row) { return row[i].value.is(0); });
        if (free) left_velocities_.push_back(model_.v[i]);
    }
    for (const Rows& rows : apart(A)) {
        Rows columns;
        for (std::size_t j = 0; j < n; ++j)
            if (std::any_of(rows.begin(), rows.end(), [&](std::size_t i) { return !A[i][j].value.is(0); }))
                columns.push_back(j);
        bool constant = false;
        const Rows dependent = columns.size() < rows.size() ? Rows() : dependent_velocities(A, rows, columns, constant);
        if (dependent.empty())
            fail(header, "the velocity constraints depend on each other: '" + b[rows[0]].name + "'",
                 "remove what the others say, too");
        const bool affine = std::any_of(rows.begin(), rows.end(), [&](std::size_t i) { return !b[i].value.is(0); });
        if (!constant && !affine && columns.size() == rows.size() + 1) {
            leave_one_direction(A, rows, columns);
            continue;
        }
        std::vector<Expr> matrix, rhs;
        for (const std::size_t j : columns)
            if (std::find(dependent.begin(), dependent.end(), j) == dependent.end())
                left_velocities_.push_back(model_.v[j]);
        for (const std::size_t i : rows) {
            Expr rest = b[i].value;
            for (const std::size_t j : columns)
                if (std::find(dependent.begin(), dependent.end(), j) == dependent.end())
                    rest = rest + A[i][j].value * model_.v[j].value;
                else
                    matrix.push_back(A[i][j].value);
            rhs.push_back(-rest);
        }
        const std::vector<Expr> found = solved(matrix, rhs);
        for (std::size_t k = 0; k < dependent.size(); ++k) velocities_[dependent[k]].value = found[k];
    }
}

Expr Reader::in_left_velocities(const Expr& f) const {
    return velocities_.empty() ? f : substitute(f, {{all_velocities_, velocities_}});
}

// Formulas were read with all velocities; those that are no coordinates become observables.
void Reader::put_in_left_velocities() {
    if (velocities_.empty()) return;
    each_formula(model_, [&](Expr& e) { e = in_left_velocities(e); });
    for (std::size_t i = 0; i < velocities_.size(); ++i) {
        if (!(velocities_[i].value == all_velocities_[i].value))
            model_.observables.push_back({model_.q[i].name + "'", velocities_[i].value});
    }
}

// Dynamics of (q, w); mass: L_vv; applied: L_q + F - L_vq v - L_vt.
Vec Reader::dynamics_of_left_velocities(const std::vector<Expr>& mass, const std::vector<Expr>& applied, Range header) {
    const std::size_t n = velocities_.size(), k = left_velocities_.size();
    const Vec drift = derivative_along(velocities_, concat({model_.q, model_.time_vec()}),
                                       concat({velocities_, Vec({{"t", Expr(1)}})}));
    std::vector<Vec> B; // its rows
    for (const Component& v : velocities_) B.push_back(gradient(v.value, left_velocities_));
    std::vector<Expr> rest, mass_B; // F - L_vv d/dt v; L_vv B
    for (std::size_t i = 0; i < n; ++i) {
        Expr sum = in_left_velocities(applied[i]);
        std::vector<Expr> row(k, Expr(0));
        for (std::size_t j = 0; j < n; ++j) {
            const Expr m = in_left_velocities(mass[i * n + j]);
            sum = sum - m * drift[j].value;
            for (std::size_t a = 0; a < k; ++a) row[a] = row[a] + m * B[j][a].value;
        }
        rest.push_back(sum);
        mass_B.insert(mass_B.end(), row.begin(), row.end());
    }
    std::vector<Expr> matrix, rhs;
    for (std::size_t a = 0; a < k; ++a) {
        Expr sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum = sum + B[i][a].value * rest[i];
        rhs.push_back(sum);
        bool any = false;
        for (std::size_t c = 0; c < k; ++c) {
            Expr entry = 0;
            for (std::size_t i = 0; i < n; ++i) entry = entry + B[i][a].value * mass_B[i * k + c];
            any |= !entry.is(0), matrix.push_back(entry);
        }
        if (!any)
            fail(header, "nothing has a mass along '" + left_velocities_[a].name + "', which the constraints leave",
                 "control takes regular Lagrangians");
    }
    const std::vector<Expr> found = k > 0 ? solved(matrix, rhs) : std::vector<Expr>();
    Vec dynamics = velocities_;
    for (std::size_t a = 0; a < k; ++a) dynamics.push_back({left_velocities_[a].name + "'", found[a]});
    return dynamics;
}

} // namespace rattleback::model
