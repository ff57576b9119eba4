#include "run/divisions.hpp"
#include "solve/system.hpp"

namespace rattleback {

std::vector<double> typical_values(const Model& model) {
    std::vector<double> values{typical_step};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<double>(p.typical));
    return values;
}

bool can_divide(const CompiledSystem& system, const Vec& parameters, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == 0 && system.divides_by.contains(parameters[i].value.id())) return false;
    return true;
}

} // namespace rattleback
