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

    // q and p of a node as results show them: of coordinates on groups elements, and momenta seen from the body.
    std::pair<std::vector<double>, std::vector<double>> node(const Path& path, std::size_t k) const;

  private:
    std::vector<double> carried(const Path& path, std::size_t k, std::size_t states) const;
    Model started(const Path& path) const;
    Run run_of(const Model& model, const Path& path, const Inputs& inputs, const std::string& command) const;
    std::vector<double> inputs(const Path& path, const Inputs& beginning, bool last) const;

    const Model& model_;
    const Problem& problem_;
    std::string method_;
    std::shared_ptr<SystemSolver<double>> shown_; // of coordinates on groups
};

} // namespace rattleback::boundary
