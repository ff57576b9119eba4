#include "evidence/constraint_facts.hpp"

#include "evidence/distribution.hpp"
#include "model/copy.hpp"

namespace rattleback {
namespace {

std::string number(double x) { return real::to_text(static_cast<quad>(x), 3); }

std::string list(const std::vector<int>& v) {
    std::string s;
    for (int x : v) s += (s.empty() ? "(" : ", ") + std::to_string(x);
    return s + ")";
}

std::string plural(int n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

class ConstraintInspector {
  public:
    ConstraintInspector(const Sample& sample, Inspection& result)
        : sample_(sample), model_(sample.model()), result_(result) {}

    bool run() {
        if (!model_.holonomic.empty())
            fact("constraints", std::to_string(model_.holonomic.count() + model_.redundant.count()) + " holonomic");
        if (!model_.velocity.empty())
            fact("constraints", std::to_string(model_.velocity.count()) +
                                    (model_.variational ? " velocity (variational)" : " velocity (nonholonomic)"));
        if (!model_.phase.empty()) fact("constraints", std::to_string(model_.phase.count()) + " phase");
        if (!model_.holonomic.empty()) holonomic();
        if (!model_.velocity.empty()) velocity();
        if (model_.holonomic.empty() && model_.velocity.empty()) return true;
        if (model_.kind != Model::lagrangian) return regular_;
        const bool inside = model_.variational && !model_.velocity.empty();
        inside ? index() : compatibility();
        if (inside || model_.velocity.empty()) restricted_form(); // motions of d'Alembert's principle keep none
        return regular_;
    }

  private:
    void fact(const std::string& name, const std::string& words) { result_.facts.emplace_back(name, words); }

    // The rows of a Jacobian that the others imply, by name.
    std::string dependent(const Dense& m, const Vec& rows) {
        const std::vector<std::string> names = expanded_names(rows);
        std::string s;
        for (int i : row_rank(m).dependent_rows) s += (s.empty() ? "" : ", ") + names[static_cast<std::size_t>(i)];
        return s;
    }

    void holonomic() {
        const Dense G = sample_.matrix(model_.holonomic, model_.q);
        if (G.entries.empty()) return fact("holonomic rank", "not looked at: the constraints are too many");
        const int rank = rank_of(G), all = static_cast<int>(G.rows), redundant = model_.redundant.count();
        if (rank == all && redundant > 0) {
            std::string which;
            for (const Component& c : model_.redundant) which += (which.empty() ? "" : ", ") + c.name;
            result_.warnings.push_back("redundant constraints: " + which + " = 0 " +
                                       (redundant == 1 ? "follows" : "follow") + " from the others");
            return fact("holonomic rank",
                        std::to_string(rank) + " of " + std::to_string(rank + redundant) +
                            " constraints are independent at the start; these follow from the others: " + which);
        }
        if (rank == all)
            return fact("holonomic rank", std::to_string(rank) + " of " + std::to_string(rank) +
                                              " constraints are independent at the start");
        regular_ = false;
        const std::string which = dependent(G, model_.holonomic);
        fact("holonomic rank", std::to_string(rank) + " of " + std::to_string(all) +
                                   " constraints are independent at the start; these follow from the others: " + which);
        result_.warnings.push_back("dependent constraints: the gradient of " + which +
                                   " is a combination of those of the others at the start");
    }

    void velocity() {
        const Distribution D(sample_, model_.velocity);
        const int m = model_.velocity.count();
        fact("velocities", !D.linear_in_v  ? "they enter the constraints nonlinearly"
                           : D.homogeneous ? "they enter the constraints linearly"
                                           : "they enter the constraints affinely");
        std::string rank =
            std::to_string(D.rank) + " of " + std::to_string(m) + " constraints are independent at the start";
        if (D.generic_rank > D.rank) rank += ", " + std::to_string(D.generic_rank) + " at points around it";
        if (D.generic_rank == D.rank) rank += " and around it";
        fact("velocity rank", rank);
        if (D.rank < m) {
            regular_ = false;
            result_.warnings.push_back("dependent constraints: at the start " +
                                       dependent(sample_.matrix(model_.velocity, model_.v), model_.velocity) +
                                       " = 0 follows from the others");
        }
        integrability();
    }

    // By Frobenius: brackets of allowed directions.
    void integrability() {
        const Vec g = model_.holonomic;
        const Distribution D(sample_, concat({model_.velocity, rates_of(g, model_)}));
        if (!D.linear_in_v)
            return fact("integrability", "not looked at: the constraints are nonlinear in the velocities");
        if (!D.known)
            return fact("integrability", D.rank < D.generic_rank ? "not looked at: the start is singular"
                                                                 : "not decided: too many brackets");
        const int closure = D.generic.back(), first = D.generic.front(), left = D.dimension - closure - g.count();
        const std::string space = D.in_time ? " in space-time" : "";
        std::string words = "growth vector " + list(D.generic) + space;
        if (D.growth.empty())
            words += " around the start, which is singular";
        else if (D.growth != D.generic)
            words += ", " + list(D.growth) + " at the start";
        if (closure == first)
            words = "integrable: holonomic in disguise. Brackets of allowed directions are allowed";
        else if (left == 0)
            words = "nonholonomic: " + words;
        else
            words = "partly integrable: " +
                    plural(left, "function of the coordinates is", "functions of the coordinates are") + " constant; " +
                    words;
        fact("integrability", words);
        if (closure == first)
            result_.warnings.push_back("the velocity constraints are integrable: they can be written under holonomic");
    }

    void compatibility() {
        const Vec rates = rates_of(model_.holonomic, model_);
        const Dense A = sample_.matrix(concat({model_.velocity, rates}), model_.v),
                    M = sample_.matrix(Mechanics(model_).momentum(), model_.v);
        if (A.entries.empty() || M.entries.empty() || A.rows > 100 || M.rows > 300) return;
        const Dense x = solved(M, transposed(A));
        if (x.entries.empty()) return;
        judge("compatibility", "A M^-1 A^T", condition(product(A, x)));
    }

    void judge(const std::string& name, const std::string& matrix, double c) {
        if (c < 1e12) return fact(name, matrix + " is regular at the start, with condition number " + number(c));
        regular_ = false;
        fact(name, matrix + " is SINGULAR at the start");
    }

    // F = L - lambda . phi: index 1 where p = F_v and phi = 0 determine (v, lambda); (q, p) are then coordinates of the
    // constraint set.
    void index() {
        const Vec F_v = Mechanics(model_).momentum() - gradient(dot(sample_.lambda(), model_.velocity), model_.v);
        const Dense F_vv = sample_.matrix(F_v, model_.v), A = sample_.matrix(model_.velocity, model_.v);
        if (F_vv.entries.empty() || A.entries.empty()) return;
        if (condition(F_vv) < 1e12)
            judge("index 1", "phi_v F_vv^-1 phi_v^T", condition(product(A, solved(F_vv, transposed(A)))));
        else // the metric of a sub-Riemannian problem may be one on the allowed directions only
            judge("index 1", "F_vv is singular; [[F_vv, phi_v^T], [phi_v, 0]]", condition(bordered(F_vv, A)));
    }

    // dq ^ dp on {phi = 0} (inside the action), {g = 0, dg/dt = 0}, in (q, v, lambda).
    void restricted_form() {
        const Vec rates = rates_of(model_.holonomic, model_);
        const Vec p = Mechanics(model_).momentum() - gradient(dot(sample_.lambda(), model_.velocity), model_.v);
        const Vec all = concat({model_.q, model_.v, sample_.lambda()});
        if (all.count() > 100) return;
        const Dense tangent = sample_.matrix(concat({model_.velocity, model_.holonomic, rates}), all),
                    dp = sample_.matrix(p, all);
        if (tangent.entries.empty() || dp.entries.empty()) return;
        Dense form(dp.columns, dp.columns);
        for (std::size_t i = 0; i < dp.rows; ++i)
            for (std::size_t j = 0; j < form.columns; ++j) form(i, j) += dp(i, j), form(j, i) -= dp(i, j);
        fact("restricted form", restricted_form_in_words(form, tangent));
    }

    const Sample& sample_;
    const Model& model_;
    Inspection& result_;
    bool regular_ = true;
};

} // namespace

std::string restricted_form_in_words(const Dense& form, const Dense& constraints) {
    const Dense basis = null_space(constraints);
    if (basis.columns == 0) return "none: the constraint set is a point";
    const auto rank = static_cast<std::size_t>(rank_of(product(transposed(basis), product(form, basis))));
    return "rank " + std::to_string(rank) + " of " + std::to_string(basis.columns) +
           " on the constraint set: " + (rank == basis.columns ? "symplectic" : "NOT symplectic");
}

bool inspect_constraints(const Sample& sample, Inspection& result) { return ConstraintInspector(sample, result).run(); }

} // namespace rattleback
