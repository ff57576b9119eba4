// The lines of the papers, evaluated.
#include "evidence/papers.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "evidence/defects.hpp"
#include "model/copy.hpp"
#include "model/gallery.hpp"
#include "run/initial.hpp"

namespace rattleback::papers {
namespace {

struct Failed : Error {
    using Error::Error;
};

std::vector<double> column(const Run& run, const std::string& name) {
    const bool error = name == "energy_error";
    const std::optional<Record::Column> found = run.record.column(error ? "energy" : name);
    if (!found) throw Failed("there is no column '" + name + "'");
    std::vector<double> values = found->table->column(found->index);
    const double first = error ? values.at(0) : 0;
    for (double& x : values) x -= first;
    return values;
}

double at_time(const Run& run, const std::vector<double>& values, double t) {
    std::size_t best = 0;
    for (std::size_t k = 0; k < run.t.size(); ++k)
        if (std::abs(run.t[k] - t) < std::abs(run.t[best] - t)) best = k;
    if (std::abs(run.t[best] - t) > 1e-6 * std::max(1.0, std::abs(t))) throw Failed("the run has no node at that time");
    return values[best];
}

// The rate r of x ~ exp(r t), by least squares over the logarithms at the nodes within [from, to].
double growth(const Run& run, const std::vector<double>& x, double from, double to) {
    double n = 0, t_mean = 0, log_mean = 0, tt = 0, tl = 0;
    for (std::size_t k = 0; k < run.t.size(); ++k) {
        if (run.t[k] < from - 1e-9 || run.t[k] > to + 1e-9) continue;
        const double dt = run.t[k] - t_mean, value = std::log(std::abs(x[k]));
        ++n, t_mean += dt / n, log_mean += (value - log_mean) / n;
        tt += dt * (run.t[k] - t_mean), tl += dt * (value - log_mean);
    }
    if (!(tt > 0)) throw Failed("the run has no two nodes within these times");
    return tl / tt;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

// E((q_k + q_k+1)/2, (q_k+1 - q_k)/h), its largest departure from the first: H(q, p_minus) where the metric is constant
// and there is no potential.
double energy_between_nodes(const Model& given, const Run& run) {
    const Model model = deep_copy(given);
    const Expr energy = Mechanics(model).energy();
    const Vec leaves = concat({model.q, model.v, time_and_parameter_leaves(model)});
    SystemSolver<double> solver(compile(System{model.graph, leaves, {}, {}, Vec({{"E", energy}})}));
    double first = 0, worst = 0;
    Report report;
    for (std::size_t k = 0; k + 1 < run.t.size(); ++k) {
        const double h = run.t[k + 1] - run.t[k];
        double* to = solver.given();
        const std::size_t n = run.q.columns();
        for (std::size_t i = 0; i < n; ++i) *to++ = (run.q(k, i) + run.q(k + 1, i)) / 2;
        for (std::size_t i = 0; i < n; ++i) *to++ = (run.q(k + 1, i) - run.q(k, i)) / h;
        *to++ = run.t[k] + h / 2;
        for (const Parameter& p : model.parameters) *to++ = static_cast<double>(p.value);
        if (!solver.solve(report)) throw Failed("the energy has no value");
        if (k == 0) first = solver.result(0);
        worst = std::max(worst, std::abs(solver.result(0) - first));
    }
    return worst;
}

class Evaluation {
  public:
    Evaluation(const Check& check, std::string method)
        : check_(check), method_(std::move(method)), model_(model_of(check)) {}

    // max|min|max_abs|mean_abs|first|last COLUMN, COLUMN at T, leaves COLUMN SIZE, growth COLUMN FROM TO: of a run,
    // with energy_error beside its columns; end: when the run ends; failure: when it fails; constraint_max,
    // holonomic_max, momentum NAME, momentum_equation; error: distance in q from a converged reference; to METHOD:
    // distance in q from it at the end; energy_between_nodes; claim NAME: as verify measures it, in quad, orders too;
    // one_form, two_form: what generates a step, and several of them; action: whether p_h q_h less the action of the
    // path from the start does so for the flow.
    double quantity() {
        std::vector<std::string> w;
        std::istringstream words(check_.take);
        for (std::string word; words >> word;) w.push_back(word);
        if (w.size() == 2 && w[0] == "claim") return claim(w[1]);
        if (w.size() == 1 && (w[0] == "one_form" || w[0] == "two_form")) return generating(w[0] == "one_form");
        if (check_.take == "action") return action();
        const Run run = integrate(model_, options(method_));
        const Summary& s = run.summary();
        if (check_.take == "failure") {
            if (run.report().ok()) throw Failed("the run does not fail");
            return run.report().time;
        }
        if (check_.take == "end") return s.t_end;
        if (!run.report().ok()) throw Failed("the run ended: " + run.report().what);
        if (check_.take == "constraint_max") return s.constraint_max.value_or(0);
        if (check_.take == "holonomic_max") return s.holonomic_max.value_or(0);
        if (check_.take == "energy_between_nodes") return energy_between_nodes(model_, run);
        if (check_.take == "error")
            return distance(s.end["q"], integrate(model_, options("dop853:tol=1e-14")).summary().end["q"]);
        if (w.size() == 2 && w[0] == "to")
            return distance(s.end["q"], integrate(model_, options(w[1])).summary().end["q"]);
        if (check_.take == "momentum_equation") {
            double worst = 0;
            for (const auto& [name, residual] : s.momentum_equation_max) worst = std::max(worst, residual);
            return worst;
        }
        if (w.size() == 2 && w[0] == "momentum")
            for (const auto& [name, error] : s.momentum_error_max)
                if (name == w[1]) return error;
        return of_column(run, w);
    }

  private:
    static double of_column(const Run& run, const std::vector<std::string>& w) {
        const auto number = [](const std::string& text) {
            return static_cast<double>(Options({{"number", text}}).number("number", 0));
        };
        if (w.size() == 3 && w[1] == "at") return at_time(run, column(run, w[0]), number(w[2]));
        if (w.size() < 2) throw Failed("this cannot be taken");
        const std::vector<double> x = column(run, w[1]);
        if (w[0] == "first") return x.front();
        if (w[0] == "last") return x.back();
        if (w[0] == "max") return *std::max_element(x.begin(), x.end());
        if (w[0] == "min") return *std::min_element(x.begin(), x.end());
        double sum = 0, largest = 0;
        for (double v : x) sum += std::abs(v), largest = std::max(largest, std::abs(v));
        if (w[0] == "mean_abs") return sum / static_cast<double>(x.size());
        if (w[0] == "max_abs") return largest;
        if (w[0] == "leaves" && w.size() == 3) {
            for (std::size_t k = 0; k < x.size(); ++k)
                if (std::abs(x[k]) > number(w[2])) return run.t[k];
            throw Failed("it stays within");
        }
        if (w[0] == "growth" && w.size() == 4) { return growth(run, x, number(w[2]), number(w[3])); }
        throw Failed("this cannot be taken");
    }

    RunOptions options(const std::string& method) const {
        RunOptions o = check_.run;
        o.method = method;
        return o;
    }

    double claim(const std::string& name) const {
        const Verification all = verify(model_, parse_methods(method_)[0], {check_.run.step, 1000});
        for (const MeasuredClaim& c : all.claims)
            if (c.name == name && (c.in_quad || c.measured)) return c.in_quad ? *c.in_quad : *c.measured;
        throw Failed("the claim cannot be measured");
    }

    double generating(bool one) const {
        Report report;
        const auto h = static_cast<quad>(check_.run.step.value_or(0.1));
        const auto defect = generating_defect<quad>(compile(model_, method_), h, 5, report);
        if (!defect) throw Failed("the method names nothing that generates it");
        return static_cast<double>(one ? defect->one_form : defect->two_form);
    }

    double action() const {
        Report report;
        const double h = check_.run.step.value_or(0.1), until = check_.run.until.value_or(1);
        const int steps = static_cast<int>(std::lround(until / h));
        const auto defect = action_defect<quad>(model_, method_, static_cast<quad>(h), steps, report);
        if (!defect) throw Failed("there is no action of this motion: " + report.what);
        return static_cast<double>(*defect);
    }

    const Check& check_;
    std::string method_;
    Model model_;
};

double value_of(const Check& check) {
    const double value = Evaluation(check, check.method).quantity();
    return check.against.empty() ? value : value / Evaluation(check, check.against).quantity();
}

} // namespace

Model model_of(const Check& check) {
    std::string text = check.model_text;
    for (const GalleryItem& item : gallery())
        if (text.empty() && item.name == check.model) text = item.text;
    if (text.empty()) throw BadModel("the gallery has no model '" + check.model + "'");
    Model model = read_model(text, check.model + ".toml", check.changes);
    if (!check.lambda.empty()) model.lambda0 = check.lambda;
    model.any_index = check.force == "index";
    return model;
}

Result judge(const Line& line, const std::vector<double>& values, const std::vector<std::string>& troubles) {
    Result result{.values = values};
    for (std::size_t i = 0; i < line.checks.size(); ++i) {
        const Check& check = line.checks[i];
        if (values[i] >= check.lo && values[i] <= check.hi) continue;
        if (result.as_expected) {
            char words[160];
            std::snprintf(words, sizeof words, "%s of %s is %.6g, not within [%.6g, %.6g]", check.take.c_str(),
                          check.method.c_str(), values[i], check.lo, check.hi);
            const bool stopped = i < troubles.size() && !troubles[i].empty();
            result.trouble = stopped ? check.take + " of " + check.method + ": " + troubles[i] : words;
        }
        result.as_expected = false;
    }
    return result;
}

Result evaluate(const Line& line) {
    std::vector<double> values;
    std::vector<std::string> troubles;
    for (const Check& check : line.checks) {
        values.push_back(NAN), troubles.emplace_back();
        try {
            values.back() = value_of(check);
        } catch (const std::exception& e) { troubles.back() = e.what(); }
    }
    return judge(line, values, troubles);
}

std::string verdict(const Line& line) {
    switch (line.kind) {
    case Line::reproduced: break;
    case Line::not_reproduced: return "not reproduced: " + line.reason;
    case Line::to_come: return "still to come: " + line.reason;
    case Line::sketch: return "nothing to compute: " + line.reason;
    }
    if (line.errata.empty()) return "reproduced";
    std::string list;
    for (const std::string& e : line.errata) list += (list.empty() ? "" : ", ") + e;
    return "reproduced with a correction (" + list + ")";
}

} // namespace rattleback::papers
