// All models of the laws, a file for each theory.
#pragma once

#include "laws/models/general.hpp"
#include "laws/models/groups.hpp"
#include "laws/models/holonomic.hpp"
#include "laws/models/nonholonomic.hpp"
#include "laws/models/phase.hpp"
#include "laws/models/unconstrained.hpp"
#include "laws/models/variational.hpp"

namespace rattleback::laws {

inline const std::vector<TestModel>& models() {
    static const std::vector<TestModel> all = [] {
        std::vector<TestModel> result;
        for (const auto& theory : {unconstrained_models(), general_models(), nonholonomic_models(), holonomic_models(),
                                   variational_models(), phase_models(), group_models()})
            result.insert(result.end(), theory.begin(), theory.end());
        return result;
    }();
    return all;
}

} // namespace rattleback::laws
