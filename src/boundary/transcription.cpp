#include "boundary/transcription.hpp"

#include <algorithm>
#include <cmath>

#include <dlfcn.h>

#include "code/module_places.hpp"
#include "evidence/linear.hpp"
#include "expr/graph.hpp"

namespace rattleback::boundary {
namespace {

constexpr double unbounded = 1e20;
constexpr double tolerance = 1e-10, least_time = 1e-6;
constexpr double complementarity = 1e-13; // 1e-10 leaves 1e-8 of the cost on 350 steps: bounds * this

const IpoptModule* find_module() {
    for (const std::string& place : code::module_places("librattleback_ipopt.so")) {
        void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        using Door = const IpoptModule* (*)();
        if (const auto door = reinterpret_cast<Door>(dlsym(library, ipopt_door))) return door();
        dlclose(library);
    }
    return nullptr;
}

double within(double value, double low, double high) { return std::min(std::max(value, low), high); }

// Weights of the polynomial through these places, at another.
std::vector<double> weights_at(const std::vector<double>& places, double x) {
    std::vector<double> all(places.size(), 1.0);
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < places.size(); ++j)
            if (j != i) all[i] *= (x - places[j]) / (places[i] - places[j]);
    return all;
}

} // namespace

const IpoptModule& ipopt_module() {
    static const IpoptModule* const found = find_module();
    if (!found)
        throw Unsuitable("this program was built without Ipopt, which solves control problems with bounds; install "
                         "coinor-libipopt-dev and build it again");
    return *found;
}

Transcription::Transcription(const Problem& problem, int stage_count)
    : n(static_cast<std::size_t>(problem.model.q.count())),
      m(static_cast<std::size_t>(problem.model.control->inputs.count())), stages(static_cast<std::size_t>(stage_count)),
      problem_(problem), tableau_(gauss(stage_count)) {
    sort_bounds();
}

// Bounds of single variables; inequalities of several, with and without inputs.
void Transcription::sort_bounds() {
    const Model& model = problem_.model;
    const Control& control = *model.control;
    const Vec q = as_scalars(model.q), z = concat({q, control.inputs});
    limits_.assign(n + m, {-unbounded, unbounded});
    Vec without, with;
    for (const Control::Bound& b : control.bounds) {
        const Limit limit{b.lo ? static_cast<double>(*b.lo) : -unbounded,
                          b.hi ? static_cast<double>(*b.hi) : unbounded};
        std::size_t i = 0;
        while (i < z.size() && !(z[i].value == b.value)) ++i;
        if (i < z.size()) {
            limits_[i] = {std::max(limits_[i].low, limit.low), std::min(limits_[i].high, limit.high)};
            continue;
        }
        bool inputs = false;
        for (const Component& c : rattleback::gradient(b.value, control.inputs)) inputs |= !c.value.is(0);
        (inputs ? with : without).push_back({b.name, b.value});
        (inputs ? at_stages_ : everywhere_limits_).push_back(limit);
    }
    if (problem_.free_time) limits_[n - 1].low = least_time;
    at_stage_.emplace(problem_, control.cost, concat({as_scalars(control.dynamics), without, with}), z);
    at_node_.emplace(problem_, Expr(0), without, q);
    at_start_.emplace(problem_, Expr(0), problem_.from.set, q);
    const Expr terminal = substitute(problem_.to.potential, {{problem_.to.nu, zeros_like(problem_.to.nu)}});
    at_end_.emplace(problem_, terminal, problem_.to.set, q);
    at_stages_.insert(at_stages_.begin(), everywhere_limits_.begin(), everywhere_limits_.end());
}

std::size_t Transcription::add_rows(const std::vector<Limit>& limits) {
    const std::size_t first = g_low_.size();
    for (const Limit& l : limits) g_low_.push_back(l.low), g_high_.push_back(l.high);
    return first;
}

void Transcription::add_piece(SparseFunctions& of, std::size_t first, std::size_t count, double t, double weight,
                              std::vector<Piece::Share> shares) {
    Piece p{&of, {}, t, weight, std::move(shares), values_.size()};
    for (std::size_t i = 0; i < count; ++i) p.variables.push_back(static_cast<int>(first + i));
    values_.resize(values_.size() + of.values());
    pieces_.push_back(std::move(p));
}

void Transcription::add_step(std::size_t k) {
    const double h = problem_.time * (mesh_[k + 1] - mesh_[k]), begin = problem_.t0 + problem_.time * mesh_[k];
    const auto put = [&](std::size_t row, std::size_t column, double factor) {
        linear_.push_back({static_cast<int>(row), static_cast<int>(column), factor});
    };
    for (std::size_t i = 0; i <= stages; ++i) // rows: of the stages, then of the next node
        for (std::size_t c = 0; c < n; ++c) {
            const std::size_t row = stage_row(k, i) + c;
            put(row, (i < stages ? stage_at(k, i) : (k + 1) * block()) + c, 1), put(row, k * block() + c, -1);
        }
    for (std::size_t i = 0; i < stages; ++i) {
        std::vector<Piece::Share> shares;
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t j = 0; j < stages; ++j)
                shares.push_back({c, stage_row(k, j) + c, -h * static_cast<double>(tableau_.a[j][i])});
            shares.push_back({c, node_row(k) + c, -h * static_cast<double>(tableau_.b[i])});
        }
        inequalities_.push_back(add_rows(at_stages_));
        for (std::size_t r = 0; r < at_stages_.size(); ++r) shares.push_back({n + r, inequalities_.back() + r, 1.0});
        add_piece(*at_stage_, stage_at(k, i), n + m, begin + static_cast<double>(tableau_.c[i]) * h,
                  h * static_cast<double>(tableau_.b[i]), std::move(shares));
    }
}

void Transcription::fix(std::size_t node, const End& end) {
    for (std::size_t i = 0; i < n; ++i)
        if (end.value[i]) x_low_[node + i] = x_high_[node + i] = *end.value[i];
}

void Transcription::add_ends() {
    const std::size_t N = mesh_.size() - 1;
    const double last = problem_.t0 + problem_.time;
    fix(0, problem_.from), fix(N * block(), problem_.to);
    const auto share = [&](const SparseFunctions& of, const std::vector<Limit>& limits) {
        std::vector<Piece::Share> all;
        const std::size_t first = add_rows(limits);
        for (std::size_t r = 0; r < of.rows(); ++r) all.push_back({r, first + r, 1.0});
        return all;
    };
    add_piece(*at_start_, 0, n, problem_.t0, 0, share(*at_start_, std::vector<Limit>(at_start_->rows(), {0, 0})));
    add_piece(*at_end_, N * block(), n, last, 1, share(*at_end_, std::vector<Limit>(at_end_->rows(), {0, 0})));
    if (everywhere_limits_.empty()) return;
    const auto is_free = [](const End& end) {
        return std::any_of(end.value.begin(), end.value.end(), [](const auto& v) { return !v; });
    };
    for (std::size_t k = 0; k <= N; ++k) {
        if ((k == 0 && !is_free(problem_.from)) || (k == N && !is_free(problem_.to))) continue;
        add_piece(*at_node_, k * block(), n, problem_.t0 + problem_.time * mesh_[k], 0,
                  share(*at_node_, everywhere_limits_));
    }
}

void Transcription::begin(const std::vector<double>& mesh) {
    mesh_ = mesh;
    const std::size_t N = mesh.size() - 1;
    for (auto* v : {&g_low_, &g_high_, &evaluated_, &values_, &x_low_, &x_high_}) v->clear();
    for (auto* v : {&jacobian_row_, &jacobian_column_, &hessian_row_, &hessian_column_}) v->clear();
    pieces_.clear(), linear_.clear(), inequalities_.clear();
    for (std::size_t i = 0; i < N * block() + n; ++i) {
        const std::size_t c = i % block();
        const Limit& l = limits_[c < n ? c : (c - n) % (n + m)];
        x_low_.push_back(l.low), x_high_.push_back(l.high);
    }
    add_rows(std::vector<Limit>(N * (stages + 1) * n, {0, 0}));
    for (std::size_t k = 0; k < N; ++k) add_step(k);
    add_ends();
    list_entries();
}

void Transcription::list_entries() {
    for (const Linear& l : linear_) jacobian_row_.push_back(l.row), jacobian_column_.push_back(l.column);
    for (const Piece& p : pieces_) {
        for (const solve::RowColumn& e : p.of->g_x())
            for (const Piece::Share& s : p.shares)
                if (s.function == e.row)
                    jacobian_row_.push_back(static_cast<int>(s.row)), jacobian_column_.push_back(p.variables[e.column]);
        for (const solve::RowColumn& e : p.of->hessian())
            hessian_row_.push_back(p.variables[e.row]), hessian_column_.push_back(p.variables[e.column]);
    }
}

// Ipopt asks for f, g and their derivatives one after the other at the same x: they are computed together.
bool Transcription::evaluate(const double* x) {
    if (!evaluated_.empty() && std::equal(evaluated_.begin(), evaluated_.end(), x)) return finite_;
    evaluated_.assign(x, x + x_low_.size());
    finite_ = true;
    for (Piece& p : pieces_)
        if (p.of->values() > 1) finite_ = p.of->first(x + p.variables[0], p.t, &values_[p.place]) && finite_;
    return finite_;
}

bool Transcription::gradient(const double* x, double* f_x) {
    if (!evaluate(x)) return false;
    std::fill_n(f_x, x_low_.size(), 0.0);
    for (const Piece& p : pieces_) {
        const double* value = &values_[p.place];
        for (const solve::RowColumn& e : p.of->f_x()) f_x[p.variables[e.column]] += p.weight * *value++;
    }
    return true;
}

bool Transcription::constraints(const double* x, double* g) {
    if (!evaluate(x)) return false;
    std::fill_n(g, g_low_.size(), 0.0);
    for (const Linear& l : linear_) g[l.row] += l.factor * x[l.column];
    for (const Piece& p : pieces_)
        for (const Piece::Share& s : p.shares) g[s.row] += s.factor * values_[p.place + p.of->g_place() + s.function];
    return true;
}

bool Transcription::jacobian(const double* x, double* values) {
    if (!evaluate(x)) return false;
    for (const Linear& l : linear_) *values++ = l.factor;
    for (const Piece& p : pieces_) {
        const double* slope = &values_[p.place + p.of->g_x_place()];
        for (const solve::RowColumn& e : p.of->g_x()) {
            for (const Piece::Share& s : p.shares)
                if (s.function == e.row) *values++ = s.factor * *slope;
            ++slope;
        }
    }
    return true;
}

bool Transcription::hessian(const double* x, double weight, const double* multipliers, double* values) {
    std::vector<double> y;
    for (const Piece& p : pieces_) {
        if (p.of->hessian().empty()) continue;
        y.assign(p.of->rows(), 0.0);
        for (const Piece::Share& s : p.shares) y[s.function] += s.factor * multipliers[s.row];
        if (!p.of->second(x + p.variables[0], p.t, weight * p.weight, y.data(), values)) return false;
        values += p.of->hessian().size();
    }
    return true;
}

IpoptProblem Transcription::program() {
    static constexpr auto me = [](void* of) -> Transcription& { return *static_cast<Transcription*>(of); };
    return {.self = this,
            .variables = static_cast<int>(x_low_.size()),
            .rows = static_cast<int>(g_low_.size()),
            .jacobian_entries = static_cast<int>(jacobian_row_.size()),
            .hessian_entries = static_cast<int>(hessian_row_.size()),
            .x_low = x_low_.data(),
            .x_high = x_high_.data(),
            .g_low = g_low_.data(),
            .g_high = g_high_.data(),
            .jacobian_row = jacobian_row_.data(),
            .jacobian_column = jacobian_column_.data(),
            .hessian_row = hessian_row_.data(),
            .hessian_column = hessian_column_.data(),
            .objective =
                [](void* of, const double* x, double* f) {
                    Transcription& t = me(of);
                    if (!t.evaluate(x)) return false;
                    *f = 0;
                    for (const Piece& p : t.pieces_)
                        if (p.weight != 0) *f += p.weight * t.values_[p.place + p.of->f_place()];
                    return true;
                },
            .gradient = [](void* of, const double* x, double* f_x) { return me(of).gradient(x, f_x); },
            .constraints = [](void* of, const double* x, double* g) { return me(of).constraints(x, g); },
            .jacobian = [](void* of, const double* x, double* v) { return me(of).jacobian(x, v); },
            .hessian = [](void* of, const double* x, double weight, const double* multipliers,
                          double* v) { return me(of).hessian(x, weight, multipliers, v); },
            .goes_on = [](void* of) { return !(me(of).interrupt_ && *me(of).interrupt_); }};
}

BoundedPath Transcription::solve(const std::vector<double>& mesh, const Guess& guess, double barrier,
                                 int most_iterations, const volatile int* interrupt) {
    begin(mesh);
    interrupt_ = interrupt;
    const std::size_t N = mesh.size() - 1;
    BoundedPath path;
    path.mesh = mesh, path.x.resize(x_low_.size());
    std::vector<double> q(n), u(m);
    for (std::size_t k = 0; k <= N; ++k) {
        guess(mesh[k], q.data(), u.data());
        std::copy(q.begin(), q.end(), &path.x[k * block()]);
        for (std::size_t i = 0; i < stages && k < N; ++i) {
            guess(mesh[k] + static_cast<double>(tableau_.c[i]) * (mesh[k + 1] - mesh[k]), q.data(), u.data());
            std::copy(u.begin(), u.end(), std::copy(q.begin(), q.end(), &path.x[stage_at(k, i)]));
        }
    }
    for (std::size_t i = 0; i < path.x.size(); ++i) path.x[i] = within(path.x[i], x_low_[i], x_high_[i]);
    std::vector<double> rows(g_low_.size()), at_low(path.x.size()), at_high(path.x.size());
    const IpoptProblem problem = program();
    const double size = std::abs(
        *std::max_element(path.x.begin(), path.x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    const double violated = std::max(1e-13, tolerance / static_cast<double>(N)) * std::max(1.0, size); // they add up
    const IpoptSettings settings{tolerance, violated, complementarity, barrier, most_iterations};
    ipopt_module().solve(&problem, &settings, path.x.data(), rows.data(), at_low.data(), at_high.data(), &path.result);
    path.cost = path.result.objective, path.residual = violation(path.x.data());
    read_multipliers(path, rows, at_low, at_high);
    return path;
}

double Transcription::violation(const double* x) {
    std::vector<double> g(g_low_.size());
    if (!constraints(x, g.data())) return Real<double>::nan;
    double worst = 0;
    for (std::size_t i = 0; i < g.size(); ++i) worst = std::max({worst, g_low_[i] - g[i], g[i] - g_high_[i]});
    for (std::size_t i = 0; i < x_low_.size(); ++i) worst = std::max({worst, x_low_[i] - x[i], x[i] - x_high_[i]});
    return worst;
}

// The multipliers of q_{k+1} = ... are -p_{k+1}, before what a bound of q_{k+1} adds.
void Transcription::read_multipliers(BoundedPath& path, const std::vector<double>& rows,
                                     const std::vector<double>& at_low, const std::vector<double>& at_high) const {
    const std::size_t N = path.steps();
    path.costates.assign((N + 1) * n, 0.0);
    for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t k = 0; k < N; ++k)
            for (std::size_t i = 0; i <= stages; ++i) path.costates[k * n + c] -= rows[stage_row(k, i) + c];
        path.costates[N * n + c] = -rows[node_row(N - 1) + c];
    }
    const auto holds = [](double low_multiplier, double high_multiplier, double slack_low, double slack_high) {
        return static_cast<char>(low_multiplier > slack_low ? -1 : high_multiplier > slack_high ? 1 : 0);
    };
    path.held.assign(N * stages, {});
    for (std::size_t k = 0; k < N; ++k)
        for (std::size_t i = 0; i < stages; ++i) {
            std::vector<char>& held = path.held[k * stages + i];
            const double weight = problem_.time * (mesh_[k + 1] - mesh_[k]) * static_cast<double>(tableau_.b[i]);
            for (std::size_t c = 0; c < n + m; ++c) {
                const std::size_t at = stage_at(k, i) + c;
                held.push_back(holds(at_low[at] / weight, at_high[at] / weight, path.x[at] - x_low_[at],
                                     x_high_[at] - path.x[at]));
            }
            const std::size_t first = inequalities_[k * stages + i];
            const double* const g = &values_[pieces_[k * stages + i].place + at_stage_->g_place() + n];
            for (std::size_t r = 0; r < at_stages_.size(); ++r) {
                const double y = rows[first + r] / weight;
                held.push_back(holds(-y, y, g[r] - g_low_[first + r], g_high_[first + r] - g[r]));
            }
        }
}

void Transcription::inputs_along(double time, const double* q, const double* slope, double* u) {
    std::vector<double> z(q, q + n), values(at_stage_->values()), rate(n);
    z.resize(n + m, 0.0);
    for (std::size_t i = 0; i < m; ++i) z[n + i] = within(0, limits_[n + i].low, limits_[n + i].high);
    std::copy(z.begin() + static_cast<std::ptrdiff_t>(n), z.end(), u);
    if (!at_stage_->first(z.data(), problem_.t0 + problem_.time * time, values.data())) return;
    Dense by_inputs(n, m);
    for (std::size_t i = 0; i < n; ++i) rate[i] = slope[i] / problem_.time - values[at_stage_->g_place() + i];
    const double* value = &values[at_stage_->g_x_place()];
    for (const solve::RowColumn& e : at_stage_->g_x()) {
        if (e.row < n && e.column >= n) by_inputs(e.row, e.column - n) = *value;
        ++value;
    }
    const std::vector<double> found = least_squares(by_inputs, rate, 1e-6).x;
    for (std::size_t i = 0; i < m; ++i) u[i] = within(u[i] + found[i], limits_[n + i].low, limits_[n + i].high);
}

Transcription::Guess Transcription::interpolated(const BoundedPath& path) const {
    return [this, &path](double time, double* q, double* u) {
        const auto after = std::upper_bound(path.mesh.begin() + 1, path.mesh.end() - 1, time);
        const auto k = static_cast<std::size_t>(after - path.mesh.begin()) - 1;
        const double place = (time - path.mesh[k]) / (path.mesh[k + 1] - path.mesh[k]);
        std::vector<double> at_u, at_q{0.0};
        for (const quad& c : tableau_.c) at_u.push_back(static_cast<double>(c)), at_q.push_back(at_u.back());
        at_q.push_back(1);
        const std::vector<double> of_q = weights_at(at_q, place), of_u = weights_at(at_u, place);
        const double *const first = node(path, k), *const last = node(path, k + 1);
        for (std::size_t c = 0; c < n + m; ++c) {
            double sum = c < n ? of_q[0] * first[c] + of_q[stages + 1] * last[c] : 0;
            for (std::size_t i = 0; i < stages; ++i) sum += (c < n ? of_q[i + 1] : of_u[i]) * stage(path, k, i)[c];
            (c < n ? q[c] : u[c - n]) = within(sum, limits_[c].low, limits_[c].high);
        }
    };
}

} // namespace rattleback::boundary
