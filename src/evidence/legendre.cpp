#include "evidence/legendre.hpp"

#include <algorithm>
#include <cmath>

#include "model/copy.hpp"
#include "run/input_watch.hpp"

namespace rattleback {

MeasuredClaim legendre_claim(const Model& given, const Run& run) {
    MeasuredClaim m;
    m.name = "legendre_clebsch", m.claimed = "of the path";
    const Model model = deep_copy(given);
    LegendreWatch watch(model);
    Vec all;
    for (const Expr& e : hessian_by_inputs(model)) all.push_back({"", e});
    if (all.empty()) {
        m.remark = "no input has a square in H";
        return m;
    }
    const Vec inputs = model.implicit_inputs(), given_leaves = concat({model.q, model.p, inputs, model.others()});
    SystemSolver<double> at(compile(System{model.graph, given_leaves, {}, {}, all}));
    const auto rows = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(all.size()))));
    Matrix<double> H_uu(rows, rows);
    double when = 0;
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        double* to = at.given();
        std::vector<double> shown;
        for (std::size_t i = 0; i < run.q.columns(); ++i) shown.push_back(run.q(k, i));
        const auto [q, centre] = from_shown(model, shown);
        to = std::copy(q.begin(), q.end(), to);
        for (std::size_t i = 0; i < run.p.columns(); ++i) *to++ = run.p(k, i);
        for (std::size_t i = 0; i < inputs.size(); ++i) *to++ = run["u"](k, i);
        *to++ = run.t[k];
        for (const Parameter& p : model.parameters) *to++ = static_cast<double>(p.value);
        std::copy(centre.begin(), centre.end(), to);
        Report report;
        if (!at.solve(report)) continue;
        std::vector<double> wanted;
        for (std::size_t i = 0; i < all.size(); ++i) {
            H_uu.entries[i] = at.result(i);
            for (const Expr& e : watch.wanted())
                if (e == all[i].value) {
                    wanted.push_back(at.result(i));
                    break;
                }
        }
        watch.at_node(wanted, run.t[k]);
        const double eigenvalue = smallest_eigenvalue(H_uu);
        if (!m.measured || eigenvalue < *m.measured) m.measured = eigenvalue, when = run.t[k];
    }
    m.remark = watch.warning();
    if (!m.remark.empty() || !m.measured) return m;
    m.verdict = MeasuredClaim::pass;
    m.remark = "the smallest eigenvalue of H_uu along the path, at t = " + real::to_text(when, 4);
    return m;
}

} // namespace rattleback
