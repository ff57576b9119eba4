// Constraints at the stages of a method. The step is solved a second time with its stages among the results: what a run
// computes does not change, and the constraints are the model's own, whatever the method made of them.
#include <rattleback/evidence.hpp>

#include <algorithm>

#include "evidence/defects.hpp"
#include "run/compiled.hpp"
#include "run/initial.hpp"
#include "run/stepper.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// The residuals at all stages: velocity constraints of each, then holonomic ones of each.
struct AtStages {
    Vec all, sizes;
    std::size_t velocity = 0; // of them
};
AtStages residuals_at_stages(const Model& model, const Step& step) {
    const Residuals residuals = constraint_residuals(model);
    const Vec place = model.kind == Model::general ? model.z : concat({model.q, model.v});
    AtStages at;
    for (const Vec& kind : {residuals.velocity, residuals.holonomic}) {
        const Vec sizes = sizes_of_constraints(model, kind);
        for (const Stage& s : step.stages) {
            const Vec there = model.kind == Model::general ? s.z : concat({s.q, s.v});
            const auto moved = [&](const Vec& f) {
                return substitute(f,
                                  {{place, there}, {model.centre, step.centre}, {model.time_vec(), Vec({{"t", s.t}})}});
            };
            at.all = concat({at.all, moved(kind)}), at.sizes = concat({at.sizes, moved(sizes)});
        }
    }
    at.velocity = step.stages.size() * static_cast<std::size_t>(residuals.velocity.count());
    return at;
}

template <class T> class StageReader {
  public:
    explicit StageReader(const Formulas& formulas)
        : StageReader(formulas, residuals_at_stages(formulas.model, formulas.method.step)) {}

    // Before the stepper takes the step from t.
    bool read(const Stepper<T>& stepper, T t, T h, Report& report) {
        stepper.parts().give(t, h, solver_.given());
        if (!solver_.solve(report)) return false;
        seen_.resize(solver_.result_count() / 2);
        for (std::size_t i = 0; i < seen_.size(); ++i)
            seen_[i].add(solver_.result(i), solver_.result(seen_.size() + i));
        return true;
    }
    StageResiduals<T> worst() const {
        StageResiduals<T> all;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            T& largest = i < velocity_ ? all.velocity : all.holonomic;
            largest = std::max(largest, seen_[i].relative());
        }
        return all;
    }

  private:
    StageReader(const Formulas& formulas, const AtStages& at)
        : velocity_(at.velocity), solver_(compile_for(formulas.model, {.graph = formulas.model.graph,
                                                                       .given = step_inputs(formulas).values(),
                                                                       .find = formulas.method.step.find,
                                                                       .equations = formulas.method.step.equations,
                                                                       .results = concat({at.all, at.sizes}),
                                                                       .restarts = restarts_of(formulas)})) {}

    std::size_t velocity_;
    SystemSolver<T> solver_;
    std::vector<Extremes<T>> seen_;
};

} // namespace

template <class T>
std::optional<StageResiduals<T>> stage_residuals(const CompiledMethod& compiled, T h, int steps, Report& report) {
    const Method& method = compiled.method();
    if (method.step.stages.empty()) return {};
    Stepper<T> stepper(compiled);
    StageReader<T> reader(compiled.parts().copy_of_formulas());
    if (!stepper.start(report, h)) return {};
    const bool composed = method.substeps.size() > 1;
    for (int k = 0; k < steps; ++k) {
        quad at = 0;
        for (quad fraction : method.substeps) {
            const T t = stepper.t0() + (static_cast<T>(k) + static_cast<T>(at)) * h,
                    part = static_cast<T>(fraction) * h;
            if (!reader.read(stepper, t, part, report) || !stepper.parts().sub_step(t, part, composed, report))
                return k > 10 ? std::optional(reader.worst()) : std::nullopt;
            at += fraction;
        }
    }
    return reader.worst();
}

template std::optional<StageResiduals<double>> stage_residuals(const CompiledMethod&, double, int, Report&);
template std::optional<StageResiduals<quad>> stage_residuals(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
