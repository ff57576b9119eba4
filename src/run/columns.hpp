// The columns of a run, listed in one place: a new group is a field of the node system (node.cpp) and an entry here
// with the same name; every file format and page has it then.
#pragma once

#include <rattleback/run.hpp>

#include <algorithm>

#include "solve/fields.hpp"

namespace rattleback {

class Columns {
  public:
    // node: what the node system returns, by name.
    Columns(const Model& model, const Method& method, const Fields& node);
    const std::shared_ptr<const Layout>& layout() const { return layout_; }
    void read(double t, const NodeReader<double>& node, std::vector<double>& row) const;
    // The same of a row that a step has shown, whose numbers shown(place) returns: see ShownNode.
    template <class Shown> void take(double t, const Shown& shown, std::vector<double>& row) const {
        row.resize(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) row[i] = shown(places_[i]);
        row[time_] = t, row[constraint_] = std::max(shown(1), shown(2));
    }

  private:
    std::shared_ptr<const Layout> layout_;
    std::vector<std::optional<Fields::Field>> sources_; // of each group, among the results of a node
    std::vector<std::size_t> places_;                   // of each column, in such a row
    std::size_t time_ = 0, constraint_ = 0;             // columns that are no results
};

// Roles of groups as stored files name them.
std::string_view to_text(ColumnGroup::Role role);
std::optional<ColumnGroup::Role> role_of(std::string_view text);

// What a model says of itself; method, step and command are still to be filled in.
Origin origin_of(const Model& model);
// The model with these parameters, this start and the same bits; `set`: parameters that get still other values. Throws
// BadModel where there is no text (models built in C++), BadRun where numbers and text do not belong together.
Model model_of(const Origin& origin, const LoadOptions::Pairs& set = {});

// What --json has besides the columns of the last node: elements of groups and velocities of bodies, one after the
// other.
void note_elements(const Model& model, Summary& to);

} // namespace rattleback
