#include "run/accuracy.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "run/choice.hpp"
#include "run/probe.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double enough = 0.5, aim = 0.2; // of the accuracy: accepted, and aimed at where a step is computed
constexpr double near_enough = 100;     // times the accuracy: it is looked whether rounding keeps it from being reached
constexpr double round_off = 3e-14;     // of a few dozen steps: no smaller difference is asked of them
constexpr int probe_steps = 64;         // the first part of the span: so many steps that are resolved to 1e-6
constexpr double probe_budget = 5e7;    // operations of trial runs: of one method on the first part of the span
constexpr double steps_in_budget = 400; // or of so many steps, if that is more
constexpr double span_budget = 1e10;    // of the one that was picked: about ten seconds, at worst
constexpr double first_share = 5;       // one over the part of it that the first of these runs may take
constexpr int most_tries = 12;
// Operations of a step's program beyond which no more stages are tried: deriving and compiling it takes a second.
constexpr double most_operations = 3e4;
constexpr double most_on_tape = 4;  // stages, where the right-hand side is too large for machine code
constexpr double most_on_lanes = 6; // else, where Newton's program for more takes long to make
constexpr int large_model = 8;      // coordinates, from which on this is looked at
// What iterations of stages may leave in all steps together, of the accuracy; less than the last digit is not asked
// for.
constexpr double left_by_iterations = 0.25, least_tolerance = 1e-16, most_tolerance = 1e-6;

std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", x);
    return text;
}

double end_of(const Model& model, const RunOptions& o) {
    if (o.step) throw BadRun("--accuracy chooses the step: leave out --step");
    if (o.steps) throw BadRun("--accuracy chooses the step: give the end of the run as --until T, not as --steps");
    if (o.tolerance) throw BadRun("--accuracy chooses a constant step: leave out --tol, which is for others");
    if (!(*o.accuracy >= 1e-15) || !(*o.accuracy < 1))
        throw BadRun("--accuracy must lie between 1e-15, near the last digit of a number, and 1");
    const double t0 = static_cast<double>(model.t0);
    std::optional<double> until = o.until ? o.until : model.run.until;
    if (!until && model.run.steps && model.run.step)
        until = t0 + static_cast<double>(*model.run.steps) * *model.run.step;
    if (!until) throw BadRun("--accuracy needs an end: give --until T, or until in [run]");
    if (!std::isfinite(*until) || *until == t0) throw BadRun("--until must be a finite number, and not the start");
    return *until;
}

// One that may fit: how many of its steps the first part of the span takes, and what they cost.
struct Candidate {
    std::string method;
    std::shared_ptr<Probe> probe;
    double steps = 0;    // for a unit of time
    double work = never; // likewise, operations
    bool ends = false;   // its iterations may end at a tolerance
};

const std::string fixed = ":iteration=fixed";

// With one digit, rounded down: it is written into the name of the method.
std::string tolerance_text(double x) {
    char text[32];
    const double power = std::pow(10, std::floor(std::log10(x)));
    std::snprintf(text, sizeof text, "%.0e", std::max(1.0, std::floor(x / power)) * power);
    return text;
}

class Search {
  public:
    Search(const Model& model, const RunOptions& options)
        : model_(model), options_(options), asked_(*options.accuracy), until_(end_of(model, options)),
          t0_(static_cast<double>(model.t0)), span_(until_ - t0_) {}

    std::string method() {
        rank();
        return found_[0].method;
    }

    Picked run() {
        rank();
        Picked best = refined(found_[0]);
        // Where no step of it resolves even the beginning, others may.
        for (std::size_t i = 1; i < std::min<std::size_t>(found_.size(), 3) && !interrupted(); ++i) {
            if (!failed_ || best.accuracy.holds_until != t0_) break;
            const Picked other = refined(found_[i]);
            if (std::abs(other.accuracy.holds_until - t0_) > std::abs(best.accuracy.holds_until - t0_)) best = other;
        }
        best.accuracy.why = why_of(best);
        return best;
    }

  private:
    bool interrupted() const { return options_.interrupt && *options_.interrupt; }

    void rank() {
        probe_span_ = first_part();
        const std::vector<std::string> families =
            options_.method.empty() ? accurate_methods(model_) : std::vector{family_of(options_.method)};
        for (const std::string& family : families) try_family(family);
        if (found_.empty()) throw Unsuitable(why_not_.empty() ? "no method for --accuracy fits this model" : why_not_);
        std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.work < b.work; });
    }

    // "gauss" leaves its stages open, "gauss:stages=8" does not; iteration=fixed is tried unless another is asked for.
    static std::string family_of(const std::string& text) {
        const std::vector<MethodName> names = parse_methods(text);
        if (names.size() != 1) throw BadRun("--accuracy takes one method, or none");
        const Scheme& scheme = find_scheme(names[0].id);
        const auto open = [&](const char* option) {
            return !names[0].options.has(option) && std::any_of(scheme.options.begin(), scheme.options.end(),
                                                                [&](const OptionInfo& o) { return o.name == option; });
        };
        return names[0].text + (open("stages") ? ":stages=*" : "") + (open("iteration") ? fixed : "");
    }

    // As many steps as are resolved to 1e-6 by the usual method.
    double first_part() const {
        const std::vector<std::string> usual = recommended_methods(model_);
        if (usual.empty()) return span_ / probe_steps;
        const double longest = span_ / 20;
        const ChosenStep chosen = recommended_step(model_, usual[0], longest);
        if (!(chosen.difference <= resolved_to) || chosen.beside) return span_ / 4;
        return std::abs(chosen.step) * probe_steps < std::abs(span_) ? chosen.step * probe_steps : span_;
    }

    void try_family(const std::string& family) {
        const std::size_t star = family.find('*');
        if (star == std::string::npos) {
            consider(family);
            return;
        }
        const auto with = [&](int s) { return family.substr(0, star) + std::to_string(s) + family.substr(star + 1); };
        std::vector<int> stages;
        const bool pairs = family.starts_with("lobatto"); // on lanes from 3 stages on
        const double most = std::max(most_stages(with(2)), pairs ? most_stages(with(3)) : 0);
        for (int s : {2, 3, 4, 5, 6, 8, 10, 12})
            if (exists(with(s)) && (s == 2 || s <= most)) stages.push_back(s);
        // From the middle to where it no longer gets cheaper.
        const auto middle = static_cast<std::ptrdiff_t>(stages.size()) / 2;
        double least = never;
        for (std::ptrdiff_t i = middle; i < std::ssize(stages); ++i) {
            const double work = consider(with(stages[static_cast<std::size_t>(i)]));
            if (work > least || interrupted()) break;
            least = work;
        }
        for (std::ptrdiff_t i = middle - 1; i >= 0; --i) {
            const double work = consider(with(stages[static_cast<std::size_t>(i)]));
            if ((work > least && least < never) || interrupted()) break;
            least = std::min(work, least);
        }
    }

    // So many that the program of a step does not get too large.
    double most_stages(std::string two) const {
        const bool large = !model_.groups.empty() || model_.q.count() + model_.z.count() >= large_model;
        if (!large || !exists(two)) return never;
        try {
            const auto probe = probe_of(two);
            if (probe->runs_on_tape()) return most_on_tape;
            return std::max(2 * most_operations / probe->operations(), probe->runs_on_lanes() ? most_on_lanes : 0);
        } catch (const std::runtime_error&) { return never; } // it is refused again, and why is kept
    }

    static bool takes_tolerance(const std::string& text) {
        const std::vector<OptionInfo>& options = find_scheme(parse_methods(text).at(0).id).options;
        return std::any_of(options.begin(), options.end(),
                           [](const OptionInfo& o) { return o.name == "iteration_tol"; });
    }

    static bool exists(const std::string& text) {
        try {
            const MethodName name = parse_methods(text).at(0);
            find_scheme(name.id).order(name.options);
            return true;
        } catch (const BadMethod&) { return false; }
    }

    // What a unit of time costs at the accuracy, by trial runs over the first part of the span with more and more
    // steps.
    double consider(std::string text) {
        Candidate c;
        try {
            c.probe = probe_of(text);
        } catch (const Unsuitable& e) { why_not_ = e.what(); } catch (const BadMethod& e) {
            why_not_ = e.what();
        } catch (const StructuralError& e) { why_not_ = "method '" + text + "' cannot step this model: " + e.what(); }
        if (!c.probe) return never;
        if (c.probe->method().controls_step)
            throw BadRun("--accuracy chooses a constant step; " + text + " controls its own: use --tol with it");
        c.method = text;
        c.ends = text.ends_with(fixed) && !options_.method.ends_with(fixed) && takes_tolerance(text);
        const double wanted = std::max(aim * asked_ * std::abs(probe_span_ / span_), round_off);
        const double budget = std::max(probe_budget, steps_in_budget * c.probe->of_step(5));
        double last = never, n = 4, each = 0;
        for (; c.probe->done() < budget && !interrupted(); n *= 2) {
            end_iterations(c, n / std::abs(probe_span_));
            const Halving h = c.probe->halve(probe_span_, Probe::rounded(n));
            const double apart = h.failure.empty() ? h.largest() : never;
            each = c.probe->of_step(h.iterations);
            const bool stagnates = apart < 1e-9 && apart > last / 2; // round-off
            if (apart <= wanted || stagnates) {
                const double order = c.probe->method().order;
                const double exact = n * std::pow(std::max(apart, 1e-300) / wanted, 1 / order);
                c.steps = std::clamp(exact, n == 4 ? 0.25 : n / 2, n) / std::abs(probe_span_);
                c.work = c.steps * each;
                break;
            }
            if (n / std::abs(probe_span_) * each / 2 > 2 * least_) break; // others are cheaper
            last = apart;
        }
        if (c.work == never && last < 1e-3 && c.probe->done() >= budget) { // the rest is told by the order
            c.steps = n / 2 * std::pow(last / wanted, 1.0 / c.probe->method().order) / std::abs(probe_span_);
            c.work = c.steps * each;
        }
        if (c.work == never) {
            if (found_.empty()) c.steps = 256 / std::abs(probe_span_), found_.push_back(c);
            return never;
        }
        least_ = std::min(least_, c.work);
        found_.push_back(c);
        return c.work;
    }

    // Where so many steps for a unit of time may leave that much, iterations end sooner; every part of it is in the
    // difference from the run with half the step, which leaves nothing.
    double end_iterations(const Candidate& c, double steps, double part = 1) const {
        const double each = part * left_by_iterations * asked_ / std::max(1.0, steps * std::abs(span_));
        const double tolerance = c.ends && each >= least_tolerance
                                     ? std::strtod(tolerance_text(std::min(each, most_tolerance)).c_str(), nullptr)
                                     : 0;
        c.probe->end_iterations_at(tolerance);
        return tolerance;
    }

    // With iteration=fixed, where the model lets it.
    std::shared_ptr<Probe> probe_of(std::string& text) const {
        try {
            return std::make_shared<Probe>(model_, text, options_);
        } catch (const Unsuitable&) {
            if (!text.ends_with(fixed)) throw;
        } catch (const BadMethod&) {
            if (!text.ends_with(fixed)) throw;
        }
        text.resize(text.size() - fixed.size());
        return std::make_shared<Probe>(model_, text, options_);
    }

    // Runs with so many steps for the whole span, and with twice as many.
    struct Trial {
        double steps = 0, tolerance = 0;
        double halved = never; // how far they are apart at the end, without what rounding adds
        Accuracy accuracy;
    };
    struct Refining {
        explicit Refining(const Candidate& c) : candidate(c), probe(*c.probe), before(probe.done()) {}
        const Candidate& candidate;
        Probe& probe;
        double before;    // operations
        double n = 0;     // the number of steps to try next
        double cost = 0;  // of a step
        double part = 1;  // of the span
        double share = 1; // of what iterations may leave: less from the second trial on that was not accurate enough
        Trial last;       // that was not accurate enough
        Trial best, kept; // kept: accurate enough, with the fewest steps
        bool found = false;
    };

    // The number of steps that the whole span needs.
    Picked refined(const Candidate& c) {
        Refining r(c);
        r.n = c.steps * std::abs(span_);
        r.cost = c.work < never ? c.work / c.steps : r.probe.of_step(5);
        // A part of the span, once and for all: a shorter one would hide what a longer one has shown.
        r.part = std::min(1.0, span_budget / first_share / (3 * r.n * r.cost));
        failed_ = true;
        for (int tries = 0; tries < most_tries && !interrupted(); ++tries) {
            if (tries > 0 && r.probe.done() - r.before + 3 * r.n * r.part * r.cost > span_budget) break;
            const Trial now = tried(r);
            if (is_better(now.accuracy, r.best)) r.best = now;
            if (!(now.halved <= enough * asked_ ? with_fewer(r, now) : with_more(r, now))) break;
        }
        if (r.found) r.best = r.kept;
        if (r.best.accuracy.estimated <= asked_) failed_ = false;
        const std::string ended =
            r.best.tolerance > 0 ? ":iteration_tol=" + tolerance_text(r.best.tolerance * (1 + 1e-9)) : "";
        Picked best{c.method + ended, span_ / std::ceil(r.best.steps * (1 - 1e-12)), until_, r.best.accuracy};
        if (r.best.steps == 0) // interrupted
            best.step = span_ / static_cast<double>(Probe::rounded(r.n)), best.accuracy.estimated = never;
        return best;
    }

    Trial tried(const Refining& r) const {
        const long long count = Probe::rounded(std::max(1.0, r.n * r.part));
        const double steps = static_cast<double>(count) / r.part;
        const double tolerance = end_iterations(r.candidate, steps / std::abs(span_), r.share);
        Halving h = r.probe.halve(span_ * r.part, count);
        Trial t{steps, tolerance, never, judged(h, r.part)};
        t.halved = t.accuracy.estimated;
        if (!(t.halved <= near_enough * asked_) || interrupted()) return t;
        r.probe.disturb(span_ * r.part, count, h);
        t.accuracy = judged(h, r.part);
        return t;
    }

    bool is_better(const Accuracy& a, const Trial& best) const {
        return best.steps == 0 || a.estimated < best.accuracy.estimated ||
               std::abs(a.holds_until - t0_) > std::abs(best.accuracy.holds_until - t0_);
    }

    // After one that is accurate enough: the first part of the span may have asked for too many.
    bool with_fewer(Refining& r, const Trial& now) {
        const bool reached = now.accuracy.estimated <= asked_;
        if (!r.found || reached || r.kept.accuracy.estimated > asked_) r.kept = now;
        failed_ = false, r.found = true;
        const double less = std::pow(std::max(now.halved, 1e-300) / (aim * asked_), 1.0 / r.probe.method().order);
        if (less > 0.85 || now.steps * r.part <= 1 || !reached) return false;
        r.n = now.steps * std::max(less, 0.25);
        return true;
    }

    // After one that is not.
    bool with_more(Refining& r, const Trial& now) {
        if (r.found) return false;
        const Trial& last = r.last;
        const bool farther = std::abs(now.accuracy.holds_until - last.accuracy.holds_until) > 0.01 * std::abs(span_);
        if (last.halved < never && now.halved > last.halved / 2 && !farther && now.steps > 1.2 * last.steps) {
            failed_ = !(last.halved < 1); // round-off, or chaos: no step is better
            return false;
        }
        double order = r.probe.method().order;
        if (last.halved < never && now.halved < last.halved)
            order = std::clamp(std::log(last.halved / now.halved) / std::log(now.steps / last.steps), 1.0, order);
        const double ratio = std::pow(now.halved / (aim * asked_), 1 / order);
        r.n = now.steps * std::clamp(std::isfinite(ratio) ? ratio : 4.0, 1.05, 4.0);
        if (last.halved < never) r.share /= 8; // the first trial may have been too long by the guess of the ranking
        r.last = now;
        return true;
    }

    // What these runs say of the error at the end of the span.
    Accuracy judged(const Halving& h, double part) const {
        Accuracy a;
        a.asked = asked_, a.until = part < 1 ? t0_ + part * span_ : until_, a.holds_until = t0_;
        for (std::size_t k = 0; k < h.t.size() && h.apart[k] <= asked_; ++k) a.holds_until = h.t[k];
        if (!h.failure.empty() || h.apart.empty()) {
            a.estimated = never;
            return a;
        }
        a.estimated = h.largest(), a.rounding = h.rounding;
        if (part >= 1) return a;
        const double half = h.apart[h.apart.size() / 2];
        a.growth = half > 0 ? std::max(1.0, std::log2(a.estimated / half)) : 1;
        a.estimated *= std::pow(1 / part, a.growth), a.rounding *= std::pow(1 / part, a.growth);
        return a;
    }

    std::string why_of(const Picked& picked) const {
        const std::size_t end = picked.method.find(":iteration_tol=");
        const std::string method = picked.method.substr(0, end);
        std::string others;
        const Candidate* mine = nullptr;
        for (const Candidate& c : found_) {
            if (c.method == method) mine = &c;
            if (c.method == method || c.work == never || others.size() > 100) continue;
            others += (others.empty() ? "" : ", ") + c.method + " " + number(c.work);
        }
        if (!mine || mine->work == never) return "of the methods tried none reached it on the first part of the span";
        return number(mine->work) + " counted operations for a unit of time" +
               (end == std::string::npos ? "" : "; iterations leave a quarter of the accuracy at most, in all steps") +
               (others.empty() ? "" : "; others: " + others);
    }

    const Model& model_;
    const RunOptions& options_;
    const double asked_, until_, t0_, span_;
    double probe_span_ = 0, least_ = never;
    std::vector<Candidate> found_;
    std::string why_not_;
    bool failed_ = false; // the last one to be refined
};

} // namespace

std::vector<std::string> accurate_methods(const Model& m) {
    const bool plain = m.kind != Model::general && m.holonomic.empty() && m.velocity.empty() && m.phase.empty();
    if (m.kind != Model::general && !m.phase.empty()) return {"dirac_weak:stages=*" + fixed};
    if (m.kind == Model::general || m.control) return {"gauss:stages=*" + fixed};
    if (!m.velocity.empty() && m.variational) return {"gauss:stages=*" + fixed, "lobatto:stages=*"};
    if (!m.velocity.empty()) return {"nh_gauss:stages=*" + fixed};
    if (!m.holonomic.empty())
        return {"compose:base=rattle:order=8", "lobatto:stages=*" + fixed, "dirac_weak:stages=*" + fixed};
    std::vector<std::string> all = {"gauss:stages=*" + fixed};
    if (plain) all.emplace_back("compose:base=del:ld=verlet:order=8");
    if (!m.groups.empty()) all.emplace_back("compose:base=lie_del:order=8");
    return all;
}

Picked pick_for_accuracy(const Model& model, const RunOptions& options) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    if (!model.has_start) throw BadRun("--accuracy needs a start: the model has no [initial]");
    const std::optional<Model> independent = with_independent_constraints(model, options.project);
    Picked picked = Search(independent ? *independent : model, options).run();
    picked.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return picked;
}

std::string method_for_accuracy(const Model& model, const RunOptions& options) {
    const std::optional<Model> independent = with_independent_constraints(model, options.project);
    try {
        return Search(independent ? *independent : model, options).method();
    } catch (const Unsuitable&) { return {}; }
}

} // namespace rattleback
