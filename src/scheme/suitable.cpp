// Which models a method takes, and what is said of those that it does not.
#include "scheme/common.hpp"

#include "expr/graph.hpp"

namespace rattleback {

bool is_variational(const Model& model) { return model.variational && !model.velocity.empty(); }

void require_no_multipliers_but_variational(const Model& model, const std::string& method) {
    if (is_variational(model) && model.holonomic.empty() && model.phase.empty()) return;
    if (is_variational(model))
        throw Unsuitable(
            "method '" + method +
            "' takes variational constraints on velocities alone; rattle_midpoint and lobatto take holonomic "
            "ones beside them");
    require_unconstrained(model, method);
}

Nonholonomic nonholonomic(const Model& model, const std::string& method) {
    if (model.kind == Model::general || !model.constrained() || (model.velocity.empty() && !model.holonomic.empty()))
        throw Unsuitable("method '" + method + "' takes nonholonomic models; this model has " +
                         (model.holonomic.empty() ? "no velocity constraints" : "holonomic constraints only"));
    if (!model.phase.empty()) throw Unsuitable("method '" + method + "' takes no phase constraints");
    if (model.variational)
        throw Unsuitable("method '" + method +
                         "' takes nonholonomic models; this model says principle = \"variational\"");
    return Nonholonomic(model);
}

Nonholonomic holonomic(const Model& model, const std::string& method) {
    if (model.kind == Model::general || !model.velocity.empty() || !model.phase.empty())
        throw Unsuitable("method '" + method + "' takes holonomic constraints; this model has " +
                         (model.kind == Model::general ? "variables z"
                          : !model.phase.empty()       ? "phase constraints"
                          : model.variational          ? "variational ones: try gauss or rattle_midpoint"
                                                       : "nonholonomic ones: try nh_gauss or nh_rattle"));
    return Nonholonomic(model);
}

bool is_affine(const Nonholonomic& system) { return jacobian(system.reaction(system.lambda), system.v).empty(); }

void require_unconstrained(const Model& model, const std::string& method) {
    if (!model.constrained()) return;
    const char* kind = !model.phase.empty()     ? "phase constraints"
                       : model.velocity.empty() ? "holonomic constraints: try rattle or lobatto"
                       : model.variational      ? "variational constraints: try gauss"
                                                : "nonholonomic constraints: try nh_gauss or gni";
    throw Unsuitable("method '" + method + "' takes models without constraints; this model has " + kind);
}

} // namespace rattleback
