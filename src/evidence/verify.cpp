// Every claim of a method, measured on one model.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/discrete_laws.hpp"
#include "evidence/time_left.hpp"
#include "model/copy.hpp"
#include "run/compiled.hpp"

namespace rattleback {
namespace {

constexpr int few_steps = 20;

struct Measured {
    std::optional<double> in_double, in_quad;
    std::string why_not; // where nothing was measured
};

Method with_given_step(Method method) {
    method.controls_step = false;
    return method;
}

class Verifier {
  public:
    Verifier(const Model& model, const Method& method, const std::vector<Claim>& claims, const VerifyOptions& options)
        : model_(deep_copy(model)), compiled_(compile(model, with_given_step(method))), method_(compiled_.method()),
          claims_(in_charts(claims, method_.step, model_)), sample_(model_), preserved_(sample_),
          time_(options.progress) {
        result_.method = method.text;
        result_.step = options.step.value_or(model.run.step.value_or(0.1));
        result_.steps = options.steps.value_or(10000);
        if (!std::isfinite(result_.step) || result_.step == 0) throw BadRun("--step must be a number other than 0");
        if (result_.steps < 100) throw BadRun("--steps of verify is the long run for the energy: at least 100");
    }

    Verification run() {
        for (const Claim& claim : claims_) {
            result_.claims.push_back(judged(claim));
            time_.left(seconds_after_claims());
        }
        for (Property p : {Property::constraint_at_stages, Property::holonomic_at_stages}) {
            const Claim none{p, Answer::unknown}; // looked at also where nothing is claimed
            if (meaningless(none).empty() &&
                std::none_of(claims_.begin(), claims_.end(), [p](const Claim& c) { return c.property == p; }))
                result_.claims.push_back(judged(none));
        }
        for (MeasuredClaim& m : discrete_laws(compiled_, claims_, preserved_, result_.step, form_steps()))
            result_.claims.push_back(std::move(m));
        result_.claims.push_back(order());
        return std::move(result_);
    }

  private:
    // As if the claims that are left took as long as those so far, and the laws and the order as long as all of them:
    // for who waits, no more than that.
    double seconds_after_claims() const {
        const auto so_far = static_cast<double>(result_.claims.size()), all = static_cast<double>(claims_.size());
        return time_.seconds() / so_far * (2 * all - so_far);
    }

    MeasuredClaim judged(const Claim& claim) {
        MeasuredClaim m;
        m.name = to_text(claim.property), m.claimed = to_text(claim.answer), m.condition = to_text(claim.conditions);
        if (m.remark = meaningless(claim); !m.remark.empty()) return m;
        if (claim.property == Property::energy_bounded) return judge_energy(claim, m);
        const Measured value = measure(claim);
        m.measured = value.in_double, m.in_quad = value.in_quad, m.remark = value.why_not;
        if (!m.in_quad) return m;
        const bool kept = *m.in_quad <= exact_in_quad;
        const std::optional<Condition> missing = preserved_.first_missing(claim.conditions);
        if (claim.answer == Answer::unknown) {
            m.remark = kept ? "nothing is promised; it holds here" : "nothing is promised; it does not hold here";
        } else if (claim.answer == Answer::no) {
            if (kept)
                m.remark = "not promised, yet it holds on this model";
            else
                m.verdict = MeasuredClaim::pass, m.remark = "not kept, as said";
        } else if (missing) {
            m.remark = "needs: " + std::string(to_text(*missing)) + (kept ? "; it holds here all the same" : "");
        } else {
            m.verdict = kept ? MeasuredClaim::pass : MeasuredClaim::fail;
            m.remark = remark_of_ + (kept ? "" : (remark_of_.empty() ? "" : "; ") + std::string("violated"));
        }
        return m;
    }

    // Where the property says nothing about this model.
    std::string meaningless(const Claim& claim) const {
        switch (claim.property) {
        case Property::constraint_exact:
        case Property::constraint_at_stages:
            return constraint_residuals(model_).velocity.empty() ? "no velocity constraints" : "";
        case Property::holonomic_exact:
        case Property::holonomic_at_stages: return model_.holonomic.empty() ? "no holonomic constraints" : "";
        case Property::energy_exact:
        case Property::energy_bounded: {
            const std::string& why = preserved_.why_energy_changes();
            return why.empty() ? "" : "the motion itself does not conserve its energy: " + why;
        }
        case Property::momentum_exact: return meaningless_momenta();
        default: return "";
        }
    }

    std::string meaningless_momenta() const {
        if (model_.symmetries.empty()) return "no symmetries are declared";
        return preserved_.kept_momenta({}).empty() ? "the motion itself conserves no momentum of a declared symmetry"
                                                   : "";
    }

    Measured measure(const Claim& claim) {
        remark_of_.clear();
        switch (claim.property) {
        case Property::symplectic:
            if (method_.step.form.empty()) return {{}, {}, "the method names no two-form for this model"};
            if (state_count() > most_states) return {{}, {}, "the tangent map is too large to look at"};
            return both([&](auto h, Report& r) { return symplectic_defect(compiled_, h, form_steps(), r); });
        case Property::symmetric:
            return both([&](auto h, Report& r) { return symmetry_defect(compiled_, h, few_steps, r); });
        case Property::reversible:
            if (method_.step.reverse.empty()) return {{}, {}, "no reversal is known for what the method carries"};
            return both([&](auto h, Report& r) { return reversibility_defect(compiled_, h, few_steps, r); });
        case Property::momentum_exact: return momenta(claim);
        case Property::constraint_at_stages:
        case Property::holonomic_at_stages: return at_stages(claim.property == Property::constraint_at_stages);
        default: break;
        }
        const Property property = claim.property;
        return from_run([property](const auto& d) {
            return property == Property::energy_exact       ? d.energy
                   : property == Property::constraint_exact ? d.velocity
                                                            : d.holonomic;
        });
    }

    Measured at_stages(bool velocity) {
        if (method_.step.stages.empty()) return {{}, {}, "the method has no stages"};
        return both([&](auto h, Report& r) {
            const auto worst = stage_residuals(compiled_, h, few_steps, r);
            return worst ? std::optional(velocity ? worst->velocity : worst->holonomic) : std::nullopt;
        });
    }

    // The momenta that fulfil the condition; where none is promised, all that the motion conserves.
    Measured momenta(const Claim& claim) {
        std::vector<std::string> names = preserved_.kept_momenta(claim.conditions);
        if (claim.answer == Answer::yes && names.empty()) return {{}, {}, "no declared symmetry fulfils the condition"};
        if (names.empty()) names = preserved_.kept_momenta({});
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < model_.symmetries.size(); ++i)
            if (std::find(names.begin(), names.end(), model_.symmetries[i].name) != names.end()) places.push_back(i);
        for (const std::string& name : names) remark_of_ += (remark_of_.empty() ? "of " : ", ") + name;
        return from_run([&](const auto& d) {
            auto worst = d.energy * 0;
            for (std::size_t i : places) worst = std::max(worst, d.momenta[i]);
            return worst;
        });
    }

    template <class F> Measured both(F&& defect) {
        Report report;
        const auto in_double = defect(result_.step, report);
        const auto in_quad = in_double ? defect(static_cast<quad>(result_.step), report) : std::nullopt;
        if (!in_quad) return {{}, {}, report.ok() ? "it cannot be measured" : "the run ended: " + report.what};
        return {*in_double, static_cast<double>(*in_quad), {}};
    }

    template <class F> Measured from_run(F&& of) {
        Report report;
        if (!ran_) {
            ran_ = true;
            in_double_ = departures<double>(compiled_, result_.step, 100, report);
            if (in_double_) in_quad_ = departures<quad>(compiled_, static_cast<quad>(result_.step), few_steps, report);
            if (!in_quad_) ended_ = "the run ended: " + report.what;
        }
        if (!in_quad_) return {{}, {}, ended_};
        return {of(*in_double_), static_cast<double>(of(*in_quad_)), {}};
    }

    // No line that is seen beyond its scatter, and nothing left behind. On irregular orbits errors come in bursts, so
    // that one half may be worse than the other: a line in the errors doubles them, and has little scatter.
    bool bounded() const {
        if (!result_.drift) return false;
        const Drift& d = *result_.drift;
        if (d.bounded()) return true;
        return d.second <= 4 * d.first &&
               std::abs(d.slope) <= std::max(0.15 * std::max(d.first, d.second), 5 * d.confidence);
    }

    std::optional<Drift> drift(double step, long long steps) {
        const double before = time_.seconds();
        return energy_drift(compiled_, step, steps, [&](long long done) {
            const double taken = time_.seconds() - before, others = before;
            time_.left(taken * static_cast<double>(steps - done) / static_cast<double>(done) + others);
        });
    }

    // A bound needs small steps, which only the user can know, and on irregular orbits it shows after a long time only:
    // a drift is still a drift with half the step, in a run 16 times as long.
    std::string long_run(bool promised) {
        result_.drift = drift(result_.step, result_.steps);
        std::string how;
        for (long long longer : {1, 4, 16}) {
            const double work = static_cast<double>(state_count()) * static_cast<double>(longer * result_.steps);
            if (!promised || bounded() || work > 1e7) break;
            result_.drift = drift(result_.step / 2, 2 * longer * result_.steps);
            how = ", with half the step" + (longer > 1 ? " for " + std::to_string(longer) + " times as long" : "");
        }
        return how;
    }

    MeasuredClaim judge_energy(const Claim& claim, MeasuredClaim m) {
        const std::optional<Condition> missing = preserved_.first_missing(claim.conditions);
        if (claim.answer == Answer::yes && missing) {
            m.remark = "needs: " + std::string(to_text(*missing));
            return m;
        }
        const std::string how = long_run(claim.answer == Answer::yes);
        if (!result_.drift) {
            m.remark = "the long run does not reach its end";
            return m;
        }
        const Drift& drift = *result_.drift;
        m.measured = std::max(drift.first, drift.second);
        char words[160];
        std::snprintf(words, sizeof words, "drift %.2g +- %.2g over the run%s", drift.slope, drift.confidence,
                      how.c_str());
        m.remark = words;
        if (claim.answer == Answer::yes && *m.measured >= 1)
            m.remark = "needs: small steps; the error is as large as the energy itself";
        else if (claim.answer == Answer::yes && !bounded() && drift.spread[1] > 1.5 * drift.spread[0])
            m.remark += "; the motion itself is not bounded";
        else if (claim.answer == Answer::yes)
            m.verdict = bounded() ? MeasuredClaim::pass : MeasuredClaim::fail;
        else if (claim.answer == Answer::no && !bounded())
            m.verdict = MeasuredClaim::pass;
        else
            m.remark += bounded() ? "; nothing is promised, it stays bounded here" : "; nothing is promised";
        return m;
    }

    MeasuredClaim order() {
        MeasuredClaim m;
        const int claimed = method_.order;
        m.name = "order", m.claimed = std::to_string(claimed);
        if (state_count() > most_states) {
            m.remark = "too large to be measured in quad; 'order' does it";
            return m;
        }
        // Where the step is too coarse for the order to show, it shows over a shorter time.
        const int coarsest = claimed > 8 ? 4 : 8;
        OrderOptions options{.coarsest = coarsest, .most_halvings = 3};
        if (time_)
            options.progress = [&](long long done, long long total) {
                time_.left(static_cast<double>(total - done) / 1000);
            };
        for (double shorter : {1.0, 8.0, 64.0}) {
            options.until = coarsest * result_.step / shorter;
            try {
                result_.order = observed_order(compiled_, options);
            } catch (const std::exception& e) {
                m.remark = e.what();
                return m;
            }
            if (std::abs(result_.order.order - claimed) <= order_slack) break;
        }
        const OrderStudy& study = result_.order;
        if (!study.moved) {
            m.remark = study.note;
            return m;
        }
        if (!study.errors.empty() && study.errors.back() < real::in_round_off(1e-25)) {
            m.verdict = MeasuredClaim::pass, m.remark = "exact on this model";
            return m;
        }
        if (study.orders.empty()) {
            m.remark = study.note;
            return m;
        }
        m.measured = study.order;
        m.verdict = study.order >= claimed - order_slack ? MeasuredClaim::pass : MeasuredClaim::fail;
        if (study.order > claimed + order_slack) m.remark = "higher than claimed on this model";
        return m;
    }

    // Comparing forms takes n^4 operations a step.
    int form_steps() const { return state_count() <= 24 ? few_steps : state_count() <= 48 ? 4 : 1; }

    std::size_t state_count() const { return static_cast<std::size_t>(method_.step.state.count()); }

    Model model_; // to derive from
    CompiledMethod compiled_;
    const Method& method_;
    std::vector<Claim> claims_;
    Sample sample_;
    Preserved preserved_;
    TimeLeft time_;
    Verification result_;
    bool ran_ = false;
    std::optional<Departures<double>> in_double_;
    std::optional<Departures<quad>> in_quad_;
    std::string ended_, remark_of_;
};

} // namespace

std::string_view to_text(MeasuredClaim::Verdict verdict) {
    switch (verdict) {
    case MeasuredClaim::pass: return "pass";
    case MeasuredClaim::fail: return "fail";
    case MeasuredClaim::not_applicable: break;
    }
    return "not applicable";
}

bool Verification::holds() const {
    return std::none_of(claims.begin(), claims.end(),
                        [](const MeasuredClaim& c) { return c.verdict == MeasuredClaim::fail; });
}

Verification verify(const Model& model, const Method& method, const std::vector<Claim>& claims,
                    const VerifyOptions& options) {
    return Verifier(model, method, claims, options).run();
}

Verification verify(const Model& given, const MethodName& name, const VerifyOptions& options) {
    const std::optional<Model> independent = with_independent_constraints(given);
    const Model& model = independent ? *independent : given;
    return verify(model, build_method(model, name), find_scheme(name.id).claims(name.options), options);
}

} // namespace rattleback
