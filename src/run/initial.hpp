// Consistent initial data: q with v and p, or z with all its components.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

template <class T> struct InitialData { std::vector<T> q, v, p, z; };

// From the model's data: p from v or v from p; the components of z that grad H determines.
template <class T> bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report);

// State and hint of a step from consistent data.
template <class T>
bool start_values(const Model& model, const Step& step, const std::vector<T>& q_or_z, const std::vector<T>& v,
                  const std::vector<T>& p, T t0, const std::vector<T>& parameters, std::vector<T>& state,
                  std::vector<T>& hint, Report& report);

} // namespace rattleback
