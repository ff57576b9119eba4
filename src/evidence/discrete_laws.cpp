#include "evidence/discrete_laws.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/relation.hpp"
#include "run/initial.hpp"

namespace rattleback {
namespace {

// A law that holds or does not, by what quad leaves of it.
MeasuredClaim law(const std::string& name, const std::string& condition, double in_double, quad in_quad,
                  const std::string& remark) {
    MeasuredClaim m{.name = name, .claimed = "yes", .condition = condition, .measured = in_double, .remark = remark};
    m.in_quad = static_cast<double>(in_quad);
    m.verdict = *m.in_quad <= exact_in_quad ? MeasuredClaim::pass : MeasuredClaim::fail;
    return m;
}

MeasuredClaim not_measured(const std::string& name, const std::string& why) {
    return {.name = name, .claimed = "yes", .remark = why};
}

template <class T> T largest(const std::vector<T>& values, const std::vector<std::size_t>& places) {
    T worst = 0;
    for (std::size_t i : places) worst = std::max(worst, values[i]);
    return worst;
}

class DiscreteLaws {
  public:
    DiscreteLaws(const CompiledMethod& method, const std::vector<Claim>& claims, const Preserved& preserved, double h,
                 int steps)
        : compiled_(method), method_(method.method()), model_(method.model()), claims_(claims), preserved_(preserved),
          h_(h), steps_(steps) {}

    std::vector<MeasuredClaim> all() {
        const bool one_step = !method_.controls_step && method_.substeps.size() == 1;
        if (method_.step.generating && one_step) generated();
        if (method_.step.generating && one_step && !model_.velocity.empty() && !claimed(Property::constraint_exact))
            constraint_order();
        if (method_.step.alternates && one_step) energy();
        if (method_.id == "midpoint" && model_.kind == Model::general && model_.any_index) relation();
        return std::move(laws_);
    }

  private:
    bool claimed(Property property) const {
        return std::any_of(claims_.begin(), claims_.end(),
                           [&](const Claim& c) { return c.property == property && c.answer == Answer::yes; });
    }

    void generated() {
        Report report;
        if (static_cast<std::size_t>(method_.step.state.count()) > most_states) {
            laws_.push_back(not_measured("one_form", "the tangent map is too large to look at"));
            return;
        }
        const auto d = generating_defect<double>(compiled_, h_, steps_, report);
        const auto q = d ? generating_defect<quad>(compiled_, static_cast<quad>(h_), steps_, report) : std::nullopt;
        if (!q) {
            laws_.push_back(not_measured("one_form", "the run ended: " + report.what));
            return;
        }
        const bool forces = !method_.step.work.empty();
        const bool second_kind = method_.id.starts_with("type2"); // of (q0, p1): q0 and q1 may not determine the step
        laws_.push_back(law("one_form", "", d->one_form, q->one_form,
                            second_kind && !forces ? "dS_2 = p0 dq0 + q1 dp1, added up over the steps"
                            : forces               ? "p1 dq1 - p0 dq0 = dS - alpha, added up over the steps"
                                                   : "p1 dq1 - p0 dq0 = dS, added up over the steps"));
        laws_.push_back(law("two_form", "", d->two_form, q->two_form,
                            forces ? "dq1 ^ dp1 - dq0 ^ dp0 = d alpha" : "dq1 ^ dp1 = dq0 ^ dp0"));
        if (second_kind) return;
        if (!forces) laws_.push_back(law("discrete_form", "", d->pairs, q->pairs, "D12 S dq0 ^ dq1 on Q x Q"));
        momenta(*d, *q);
        regularity(*d);
    }

    void momenta(const GeneratingDefect<double>& d, const GeneratingDefect<quad>& q) {
        const auto claim = std::find_if(claims_.begin(), claims_.end(),
                                        [](const Claim& c) { return c.property == Property::momentum_exact; });
        if (claim == claims_.end() || claim->answer != Answer::yes) return;
        const std::vector<std::string> names = preserved_.kept_momenta(claim->conditions);
        std::vector<std::size_t> places;
        std::string words;
        for (std::size_t i = 0; i < model_.symmetries.size() && i < q.momenta.size(); ++i)
            if (const std::string& name = model_.symmetries[i].name;
                std::find(names.begin(), names.end(), name) != names.end())
                places.push_back(i), words += (words.empty() ? "J_d of " : ", ") + name;
        if (places.empty()) return;
        laws_.push_back(law("discrete_momentum", to_text(claim->conditions), largest(d.momenta, places),
                            largest(q.momenta, places), words + " on Q x Q"));
    }

    // The numbers themselves: nothing is claimed of them but that they are not 0.
    void regularity(const GeneratingDefect<double>& d) {
        MeasuredClaim m{.name = "regularity", .claimed = "not 0", .measured = std::abs(d.smallest)};
        char words[200];
        std::snprintf(words, sizeof words, "%s is %.6g in the first step, %.6g at its smallest",
                      method_.step.work.empty() ? "det(D12 S)" : "det(D12 S - d alpha_0/d q1)", d.regularity,
                      d.smallest);
        m.verdict = d.smallest != 0 ? MeasuredClaim::pass : MeasuredClaim::fail;
        m.remark = words + std::string(d.smallest != 0 ? "" : ": it changes its sign, and p0 does not determine q1");
        laws_.push_back(std::move(m));
    }

    // Residuals of the velocity constraints after the same time, with this step and halves of it (004, section 3.1).
    void constraint_order() {
        MeasuredClaim m{.name = "constraint_order", .claimed = std::to_string(method_.order)};
        Report report;
        for (int shorter : {1, 8, 64}) { // where the step is too coarse for it to show
            std::vector<double> residuals;
            for (int n : {8, 16, 32})
                if (const auto seen = departures<quad>(compiled_, static_cast<quad>(h_) * 8 / (n * shorter), n, report))
                    residuals.push_back(static_cast<double>(seen->velocity));
            if (residuals.size() < 3) {
                m.remark = "the run ended: " + report.what;
                break;
            }
            if (residuals.back() <= exact_in_quad) {
                m.verdict = MeasuredClaim::pass, m.remark = "exact on this model";
                break;
            }
            m.measured = std::log2(residuals[1] / residuals[2]);
            const bool reached = *m.measured >= method_.order - order_slack;
            m.verdict = reached ? MeasuredClaim::pass : MeasuredClaim::fail;
            m.remark = *m.measured > method_.order + order_slack ? "higher than claimed on this model" : "";
            if (std::abs(*m.measured - method_.order) <= order_slack) break;
        }
        laws_.push_back(std::move(m));
    }

    void energy() {
        const bool on_group = preserved_.group().looked_at;
        const std::string condition = on_group ? "bi-invariant metric or ld=mv on SO(3), nothing else in L"
                                               : "constant metric, nothing else in L, constraints linear in v";
        Report report;
        const auto in_double = energy_of_p_minus_defect<double>(compiled_, h_, 100, report);
        const auto in_quad =
            in_double ? energy_of_p_minus_defect<quad>(compiled_, static_cast<quad>(h_), 20, report) : std::nullopt;
        if (!in_quad) {
            laws_.push_back(not_measured("energy_of_p_minus", "the run ended: " + report.what));
            return;
        }
        MeasuredClaim m = law("energy_of_p_minus", condition, *in_double, *in_quad, "H(q, p_minus)");
        if (!(on_group ? keeps_on_group() : preserved_.bi_invariant())) {
            m.remark = m.verdict == MeasuredClaim::pass ? "needs: a bi-invariant metric; it holds here all the same"
                                                        : "needs: a bi-invariant metric";
            m.verdict = MeasuredClaim::not_applicable;
        }
        laws_.push_back(std::move(m));
    }

    // Equations that are not of index 1, run all the same: pairs (z0, z1) are what is left of a motion.
    void relation() {
        InitialData<double> start;
        Report report;
        if (!complete_initial_data(model_, start, report)) return;
        const auto in_double = midpoint_relation(model_, start.z, h_);
        const auto in_quad = midpoint_relation(model_, start.z, static_cast<quad>(h_));
        if (in_double && in_quad)
            laws_.push_back(law("presymplectic", "", in_double->form, in_quad->form,
                                "dz1 ^ J dz1 = dz0 ^ J dz0; " + convergence_of_relation(model_, start.z)));
        else
            laws_.push_back(not_measured("presymplectic", "z0 does not determine z1"));
    }

    // Steps in charts have another discrete Lagrangian, and the theorem does not speak of them.
    bool keeps_on_group() const {
        const bool mv = method_.id == "lie_gni" && parse_methods(method_.text)[0].options.word("ld", "mv") == "mv";
        return method_.id == "lie_gni" && preserved_.group().keeps_energy(mv);
    }

    const CompiledMethod& compiled_;
    const Method& method_;
    const Model& model_;
    const std::vector<Claim>& claims_;
    const Preserved& preserved_;
    double h_;
    int steps_;
    std::vector<MeasuredClaim> laws_;
};

} // namespace

std::vector<MeasuredClaim> discrete_laws(const CompiledMethod& method, const std::vector<Claim>& claims,
                                         const Preserved& preserved, double step, int steps) {
    return DiscreteLaws(method, claims, preserved, step, steps).all();
}

} // namespace rattleback
