// The metric whose geodesics a model has: H = |p|^2 / 2 is a quadratic form of p, of full rank (Riemannian) or less
// (sub-Riemannian: directions that the dynamics or the constraints do not allow have no length).
#pragma once

#include "evidence/linear.hpp"
#include <rattleback/model.hpp>

namespace rattleback::boundary {

// The matrix A of H = p . A p / 2 at a place; costates of [control] have H = - p . A p / 2. Throws Unsuitable, naming
// what is in the way, where the motions of the model are no geodesics of a metric, or A is not finite there.
Dense cometric_at(const Model& model, const std::vector<double>& q);

// Costates of length 1 at a place: p . A p = 1. They are a sphere times a vector space: with A = B B^T of rank m, rows
// of B that are independent belong to m coordinates; w on the sphere of dimension m - 1 and the costates h of the other
// coordinates, which may be any numbers, determine those of the first.
class UnitCostates {
  public:
    explicit UnitCostates(const Dense& cometric);

    std::size_t coordinates() const { return n_; }
    std::size_t rank() const { return independent_.size(); }
    const std::vector<std::size_t>& others() const { return others_; } // coordinates whose costates are h
    std::vector<double> at(const std::vector<double>& w, const std::vector<double>& h) const;
    // Columns: what p changes by when w moves along the columns of `along`, and when h does.
    Dense slopes(const Dense& along) const;

  private:
    std::size_t n_;
    std::vector<std::size_t> independent_, others_;
    Dense by_w_, by_h_; // p = by_w w + by_h h
};

} // namespace rattleback::boundary
