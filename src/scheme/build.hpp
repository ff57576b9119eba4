// A method built in the graph of its model, to which its formulas are added: for those who have the model to
// themselves, as deep_copy gives it.
#pragma once

#include <rattleback/scheme.hpp>

#include <span>

namespace rattleback {

struct MethodAlias { // what people type, and what it stands for
    std::string_view name, means;
};
std::span<const MethodAlias> method_aliases();

Method build_in_graph(const Model& model, const MethodName& name);
Method build_in_graph(const Model& model, const Scheme& scheme, const Options& options, const std::string& text = {});
// The same before its charts of groups are carried: a composition changes them between its steps only.
Method build_base(const Model& model, const Scheme& scheme, const Options& options, const std::string& text);

// Whether a step is taken in charts of a group that are centred anew now and then: those of groups in space; the plane
// has one chart.
bool changes_charts(const Step& step, const Model& model);

} // namespace rattleback
