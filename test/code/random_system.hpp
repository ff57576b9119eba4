// Random systems of equations: linear and nonlinear blocks of any size and pattern, whose coefficients are numbers,
// steady and changing values, products and functions of them, so that all that src/solve does to formulas happens, and
// so that pivots vanish, cancel and come in a bad order.
#pragma once

#include "solve/system.hpp"

#include <random>

namespace rattleback::test {

class RandomSystem {
  public:
    enum Pattern { dense, sparse, tridiagonal };
    RandomSystem(unsigned seed, std::size_t unknowns, Pattern pattern, bool linear)
        : random_(seed), n_(unknowns), pattern_(pattern), linear_(linear) {
        for (std::size_t i = 0; i < changing; ++i) given_.push_back(symbol("c", i));
        for (std::size_t i = 0; i < steady; ++i) given_.push_back(symbol("s", i));
        for (std::size_t i = 0; i < n_; ++i) unknowns_.push_back(symbol("u", i));
        const std::vector<std::size_t> shuffled = permutation();
        for (std::size_t i = 0; i < n_; ++i) residuals_.push_back({"r", residual(i, shuffled[i])});
    }

    System system() const {
        System s{.graph = graph_,
                 .given = given_,
                 .find = {{unknowns_, {}}},
                 .equations = {{residuals_, zeros()}},
                 .results = results()};
        for (std::size_t i = 0; i < n_; ++i) s.find[0].guess.push_back({"g", 0.1 * given_[i % changing].value});
        s.steady = steady, s.typical = std::vector<double>(steady, 0.8);
        return s;
    }
    // The equations as they were written, as results of what is given and found: nothing is rewritten in them.
    System check() const {
        Vec all = given_;
        for (const Component& u : unknowns_) all.push_back(u);
        return {.graph = graph_, .given = all, .find = {}, .equations = {}, .results = residuals_};
    }
    // Some of what changes is 0, tiny, or alike; what is steady is within a factor of 3 of what is typical.
    std::vector<double> values(std::mt19937& random) const {
        std::vector<double> x;
        const auto fraction = [&] { return static_cast<double>(random() % 4001) / 4000; };
        const bool wild = random() % 3 == 0;
        for (std::size_t i = 0; i < changing; ++i) {
            const double any = 4 * fraction() - 2;
            const unsigned kind = wild ? random() % 6 : 5;
            x.push_back(kind == 0 ? 0 : kind == 1 ? 1e-9 * any : kind == 2 && i > 0 ? x[i - 1] : any);
        }
        for (std::size_t i = 0; i < steady; ++i) x.push_back(0.3 + 2 * fraction());
        return x;
    }
    // None of them is close to 0 or to another.
    bool is_ordinary(const std::vector<double>& x) const {
        for (std::size_t i = 0; i < changing; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                if (std::abs(x[i] - (i == j ? 0 : x[j])) < 0.05) return false;
        return true;
    }
    std::size_t unknowns() const { return n_; }

  private:
    static constexpr std::size_t changing = 6, steady = 3;

    Component symbol(const char* name, std::size_t i) {
        const std::string text = name + std::to_string(i);
        return {text, graph_->symbol(text)};
    }
    std::vector<std::size_t> permutation() {
        std::vector<std::size_t> p(n_);
        for (std::size_t i = 0; i < n_; ++i) p[i] = i;
        if (pattern_ != tridiagonal) std::shuffle(p.begin(), p.end(), random_);
        return p;
    }
    bool present(std::size_t row, std::size_t column) {
        if (pattern_ == tridiagonal) return row <= column + 1 && column <= row + 1;
        return pattern_ == dense || random_() % n_ < 2;
    }
    // Equation `row` has unknown `own` for certain.
    Expr residual(std::size_t row, std::size_t own) {
        Expr sum = -given_[row % changing].value - Expr(1 + static_cast<double>(row) / 8);
        for (std::size_t j = 0; j < n_; ++j) {
            if (j != own && !present(row, j)) continue;
            const Expr u = unknowns_[j].value, c = coefficient(j == own);
            sum = sum + c * u;
            if (linear_ || random_() % 2) continue;
            const Expr v = unknowns_[random_() % (pattern_ == tridiagonal ? 1 : n_) * (pattern_ != tridiagonal)].value;
            const Expr w = pattern_ == tridiagonal ? u : v;
            const Expr curved[] = {fn::sin(u), u * w, fn::exp(-u * u), u * u * u, fn::cos(u - w)};
            sum = sum + coefficient(false) * curved[random_() % std::size(curved)] / 16;
        }
        return sum;
    }
    Expr coefficient(bool own) {
        const Expr s = given_[changing + random_() % steady].value, c = given_[random_() % changing].value;
        const double number = 0.1 * static_cast<double>(2 + random_() % 23);
        switch (random_() % 10) {
        case 0: return number;
        case 1: return s;
        case 2: return -number * s;
        case 3: return c;
        case 4: return c * s + number;
        case 5: return fn::sin(c) / (1 + s * s);
        case 6: return number / (s * s + 1) * c;
        case 7: return number * (0.3 * s + 0.3 * c); // two numbers whose product is none
        case 8: return own ? s + c : 1e-6 * s;       // steady, but not to be divided by
        default: return own ? number + s : number * c - s;
        }
    }
    Vec zeros() const {
        Vec z;
        for (std::size_t i = 0; i < n_; ++i) z.push_back({"0", Expr(0)});
        return z;
    }
    Vec results() const { // the unknowns, and what follows from functions in the residual
        Vec all = unknowns_;
        all.push_back({"sine", fn::sin(unknowns_[0].value) * given_[changing].value});
        return all;
    }

    std::mt19937 random_;
    std::size_t n_;
    Pattern pattern_;
    bool linear_;
    std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
    Vec given_, unknowns_, residuals_;
};

} // namespace rattleback::test
