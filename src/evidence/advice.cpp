#include "evidence/advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evidence/preserved.hpp"
#include "model/copy.hpp"
#include "scheme/build.hpp"

namespace rattleback {
namespace {

constexpr double tie = 2; // times by which a method must be better than another to be called so
constexpr double never = std::numeric_limits<double>::infinity();

std::string number(double x, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    return text;
}
std::string factor(double x) {
    char text[32];
    std::snprintf(text, sizeof text, x < 10 ? "%.1f" : x < 1e6 ? "%.0f" : "%.1e", x);
    return text;
}

std::string list(const std::vector<std::string>& names, const std::string& last = " or ") {
    std::string s;
    for (std::size_t i = 0; i < names.size(); ++i) s += (i == 0 ? "" : i + 1 < names.size() ? ", " : last) + names[i];
    return s;
}

// An error to ask of all methods: of those that tell something, a quarter are smaller.
double common_error(const Comparison& all) {
    std::vector<double> errors;
    for (const ComparedMethod& m : all.methods)
        for (double e : m.work_error)
            if (e > all.floor && e < all.ceiling) errors.push_back(e);
    std::sort(errors.begin(), errors.end());
    return errors.empty() ? all.ceiling : errors[errors.size() / 4];
}

struct Candidate {
    std::string name;
    double price;                  // the less the better; never: it does not get there
    std::vector<std::string> kept; // in words
    bool keeps_structure;          // of the flow, not some invariants alone
};

// The best, and those that cannot be told from it; `worse`: the least price of the others.
std::vector<Candidate> best_of(std::vector<Candidate> all, double& worse) {
    const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.price < b.price; };
    std::stable_sort(all.begin(), all.end(), cheaper);
    std::size_t n = 0;
    while (n < all.size() && all[n].price < never && all[n].price <= tie * all[0].price) ++n;
    worse = n < all.size() ? all[n].price : never;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)};
}

// In the order of the command, so that the advice does not depend on which was a little faster today.
std::vector<std::string> names_of(const std::vector<Candidate>& best, const std::vector<Candidate>& order) {
    std::vector<std::string> names;
    for (const Candidate& c : order)
        if (std::any_of(best.begin(), best.end(), [&](const Candidate& b) { return b.name == c.name; }))
            names.push_back(c.name);
    return names;
}

class Advice {
  public:
    Advice(const Model& model, Comparison& all) : all_(all), error_(common_error(all)) {
        const Model copy = deep_copy(model);
        const Preserved preserved((Sample(copy)));
        for (const ComparedMethod& m : all.methods) {
            if (!m.run.report().ok()) continue;
            const std::string& text = m.run.summary().method;
            const MethodName name = parse_methods(text)[0];
            if (left_the_motion(m)) {
                ++left_;
                continue;
            }
            const std::vector<Claim> claims = find_scheme(name.id).claims(name.options);
            const Method method = build_in_graph(copy, name);
            candidates_.push_back({text, cost_of(m, error_, all).value_or(never), preserved.kept(claims, method),
                                   preserved.keeps_structure(claims, method)});
        }
    }

    void give() {
        all_.recommendation =
            "For short accurate runs: " + for_short_runs() + ".\nFor long runs: " + for_long_runs() + ".";
    }

  private:
    std::string for_an_error() const {
        return " for an error of " + number(error_, 2) + " at t = " + number(all_.ranked_until, 6);
    }

    std::string for_short_runs() {
        if (candidates_.empty() && left_ > 0) return "none of these follows the motion; take a smaller step";
        if (candidates_.empty()) return "none of these came to the end";
        if (all_.reference_method.empty()) return "no reference solution could be had to tell errors";
        double worse = never;
        const std::vector<Candidate> best = best_of(candidates_, worse);
        if (best.empty()) return "none of these follows the motion; take a smaller step";
        all_.short_runs = names_of(best, candidates_);
        std::string words = list(all_.short_runs);
        if (best.size() > 1) words += ", which differ by less than twice the computing time" + for_an_error();
        if (worse == never) return words;
        words += best.size() > 1 ? "; the next needs " : ", ";
        return words + factor(worse / best[0].price) +
               (best.size() > 1 ? " times as much" : " times less computing time than the next" + for_an_error());
    }

    std::string for_long_runs() {
        std::vector<Candidate> keeping;
        const bool some =
            std::any_of(candidates_.begin(), candidates_.end(), [](const Candidate& c) { return c.keeps_structure; });
        for (const Candidate& c : candidates_)
            if (some ? c.keeps_structure : !c.kept.empty()) keeping.push_back(c);
        if (candidates_.empty() && left_ > 0) return "none at this step: all are far off the motion";
        if (keeping.empty()) return "none of these keeps anything; 'rattleback check' lists those that do";
        double worse = never;
        std::vector<Candidate> best = best_of(keeping, worse);
        if (best.empty()) best = by_energy(keeping); // errors tell nothing, what is kept does
        all_.long_runs = names_of(best, keeping);
        std::vector<std::string> words;
        for (const std::string& name : all_.long_runs)
            for (const Candidate& c : keeping)
                if (c.name == name) words.push_back(name + " (keeps: " + list(c.kept, ", ") + ")");
        return list(words);
    }

    // By the error of the energy where it should be constant; else all of them.
    std::vector<Candidate> by_energy(std::vector<Candidate> candidates) const {
        if (!all_.energy_conserved) return candidates;
        for (Candidate& c : candidates)
            for (const ComparedMethod& m : all_.methods)
                if (m.run.summary().method == c.name) c.price = m.run.summary().energy_error_max;
        double worse = never;
        return best_of(std::move(candidates), worse);
    }

    // Errors of ten times the size of the motion, or without end: nothing of such a run is worth keeping.
    bool left_the_motion(const ComparedMethod& m) const {
        return m.error && all_.ceiling > 0 && !(*m.error <= 100 * all_.ceiling);
    }

    Comparison& all_;
    const double error_;
    std::vector<Candidate> candidates_;
    int left_ = 0; // methods whose steps left the motion
};

} // namespace

std::optional<double> cost_of(const ComparedMethod& m, double error, const Comparison& all) {
    struct Measured {
        double cost, error;
    };
    std::vector<Measured> points; // coarse to fine, in logarithms
    for (std::size_t i = 0; i < m.work_cost.size(); ++i)
        if (m.work_error[i] < all.ceiling)
            points.push_back({std::log(m.work_cost[i]), std::log(std::max({m.work_error[i], all.floor, 1e-300}))});
    if (points.empty()) return {};
    const double wanted = std::log(error);
    std::size_t k = 0;
    while (k < points.size() && points[k].error > wanted) ++k;
    if (k == 0) return std::exp(points[0].cost); // even the coarsest is better
    if (k == points.size() && k < 2) return {};
    const Measured &a = points[std::min(k, points.size() - 1) - 1], &b = points[std::min(k, points.size() - 1)];
    const double slope = (b.cost - a.cost) / (b.error - a.error);
    if (k == points.size() && !(b.error < a.error - 0.3)) return {}; // it has stopped to improve
    return std::exp(a.cost + slope * (wanted - a.error));
}

void advise(const Model& model, Comparison& all) { Advice(model, all).give(); }

} // namespace rattleback
