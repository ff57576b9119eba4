// A method on a model, compiled once and only read from then on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rattleback/scheme.hpp>

namespace rattleback {

// The systems of equations of a method on a model: its step, its start, what nodes show, its tangent map. They live in
// graphs of their own, so that nothing is ever written to the model, and what one of them computes does not depend on
// what else was derived. A handle: copies share the same systems, and any number of threads may use them at once.
class CompiledMethod {
  public:
    const Model& model() const; // a copy of the one it was compiled from
    const Method& method() const;

    struct Parts; // src/run/compiled.hpp
    explicit CompiledMethod(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
    const Parts& parts() const { return *parts_; }

  private:
    std::shared_ptr<const Parts> parts_;
};

// Throw Unsuitable where the method does not fit the model, BadMethod where there is no such method or option.
CompiledMethod compile(const Model& model, const std::string& method); // "gauss:stages=3"
CompiledMethod compile(const Model& model, const Scheme& scheme, const Options& options = {});
// Of equations that were built by hand, with the model's formulas or with those of a copy.
CompiledMethod compile(const Model& model, const Method& method);

} // namespace rattleback
