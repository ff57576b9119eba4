// What a compiled method consists of.
#pragma once

#include <rattleback/compile.hpp>

#include <functional>
#include <mutex>
#include <optional>

#include "model/copy.hpp"
#include "solve/fields.hpp"
#include "solve/implicit.hpp"
#include "solve/system.hpp"

namespace rattleback {

struct CompiledStages;

// A short step, whatever the run's: the order of solution is the model's.
constexpr double typical_step = 0.01;
std::vector<double> typical_values(const Model& model); // of the step size and the parameters

// A model and a method in one graph, which belongs to whoever has them: more may be derived from them there.
struct Formulas {
    Model model;
    Method method;
};
Formulas deep_copy(const Formulas& formulas); // in a copy of their graph
// A copy of the model's formulas, with a method that is built there, or copied to there.
Formulas formulas_of(const Model& model, const MethodName& name);
Formulas formulas_of(const Model& model, const Scheme& scheme, const Options& options);
Formulas formulas_of(const Model& model, const Method& method);

// Made when it is first asked for, by whichever thread that is. Where that throws, the next one tries again.
template <class Value> class Lazy {
  public:
    template <class Make> const Value& get(Make&& make) const {
        const std::lock_guard lock(mutex_);
        if (!value_) value_.emplace(make());
        return *value_;
    }

  private:
    mutable std::mutex mutex_;
    mutable std::optional<Value> value_;
};

// The inputs of all systems of a step: "state", "hint", "t", "h", "parameters".
Fields step_inputs(const Formulas& f);
// From "z" or "q", "v", "p" and what else a start has to "state" and "hint".
NamedSystem start_system(const Formulas& formulas);
// Where these begin.
struct InputPlaces {
    explicit InputPlaces(const Fields& inputs)
        : state(inputs["state"].offset), hint(inputs["hint"].offset), t(inputs["t"].offset), h(inputs["h"].offset),
          parameters(inputs["parameters"].offset) {}
    std::size_t state, hint, t, h, parameters;
};

// Where the results of a step begin.
struct ResultPlaces {
    explicit ResultPlaces(const Fields& results, bool has_steady_hint)
        : increment(results["increment"].offset), next(results["next"].offset), hint(results["next hint"].offset),
          steady_hint(has_steady_hint ? results["steady hint"].offset : hint), error(results["error"].offset) {}
    std::size_t increment, next, hint, steady_hint, error;
};

struct CompiledMethod::Parts {
    explicit Parts(Formulas all);

    const Formulas formulas; // only read: see copy_of_formulas
    // To derive from.
    Formulas copy_of_formulas() const { return deep_copy(formulas); }
    const Model& model() const { return formulas.model; }
    const Method& method() const { return formulas.method; }

    // Results: "increment" of the sums, "next" of the other components, "next hint", "steady hint" (the hint for a step
    // of another size, where a method has one), "error".
    const NamedSystem step;
    const std::shared_ptr<const CompiledStages> stages; // of a method that iterates on them; else none
    const std::size_t states, parameters;
    const std::size_t newton_hints, hints; // starting values of Newton's method; with what `stages` carry, too
    const std::size_t sums; // components of the state that advance by increments; the others are replaced
    const InputPlaces places;
    const ResultPlaces result_places;
    // The step for these parameters: if one of those that it divides by is 0, a system that does not divide.
    const NamedSystem& step_for(const std::vector<double>& parameters) const;

    // From consistent initial data, "z", "q", "v", "p", "lambda", "t", "h", "parameters", to "state" and "hint".
    const NamedSystem& start() const;
    // From the inputs of a step to what a node shows: see node_system.
    const NamedSystem& node() const;
    // From the inputs of a step to the "state" that runs backwards.
    const NamedSystem& reverse() const;
    // Derivatives of the step, by its state and by the parameters; of what vanishes on all carried states; of the pairs
    // that make up the two-form.
    struct TangentMap {
        std::shared_ptr<const solve::ImplicitSystem> step, manifold; // manifold: none where states fill all of space
        solve::Jacobians form;
        std::shared_ptr<const CompiledSystem> forms;
    };
    const TangentMap& tangent() const;

  private:
    NamedSystem compile_step(bool divide) const;
    Lazy<NamedSystem> start_, node_, reverse_, division_free_;
    Lazy<TangentMap> tangent_;
};

// Where the systems of a step or node find multipliers of J z' = grad H: their starting values, the hint.
System::Restarts restarts_of(const Formulas& formulas);

// All that a node shows, in one system: "z", "q", "v", "p", "lambda", "energy", "momenta", "velocity residuals",
// "holonomic residuals", "observables", and what is asked for beside, "extra".
NamedSystem node_system(const Formulas& formulas, const std::vector<Expr>& extra = {});

// What a model says must vanish, wherever it is looked at.
struct Residuals {
    Vec velocity;  // of (t, q, v), or of z
    Vec phase;     // of (t, q, p)
    Vec holonomic; // of (t, q)
};
Residuals constraint_residuals(const Model& model); // constraints, or H_lambda of a singular structure

} // namespace rattleback
