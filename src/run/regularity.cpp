#include "run/regularity.hpp"
#include "solve/system.hpp"

#include <cmath>

namespace rattleback {
namespace {

constexpr int most_coordinates = 30;

double determinant(Matrix<double> m) {
    double product = 1;
    for (std::size_t k = 0; k < m.rows; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < m.rows; ++i)
            if (std::abs(m(i, k)) > std::abs(m(pivot, k))) pivot = i;
        if (!(std::abs(m(pivot, k)) > 0)) return 0;
        for (std::size_t j = 0; j < m.rows && pivot != k; ++j) std::swap(m(k, j), m(pivot, j));
        product *= pivot != k ? -m(k, k) : m(k, k);
        for (std::size_t i = k + 1; i < m.rows; ++i) {
            const double factor = m(i, k) / m(k, k);
            for (std::size_t j = k; j < m.rows; ++j) m(i, j) -= factor * m(k, j);
        }
    }
    return product;
}

} // namespace

RegularityWatch::RegularityWatch(const Formulas& own) {
    const auto& [model, method] = own;
    const Step& step = method.step;
    if (!step.generating || model.q.count() > most_coordinates || method.substeps.size() > 1) return;
    coordinates_ = static_cast<std::size_t>(model.q.count());
    const Vec given = step_inputs(own).values();
    inputs_ = static_cast<std::size_t>(given.count());
    Vec dq = step.increment; // of the carried (q, p): the first half
    dq = Vec(std::vector<Component>(dq.begin(), dq.begin() + static_cast<std::ptrdiff_t>(model.q.size())));
    derivative_.emplace(System{step.graph, given, step.find, step.equations, dq}, std::vector{model.p});
}

void RegularityWatch::at_node(long long k, const Stepper<double>& stepper, double t, Report& report) {
    if (!derivative_) return;
    std::swap(before_, last_);
    last_.given.resize(inputs_), last_.t = t;
    stepper.give(t, stepper.h(), last_.given.data());
    if ((k & (k - 1)) == 0) look(last_, report);
}

void RegularityWatch::at_end(Report& report) {
    if (!look(last_, report)) look(before_, report);
}

bool RegularityWatch::look(const Place& place, Report& report) {
    if (!derivative_ || place.given.empty()) return false;
    std::vector<Matrix<double>> d;
    Report mine;
    if (!derivative_->at(place.given, d, mine)) return false; // the step itself will say why
    const double inverse = determinant(d[0]), sign = coordinates_ % 2 ? -1 : 1;
    if (inverse == 0 || !std::isfinite(inverse)) return false;
    const double value = sign / inverse;
    if (!report.regularity) report.regularity = {value, value, place.t, value};
    Report::Regularity& r = *report.regularity;
    r.end = value;
    if (value * r.start < 0) r.smallest = 0, r.time = place.t;
    if (std::abs(value) < std::abs(r.smallest)) r.smallest = value, r.time = place.t;
    return true;
}

} // namespace rattleback
