// What a stepper and a reader of nodes consist of.
#pragma once

#include <rattleback/stepper.hpp>

#include <algorithm>

#include "run/step_code.hpp"
#include "solve/collocation.hpp"
#include "solve/system.hpp"

namespace rattleback {

template <class T> struct Stepper<T>::Parts {
    explicit Parts(CompiledMethod method);
    Parts(const Parts& other); // without the solver, which is scratch memory

    bool start(const InitialData<T>& data, T start_time, Report& report, T step_size);
    bool start(Report& report, T step_size, bool project);
    bool advance(long long k, T step_size, Report& report);
    bool advance_from(T t, T size, Report& report); // a step from any time
    // One application of the step itself; steady: the next one has another size or direction.
    bool sub_step(T t, T size, bool steady, Report& report);
    void set_parameters(const std::vector<T>& values);

    // What the systems of a step are given: the state, the hint if they read it, t, h and the parameters.
    void give(T t, T size, T* given, bool with_hint = true) const;
    void help_newton(T t, T size, T* given); // better starting values among these, where stages are iterated on
    // Whether its parameters need the step that does not divide by them: see CompiledMethod::Parts::step_for. Machine
    // code is made of the other one alone.
    bool is_division_free() const { return step != &compiled.parts().step; }
    // From here on in machine code, with the same bits; only in double.
    void use(std::shared_ptr<const StepCode> made) { code = std::move(made); }
    void use(std::shared_ptr<const SectionCode> made);
    SystemSolver<T>& solver();                // of the step
    void end_iterations_at(double tolerance); // of fixed-point iterations, in place of what the method says

    CompiledMethod compiled;
    std::vector<T> state, low, hint, parameters;
    T t0 = 0, h = Real<T>::nan;
    T controlled_h = 0; // the present step of methods that control theirs

  private:
    bool controlled_advance(T t, T size, Report& report);
    bool coded_advance(T t, T size, Report& report);
    bool has_stages() const { return compiled.parts().stages && !is_division_free(); }
    StageIteration<T>& stage_solver();
    bool take_stages(T t, T size, bool steady, Report& report);
    bool passes_hint_through() const;
    void choose_pivots(SystemSolver<T>& of) const;
    void begin_with_least_inputs();

    const NamedSystem* step = nullptr;
    std::unique_ptr<SystemSolver<T>> made_solver; // when it is first needed
    bool reads_hint = true; // whether its system does; else the hint stays as it is, and is not copied to and fro
    std::unique_ptr<StageIteration<T>> made_stages;
    std::shared_ptr<const StepCode> code;
    std::shared_ptr<const SectionCode> sections;
};

template <class T> struct NodeReader<T>::Parts {
    explicit Parts(const NamedSystem& system);

    bool read(const Stepper<T>& stepper, T t, Report& report);
    bool read_given(T t, Report& report); // from what its solver is given
    void show(const ShownNode& shown);    // which results rows have
    // From such a row, which a step has shown.
    template <class Row> void take(const Row& row) {
        node.velocity_residual = row(1), node.holonomic_residual = row(2);
        node.constraint = std::max(node.velocity_residual, node.holonomic_residual);
        for (std::size_t i = 0; i < columns.size(); ++i) results[columns[i]] = row(3 + i);
        spread();
    }
    void append_to(std::vector<T>& row) const { // such a row, without its first number
        row.insert(row.end(), {node.velocity_residual, node.holonomic_residual});
        for (std::size_t result : columns) row.push_back(results[result]);
    }
    std::size_t column_of(std::size_t result) const { // in such a row
        return 3 + static_cast<std::size_t>(std::find(columns.begin(), columns.end(), result) - columns.begin());
    }

    SystemSolver<T> solver;
    std::shared_ptr<const StepCode> code; // if there is any: as of Stepper
    std::vector<T> results;               // all that the node system computes, in its order
    NodeValues<T> node;

  private:
    bool coded_solve();
    void spread();

    std::vector<std::pair<std::size_t, std::vector<T> NodeValues<T>::*>> places; // among the results
    std::vector<std::size_t> columns; // of a row, from the third on: their places among the results
    bool reads_hint;
    std::size_t energy, velocity_residuals, holonomic_residuals, end_of_residuals;
};

} // namespace rattleback
