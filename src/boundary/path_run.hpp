// A path as a run of the user's model: its nodes with all columns, and the inputs at its first and last stage.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/path.hpp"

namespace rattleback::boundary {

class PathShown {
  public:
    PathShown(const Model& model, const Problem& problem, const std::string& method);
    using Inputs = std::function<std::vector<double>(double)>; // with which unknown inputs begin; see inputs_of
    void show(const Path& path, const Inputs& inputs, Solution& to, const std::string& command) const;

    // Of another extremal.
    Run run_of(const Path& path, const Inputs& inputs, const std::vector<double>& parameters,
               const std::string& command) const;

  private:
    Run run_of(const Model& model, const Path& path, const Inputs& inputs, const std::string& command) const;
    std::vector<double> inputs(const Path& path, const Inputs& beginning, bool last) const;

    const Model& model_;
    const Problem& problem_;
    std::string method_;
};

} // namespace rattleback::boundary
