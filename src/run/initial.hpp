// Consistent initial data: q with v and p, or z with all its components.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

template <class T> struct InitialData { std::vector<T> q, v, p, z; };

// Throws Unsuitable where L_vv is singular whatever the numbers are, naming the velocities.
void require_regular_structure(const Model& model);
// Compiles what a method makes of a model. Where the Lagrangian itself is at fault, that is said, and not what became
// of it in the method's equations.
std::shared_ptr<const CompiledSystem> compile_for(const Model& model, const System& system);

// From the model's data: p from v or v from p; the components of z that grad H determines.
template <class T> bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report);

// State and hint of a step from consistent data.
template <class T>
bool start_values(const Model& model, const Step& step, const std::vector<T>& q_or_z, const std::vector<T>& v,
                  const std::vector<T>& p, T t0, const std::vector<T>& parameters, std::vector<T>& state,
                  std::vector<T>& hint, Report& report);

} // namespace rattleback
