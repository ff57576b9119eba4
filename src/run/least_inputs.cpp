#include "run/least_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "expr/graph.hpp"
#include "solve/dense.hpp"

namespace rattleback {
namespace {

// Places at which the sign of H_u is looked at: from a ten-thousandth to ten thousand, in the units of the inputs.
constexpr int decades = 4, in_a_decade = 10;
constexpr int sweeps = 12, refinements = 80, newton_iterations = 30;
constexpr double same = 1e-9; // H: relative to the size of its terms; u: relative to its own

} // namespace

LeastInputs::LeastInputs(const Model& model)
    : states_(static_cast<std::size_t>(model.q.count() + model.p.count())), inputs_(model.implicit_inputs().size()) {
    const Vec u = model.implicit_inputs(), H_u = gradient(model.function, u);
    const Vec given = concat({model.q, model.p, u, model.time_vec(), model.parameter_vec()});
    Vec H_uu;
    for (const Component& row : H_u) H_uu = concat({H_uu, gradient(row.value, u)});
    for (std::size_t i = 0; i < H_uu.size(); ++i) apart_ &= i % (inputs_ + 1) == 0 || H_uu[i].value.is(0);
    Vec terms; // H is linear in p
    Expr rest = model.function;
    for (const Expr& p : expand(model.p)) {
        const Expr term = p * gradient(model.function, Vec({{"p", p}}))[0].value;
        terms.push_back({"", term}), rest = rest - term;
    }
    terms.push_back({"", rest});
    slopes_.emplace(compile(System{model.graph, given, {}, {}, concat({Vec({{"H", model.function}}), H_u, terms})}));
    curvature_.emplace(compile(System{model.graph, given, {}, {}, H_uu}));
    for (const Parameter& p : model.parameters) parameters_.push_back(static_cast<double>(p.value));
    given_.assign(states_ + 1, 0.0);
}

void LeastInputs::at(const double* q_and_p, double t) {
    std::copy_n(q_and_p, states_, given_.data());
    given_[states_] = t;
}

bool LeastInputs::evaluate(const std::vector<double>& u) {
    double* to = std::copy_n(given_.data(), states_, slopes_->given());
    to = std::copy(u.begin(), u.end(), to);
    *to++ = given_[states_];
    std::copy(parameters_.begin(), parameters_.end(), to);
    Report report;
    return slopes_->solve(report);
}

double LeastInputs::value(const std::vector<double>& u) { return evaluate(u) ? slopes_->result(0) : NAN; }

double LeastInputs::size(const std::vector<double>& u) {
    if (!evaluate(u)) return 0;
    double sum = 0;
    for (std::size_t i = 1 + inputs_; i < slopes_->result_count(); ++i) sum += std::abs(slopes_->result(i));
    return std::isfinite(sum) ? sum : 0;
}

double LeastInputs::slope(std::vector<double>& u, std::size_t i, double value) {
    const double before = std::exchange(u[i], value);
    const double found = evaluate(u) ? slopes_->result(1 + i) : NAN;
    u[i] = before;
    return found;
}

std::optional<std::vector<double>> LeastInputs::follow(std::vector<double> u) {
    const std::size_t m = inputs_;
    solve::Dense<double> H_uu(static_cast<int>(m));
    double last = INFINITY;
    for (int k = 0; k < newton_iterations; ++k) {
        if (!evaluate(u)) return {};
        std::vector<double> by(m);
        for (std::size_t i = 0; i < m; ++i) by[i] = -slopes_->result(1 + i);
        std::copy_n(slopes_->given(), states_ + m + 1 + parameters_.size(), curvature_->given());
        Report report;
        if (!curvature_->solve(report)) return {};
        for (std::size_t i = 0; i < m * m; ++i) H_uu.values()[i] = curvature_->result(i);
        if (!H_uu.factor().ok) return {};
        H_uu.solve(by.data());
        double size = 0, step = 0;
        for (std::size_t i = 0; i < m; ++i) {
            u[i] += by[i];
            size = std::max(size, std::abs(u[i])), step = std::max(step, std::abs(by[i]));
        }
        if (!std::isfinite(size)) return {};
        if (step <= 4e-16 * size || (step <= same * size && step >= last)) return u;
        last = step;
    }
    return last <= same * (1 + std::abs(*std::max_element(u.begin(), u.end()))) ? std::optional(u) : std::nullopt;
}

std::vector<double> LeastInputs::places(double here) const {
    static const std::vector<double> around = [] { // of 0
        std::vector<double> all{0.0};
        for (int k = -decades * in_a_decade; k <= decades * in_a_decade; ++k)
            for (const double sign : {-1.0, 1.0})
                all.push_back(sign * std::pow(10.0, static_cast<double>(k) / in_a_decade));
        std::sort(all.begin(), all.end());
        return all;
    }();
    if (here == 0) return around;
    std::vector<double> there = around, both;
    for (double& x : there) x += here;
    std::merge(around.begin(), around.end(), there.begin(), there.end(), std::back_inserter(both));
    both.erase(std::unique(both.begin(), both.end()), both.end());
    return both;
}

// Where the slope changes from falling to rising: bisection, with the secant where that is inside.
double LeastInputs::refined(std::vector<double>& u, std::size_t i, double lo, double hi) {
    double below = slope(u, i, lo), above = slope(u, i, hi);
    for (int k = 0; k < refinements && hi - lo > 4e-16 * std::max(std::abs(lo), std::abs(hi)); ++k) {
        double at = (lo + hi) / 2;
        if (const double secant = lo - below * (hi - lo) / (above - below); k % 3 != 2 && secant > lo && secant < hi)
            at = secant;
        const double there = slope(u, i, at);
        if (!(there < 0) && !(there >= 0)) return at;
        if (there == 0) return at;
        (there < 0 ? lo : hi) = at, (there < 0 ? below : above) = there;
    }
    return (lo + hi) / 2;
}

// Moves input i to where H is least along it; false: nothing lower than H was found.
bool LeastInputs::search_along(std::vector<double>& u, std::size_t i, double& H) {
    const std::vector<double> all = places(u[i]);
    std::vector<double> known, slopes; // places that have a value
    for (const double at : all)
        if (const double s = slope(u, i, at); std::isfinite(s)) known.push_back(at), slopes.push_back(s);
    std::vector<double> best = u;
    bool lower = false;
    for (std::size_t k = 0; k + 1 < known.size(); ++k) {
        if (!(slopes[k] < 0 && slopes[k + 1] >= 0)) continue;
        std::vector<double> there = u;
        there[i] = refined(u, i, known[k], known[k + 1]);
        const double found = value(there);
        const double scale = std::max({size(u), size(there), 1e-300});
        if (!std::isfinite(H) ? std::isfinite(found) : found < H - same * scale) best = there, H = found, lower = true;
    }
    if (!known.empty()) {
        std::vector<double> left = u, right = u;
        left[i] = known.front(), right[i] = known.back();
        falls_ |= (slopes.front() > 0 && !(value(left) > H)) || (slopes.back() < 0 && !(value(right) > H));
    }
    u = best;
    return lower;
}

std::optional<LeastInputs::Minimum> LeastInputs::descend(std::vector<double> u) {
    double H = INFINITY;
    bool found = false;
    falls_ = false;
    for (int k = 0; k < sweeps; ++k) {
        bool lower = false;
        for (std::size_t i = 0; i < inputs_; ++i) lower |= search_along(u, i, H);
        found |= lower;
        if (!lower || apart_) break;
    }
    if (!found) return {};
    if (const auto root = follow(u)) {
        const double there = value(*root);
        if (there <= H + same * std::max(1e-300, size(u))) u = *root, H = there;
    }
    return Minimum{u, H, !falls_};
}

std::optional<LeastInputs::Minimum> LeastInputs::find(const std::vector<double>& near) {
    std::vector<std::vector<double>> starts{near};
    if (!apart_) { // some of the corners around
        double size = 1;
        for (const double x : near) size = std::max(size, std::abs(x));
        for (unsigned corner = 0; corner < 8; ++corner) {
            std::vector<double> u(inputs_);
            for (std::size_t i = 0; i < inputs_; ++i) u[i] = (corner >> (i % 3)) % 2 ? -size : size;
            starts.push_back(u);
        }
    }
    std::optional<Minimum> best;
    bool falls = false;
    for (const std::vector<double>& start : starts) {
        const std::optional<Minimum> found = descend(start);
        falls |= falls_;
        if (found && (!best || found->H < best->H - same * std::max(1e-300, size(best->u)))) best = found;
    }
    if (!best) return {};
    best->is_least = !falls;
    if (const auto root = follow(near)) // of equals, the near one
        if (const double H = value(*root); H <= best->H + same * std::max(1e-300, size(best->u)))
            best->u = *root, best->H = H;
    return best;
}

std::vector<std::optional<std::size_t>> inputs_in_hint(const Step& step) {
    std::vector<std::optional<std::size_t>> which(static_cast<std::size_t>(step.hint.count()));
    const auto place = [&](const Expr& hint) -> std::optional<std::size_t> {
        std::size_t at = 0;
        for (const Component& c : step.hint) {
            if (c.value == hint) return at;
            at += static_cast<std::size_t>(c.count());
        }
        return {};
    };
    for (const Unknown& unknown : step.find)
        for (std::size_t i = 0; i < unknown.symbols.size() && i < unknown.guess.size(); ++i)
            for (const Stage& stage : step.stages)
                for (std::size_t j = 0; j < stage.u.size(); ++j)
                    if (stage.u[j].value == unknown.symbols[i].value)
                        if (const auto at = place(unknown.guess[i].value)) which[*at] = j;
    return which;
}

} // namespace rattleback
