// Truncated power series in a few times t1, t2, ..., with first derivatives by the place they start from: what formulas
// become along flows. Numbers in place of formulas, whose derivatives of order 10 nobody can write down.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <rattleback/expr.hpp>

namespace rattleback {

// Which terms are kept: powers of each time up to its degree, times 1 or one of the `slopes` directions.
class JetSpace {
  public:
    JetSpace(std::vector<int> degrees, std::size_t slopes);
    std::size_t size() const { return terms_ * (slopes_ + 1); }
    std::size_t terms() const { return terms_; }
    std::size_t slopes() const { return slopes_; }
    int order() const { return order_; } // of the highest term
    // Where the terms begin whose part of all directions is `slope`; 0: those without one.
    std::size_t begin(std::size_t slope) const { return slope * terms_; }
    int power(std::size_t term, std::size_t time) const { return powers_[term * degrees_.size() + time]; }
    std::optional<std::size_t> raised(std::size_t term, std::size_t time) const; // by one power of that time
    struct Product {
        std::size_t left, right, term;
    };
    const std::vector<Product>& products() const { return products_; } // of terms without a direction

  private:
    std::vector<int> degrees_, powers_;
    std::size_t terms_ = 1, slopes_;
    int order_ = 0;
    std::vector<Product> products_;
};

using Jet = std::vector<double>; // the coefficients of a space's terms

Jet constant(const JetSpace& space, double value);
Jet plus(const Jet& x, const Jet& y, double sign = 1);
Jet times(const JetSpace& space, const Jet& x, const Jet& y);
Jet over(const JetSpace& space, const Jet& x, const Jet& y); // the first term of y must not be 0
Jet integral(const JetSpace& space, const Jet& x, std::size_t time);

// Formulas, evaluated with jets in place of some of their symbols and numbers in place of the others.
class JetFormulas {
  public:
    // Empty where one has a function whose series is not known here.
    static std::optional<JetFormulas> of(const Graph& graph, const std::vector<Expr>& formulas);

    const std::vector<NodeId>& symbols() const { return symbols_; }
    // `values`: one jet a symbol. Empty: no value there.
    std::vector<Jet> at(const JetSpace& space, const std::vector<Jet>& values) const;

  private:
    const Graph* graph_ = nullptr;
    std::vector<NodeId> order_, symbols_, results_; // order: of evaluation
};

} // namespace rattleback
