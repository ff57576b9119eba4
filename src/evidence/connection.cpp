// The geometry of a mechanical system L = g(v, v)/2 - V with linear constraints mu v = 0 (de Leon, Martin de Diego and
// Santamaria 2004, section 5). With C = mu g^-1 mu^T, Z = g^-1 mu^T and the projector Q = Z C^-1 mu onto the complement
// of D,
//     nabla_q' q' = -grad V + lambda,  lambda = -C^-1 ((-Gamma q' q' - grad V) mu + q' q' dmu) Z        (26), (27)
//     nabla-bar_q' q' = -P grad V,  q' in D,  nabla-bar_X Y = nabla_X Y + (nabla_X Q) Y                 (28)
// The paper prints (27) without the minus sign that (26) needs. Forces F are added to -grad V as g^-1 F.
#include <cmath>

#include "evidence/chaplygin.hpp"
#include "model/copy.hpp"

namespace rattleback {
namespace {

class Connection {
  public:
    Connection(const Sample& sample, Tidy& tidy) : sample_(sample), model_(sample.model()), tidy_(tidy) {}

    bool applies() const {
        if (!has_linear_constraints(sample_)) return false;
        const Vec p = Mechanics(model_).momentum();
        std::vector<Expr> metric;
        for (const JacobianTerm& t : jacobian(p, model_.v)) metric.push_back(t.value);
        if (contains(*model_.graph, {model_.function}, model_.time_vec())) return false;
        const Vec at_rest = substitute(p, {{model_.v, zeros_like(model_.v)}});
        return !contains(*model_.graph, metric, model_.v) && vanish(at_rest);
    }

    bool find() {
        const std::size_t n = model_.q.size(), m = model_.velocity.size();
        g_ = formula_jacobian(Mechanics(model_).momentum(), model_.v);
        mu_ = formula_jacobian(model_.velocity, model_.v);
        FormulaMatrix right = transposed(mu_), identity = formula_matrix(m, m); // [mu^T, first kind, F - V_q]
        for (std::size_t a = 0; a < m; ++a) identity[a][a] = Expr(1);
        for (std::size_t l = 0; l < n; ++l) {
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t k = 0; k < n; ++k) right[l].push_back(first_kind(l, j, k));
            right[l].push_back(push(l));
        }
        const auto raised = solved_as_formulas(sample_, tidy_, g_, right);
        if (!raised) return false; // more than six coordinates
        Z_ = formula_matrix(n, m);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t a = 0; a < m; ++a) Z_[i][a] = (*raised)[i][a];
            gamma_.push_back({(*raised)[i].begin() + static_cast<std::ptrdiff_t>(m), (*raised)[i].end() - 1});
            push_.push_back({(*raised)[i].back()});
        }
        const auto inverse = solved_as_formulas(sample_, tidy_, product(mu_, Z_, tidy_), identity);
        if (!inverse) return false;
        weights_ = product(Z_, *inverse, tidy_);
        Q_ = product(weights_, mu_, tidy_);
        return true;
    }

    ShownEquations shown() const {
        ShownEquations result;
        const std::size_t n = model_.q.size();
        ShownEquations::Section metric{"metric g", {}}, projector{"projector Q = 1 - P onto the complement of D", {}},
            levi_civita{"nabla: Gamma^i_jk, j <= k", {}},
            reaction{"connection form: nabla_q' q' = " + std::string(model_.force.empty() ? "" : "g^-1 F ") +
                         "- grad V + lambda",
                     {}},
            constrained{"nabla-bar_X Y = nabla_X Y + (nabla_X Q) Y: component i of nabla-bar_j d/dq_k", {}},
            motion{"nabla-bar_q' q' = W, q' in D; W = " +
                       std::string(model_.force.empty() ? "-P grad V" : "P (g^-1 F - grad V)"),
                   {}};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i; j < n; ++j) add(metric, "g_", {}, {i, j}, g_[i][j]);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                add(projector, "Q^", {i}, {j}, Q_[i][j]);
                for (std::size_t k = 0; k < n; ++k) {
                    if (j <= k) add(levi_civita, "Gamma^", {i}, {j, k}, gamma_[i][j * n + k]);
                    add(constrained, "Gammabar^", {i}, {j, k}, constrained_symbol(i, j, k));
                }
            }
        for (std::size_t i = 0; i < n; ++i) {
            add(reaction, "lambda^", {i}, {}, lambda(i));
            add(motion, "W^", {i}, {}, projected(i));
        }
        result.sections = {metric, projector, levi_civita, reaction, constrained, motion};
        return result;
    }

  private:
    bool vanish(const Vec& formulas) const {
        for (const auto& point : sample_.at_all(formulas)) {
            if (point.empty()) return false;
            for (double x : point)
                if (!(std::abs(x) <= 1e-12)) return false;
        }
        return true;
    }

    Expr slope(const Expr& f, std::size_t k) const { return derivative(f, model_.q[k].value); }

    Expr first_kind(std::size_t l, std::size_t j, std::size_t k) const {
        return (slope(g_[l][j], k) + slope(g_[l][k], j) - slope(g_[j][k], l)) / 2;
    }
    Expr push(std::size_t l) const { // F - V_q
        const Expr at_rest = substitute(model_.function, {{model_.v, zeros_like(model_.v)}});
        return slope(at_rest, l) + (model_.force.empty() ? Expr(0) : model_.force[l].value);
    }

    // P Gamma + dQ + Gamma Q: what nabla Q, written out, leaves.
    Expr constrained_symbol(std::size_t i, std::size_t j, std::size_t k) const {
        const std::size_t n = model_.q.size();
        Expr sum = gamma_[i][j * n + k] + slope(Q_[i][k], j);
        for (std::size_t l = 0; l < n; ++l)
            sum = sum + gamma_[i][j * n + l] * Q_[l][k] - Q_[i][l] * gamma_[l][j * n + k];
        return tidy_(sum);
    }

    Expr lambda(std::size_t i) const {
        const std::size_t n = model_.q.size();
        Expr sum(0);
        for (std::size_t a = 0; a < mu_.size(); ++a) {
            Expr rate(0); // of mu_a q' without the reaction
            for (std::size_t l = 0; l < n; ++l) {
                Expr free = push_[l][0];
                for (std::size_t j = 0; j < n; ++j)
                    for (std::size_t k = 0; k < n; ++k)
                        free = free - gamma_[l][j * n + k] * model_.v[j].value * model_.v[k].value;
                rate = rate + mu_[a][l] * free;
                for (std::size_t j = 0; j < n; ++j)
                    rate = rate + slope(mu_[a][l], j) * model_.v[l].value * model_.v[j].value;
            }
            sum = sum - weights_[i][a] * tidy_(rate);
        }
        return tidy_(sum);
    }

    Expr projected(std::size_t i) const {
        Expr sum = push_[i][0];
        for (std::size_t l = 0; l < model_.q.size(); ++l) sum = sum - Q_[i][l] * push_[l][0];
        return tidy_(sum);
    }

    void add(ShownEquations::Section& to, const std::string& letter, const std::vector<std::size_t>& above,
             const std::vector<std::size_t>& below, const Expr& value) const {
        const Expr tidied = tidy_(value);
        if (tidy_.exhausted()) return; // nothing will be shown
        if (tidied.is(0) || vanish(Vec({{"", tidied}}))) return;
        const auto names = [&](const std::vector<std::size_t>& which, bool latex) {
            std::string s;
            for (std::size_t i : which)
                s += (s.empty() ? "" : latex ? "\\," : " ") + (latex ? to_latex(model_.q[i].value) : model_.q[i].name);
            return s;
        };
        const std::string symbol = letter.substr(0, letter.size() - 1);
        std::string latex = symbol == "Gammabar" ? "\\bar{\\Gamma}" : symbol.size() > 1 ? "\\" + symbol : symbol;
        if (!above.empty()) latex += "^{" + names(above, true) + "}";
        if (!below.empty()) latex += "_{" + names(below, true) + "}";
        const std::string left = symbol + (above.empty() ? "" : "^" + names(above, false)) +
                                 (below.empty()      ? ""
                                  : below.size() > 1 ? "_{" + names(below, false) + "}"
                                                     : "_" + names(below, false));
        to.lines.push_back({left, tidy_.text(tidied), latex, tidy_.text(tidied, true)});
    }

    const Sample& sample_;
    const Model& model_;
    Tidy& tidy_;
    FormulaMatrix g_, mu_, Z_, weights_, Q_; // weights: Z C^-1
    FormulaMatrix gamma_;                    // of the second kind, row i: jk
    FormulaMatrix push_;                     // g^-1 (F - V_q), a column
};

} // namespace

ShownEquations study_connection(const Model& given) {
    const Model model = deep_copy(given);
    const Sample sample(model);
    Tidy tidy(*model.graph);
    Connection connection(sample, tidy);
    if (!connection.applies() || !connection.find()) return {};
    const ShownEquations shown = tidy.exhausted() ? ShownEquations() : connection.shown();
    if (tidy.exhausted()) return {{}, "the constrained connection is not shown: its formulas are too long"};
    return shown;
}

} // namespace rattleback
