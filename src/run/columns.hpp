// The columns of a run, listed in one place: a new group is a field of the node system (node.cpp) and an entry here
// with the same name; every file format and page has it then.
#pragma once

#include <rattleback/run.hpp>

#include "solve/fields.hpp"

namespace rattleback {

class Columns {
  public:
    // node: what the node system returns, by name.
    Columns(const Model& model, const Method& method, const Fields& node);
    const std::shared_ptr<const Layout>& layout() const { return layout_; }
    void read(double t, const NodeReader<double>& node, std::vector<double>& row) const;

  private:
    std::shared_ptr<const Layout> layout_;
    std::vector<std::optional<Fields::Field>> sources_; // of each group, among the results of a node
};

// What a model says of itself; method, step and command are still to be filled in.
Origin origin_of(const Model& model);

} // namespace rattleback
