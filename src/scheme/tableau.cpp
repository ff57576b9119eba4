#include "scheme/tableau.hpp"

#include <algorithm>

#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

// The Legendre polynomial P_n and its derivative at x in (-1, 1), by the three-term recursion.
std::pair<quad, quad> legendre(int n, quad x) {
    quad p = 1, before = 0;
    for (int k = 1; k <= n; ++k) {
        const quad next =
            (static_cast<quad>(2 * k - 1) * x * p - static_cast<quad>(k - 1) * before) / static_cast<quad>(k);
        before = p, p = next;
    }
    return {p, static_cast<quad>(n) * (before - x * p) / (1 - x * x)};
}

// Its zeros, by Newton's method, symmetric to the last bit.
std::vector<quad> legendre_zeros(int n) {
    std::vector<quad> zeros;
    const quad quarter = static_cast<quad>(1) / 4;
    for (int i = 0; i < n; ++i) {
        quad x = -real::cos(real::pi() * (static_cast<quad>(i) + 3 * quarter) / (static_cast<quad>(n) + 2 * quarter));
        for (int iteration = 0; iteration < 100; ++iteration) {
            const auto [p, slope] = legendre(n, x);
            x -= p / slope;
            if (real::abs(p / slope) < 4 * Real<quad>::epsilon) break;
        }
        zeros.push_back(x);
    }
    for (std::size_t i = 0, j = zeros.size() - 1; i <= j && j < zeros.size(); ++i, --j) {
        const quad x = (zeros[j] - zeros[i]) / 2;
        zeros[j] = x, zeros[i] = -x;
    }
    return zeros;
}

// The zeros of P'_n, between those of P_n; by Newton's method with (1 - x^2) P'' = 2 x P' - n (n + 1) P.
std::vector<quad> legendre_extrema(int n) {
    std::vector<quad> extrema;
    const std::vector<quad> zeros = legendre_zeros(n);
    for (std::size_t i = 0; i + 1 < zeros.size(); ++i) {
        quad x = (zeros[i] + zeros[i + 1]) / 2;
        for (int iteration = 0; iteration < 100; ++iteration) {
            const auto [p, slope] = legendre(n, x);
            const quad step = slope * (1 - x * x) / (2 * x * slope - static_cast<quad>(n * (n + 1)) * p);
            x -= step;
            if (real::abs(step) < 4 * Real<quad>::epsilon) break;
        }
        extrema.push_back(x);
    }
    for (std::size_t i = 0, j = extrema.size(); i < j--; ++i) { // symmetric to the last bit
        const quad x = (extrema[j] - extrema[i]) / 2;
        extrema[j] = x, extrema[i] = -x;
    }
    return extrema;
}

// a_ij = integral of the j-th basis polynomial over (0, c_i), by a Gauss rule scaled to that interval (exact).
std::vector<std::vector<quad>> collocation(const std::vector<quad>& c, const std::vector<quad>& nodes,
                                           const std::vector<quad>& weights) {
    std::vector<std::vector<quad>> a;
    for (quad ci : c) {
        std::vector<quad> row(c.size(), 0);
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const std::vector<quad> l = lagrange_basis(c, ci * nodes[k]);
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += ci * weights[k] * l[j];
        }
        a.push_back(std::move(row));
    }
    return a;
}

} // namespace

std::vector<quad> lagrange_basis(const std::vector<quad>& nodes, quad x) {
    std::vector<quad> values;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
        quad l = 1;
        for (std::size_t k = 0; k < nodes.size(); ++k)
            if (k != j) l *= (x - nodes[k]) / (nodes[j] - nodes[k]);
        values.push_back(l);
    }
    return values;
}

Tableau gauss(int s) {
    Tableau t;
    for (quad x : legendre_zeros(s)) t.c.push_back((1 + x) / 2);
    for (quad c : t.c) { // b_i = 1 / ((1 - x^2) P'(x)^2), x = 2 c - 1
        const quad x = 2 * c - 1, slope = legendre(s, x).second;
        t.b.push_back(1 / ((1 - x * x) * slope * slope));
    }
    t.a = collocation(t.c, t.c, t.b);
    return t;
}

Tableau lobatto_a(int s) {
    Tableau t;
    std::vector<quad> x{-1};
    for (quad e : legendre_extrema(s - 1)) x.push_back(e);
    x.push_back(1);
    for (quad xi : x) {
        const bool end = xi == 1 || xi == -1;
        const quad p = end ? 1 : legendre(s - 1, xi).first; // P(1) = 1, and only its square is used
        t.c.push_back((1 + xi) / 2);
        t.b.push_back(1 / (static_cast<quad>(s * (s - 1)) * p * p));
    }
    const Tableau rule = gauss(s);
    t.a = collocation(t.c, rule.c, rule.b);
    t.a.front().assign(t.b.size(), 0), t.a.back() = t.b; // known exactly: the ends are stages
    return t;
}

Tableau symplectic_partner(const Tableau& t) {
    Tableau partner = t;
    for (std::size_t i = 0; i < t.b.size(); ++i)
        for (std::size_t j = 0; j < t.b.size(); ++j) partner.a[i][j] = t.b[j] - t.b[j] * t.a[j][i] / t.b[i];
    return partner;
}

Tableau classical_rk4() {
    const quad half = static_cast<quad>(1) / 2, sixth = static_cast<quad>(1) / 6, third = static_cast<quad>(1) / 3;
    return {{{0, 0, 0, 0}, {half, 0, 0, 0}, {0, half, 0, 0}, {0, 0, 1, 0}},
            {sixth, third, third, sixth},
            {0, half, half, 1}};
}

quad symplectic_defect(const Tableau& t) {
    quad worst = 0;
    for (std::size_t i = 0; i < t.b.size(); ++i)
        for (std::size_t j = 0; j < t.b.size(); ++j)
            worst = std::max(worst, real::abs(t.b[i] * t.a[i][j] + t.b[j] * t.a[j][i] - t.b[i] * t.b[j]));
    return worst;
}

namespace {

// The partner of each stage in the adjoint method, with a_{P(i)P(j)} + a_ij = b_j and b_P(j) = b_j. It is searched, and
// not taken to be stage s + 1 - i, so that the order in which stages are written does not matter.
class Partners {
  public:
    explicit Partners(const Tableau& t) : t_(t), of_(t.b.size(), none), taken_(t.b.size(), false) {}

    // Partners for stage i and those after it.
    bool find(std::size_t i) {
        if (i == of_.size()) return true;
        for (std::size_t k = of_.size(); k-- > 0 && looked_ < most;) {
            if (taken_[k] || !fits(i, k)) continue;
            of_[i] = k, taken_[k] = true;
            if (find(i + 1)) return true;
            of_[i] = none, taken_[k] = false;
        }
        return false;
    }
    quad defect() const {
        quad worst = 0;
        for (std::size_t i = 0; i < of_.size(); ++i)
            for (std::size_t j = 0; j < of_.size(); ++j) worst = std::max(worst, at(i, j));
        return worst;
    }
    void reverse() {
        for (std::size_t i = 0; i < of_.size(); ++i) of_[i] = of_.size() - 1 - i;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr long most = 1000000; // pairs looked at, should a tableau have very many equal stages

    quad at(std::size_t i, std::size_t j) const { return real::abs(t_.a[of_[i]][of_[j]] + t_.a[i][j] - t_.b[j]); }
    bool fits(std::size_t i, std::size_t k) {
        ++looked_;
        const quad small = static_cast<quad>(1e-14);
        if (real::abs(t_.b[i] - t_.b[k]) > small) return false;
        of_[i] = k;
        bool good = true;
        for (std::size_t j = 0; j <= i && good; ++j) good = at(i, j) <= small && at(j, i) <= small;
        of_[i] = none;
        return good;
    }

    const Tableau& t_;
    std::vector<std::size_t> of_;
    std::vector<bool> taken_;
    long looked_ = 0;
};

} // namespace

quad symmetry_defect(const Tableau& t) {
    Partners partners(t);
    if (!partners.find(0)) partners.reverse();
    return partners.defect();
}

namespace {

// Rooted trees, as sorted lists of the indices of their subtrees; order by order.
struct Tree {
    std::vector<std::size_t> children;
    int order;
    quad density;             // gamma: order times the product of the children's
    std::vector<quad> weight; // per stage: product of (A * child weight)
};

void add_trees(std::vector<Tree>& trees, const Tableau& t, std::vector<std::size_t>& children, std::size_t from,
               int left, int order) {
    if (left == 0) {
        Tree tree{children, order, static_cast<quad>(order), std::vector<quad>(t.b.size(), 1)};
        for (std::size_t child : children) {
            tree.density *= trees[child].density;
            for (std::size_t i = 0; i < t.b.size(); ++i) {
                quad sum = 0;
                for (std::size_t j = 0; j < t.b.size(); ++j) sum += t.a[i][j] * trees[child].weight[j];
                tree.weight[i] *= sum;
            }
        }
        trees.push_back(std::move(tree));
        return;
    }
    const std::size_t known = trees.size();
    for (std::size_t i = from; i < known; ++i)
        if (trees[i].order <= left && trees[i].order < order) {
            children.push_back(i);
            add_trees(trees, t, children, i, left - trees[i].order, order);
            children.pop_back();
        }
}

} // namespace

int order_of(const Tableau& t, int at_most) {
    std::vector<Tree> trees;
    for (int order = 1; order <= at_most; ++order) {
        const std::size_t first = trees.size();
        std::vector<std::size_t> children;
        add_trees(trees, t, children, 0, order - 1, order);
        for (std::size_t k = first; k < trees.size(); ++k) {
            quad sum = 0;
            for (std::size_t i = 0; i < t.b.size(); ++i) sum += t.b[i] * trees[k].weight[i];
            if (real::abs(sum * trees[k].density - 1) > static_cast<quad>(1e-13)) return order - 1;
        }
    }
    return at_most;
}

} // namespace rattleback
