#include "run/input_switch.hpp"

#include <cmath>

namespace rattleback {
namespace {

constexpr std::size_t most_shown = 6;
constexpr int bisections = 60;
constexpr double ahead = 1e-9; // H of the other root, relative to its size: nearer counts as equal

} // namespace

InputSwitch::InputSwitch(const Formulas& f) {
    const Step& step = f.method.step;
    if (f.model.implicit_inputs().empty() || step.state.size() != f.model.q.size() + f.model.p.size()) return;
    in_hint_ = inputs_in_hint(step);
    least_.emplace(f.model);
}

std::vector<double> InputSwitch::inputs(const std::vector<double>& hint) const {
    std::vector<double> u(least_->count(), 0.0);
    for (std::size_t i = 0; i < in_hint_.size(); ++i)
        if (in_hint_[i]) u[*in_hint_[i]] = hint[i];
    return u;
}

// H of the root that the stepper follows less H of the other one, which is followed, too. Where both are the same root
// the other has no lead.
double InputSwitch::lead(Stepper<double>& stepper, double t, std::vector<double>& other) {
    least_->at(stepper.state().data(), t);
    const auto own = least_->follow(inputs(stepper.hint())), there = least_->follow(other);
    if (!own || !there) return -1;
    double apart = 0, size = 0;
    for (std::size_t i = 0; i < own->size(); ++i)
        apart = std::max(apart, std::abs((*own)[i] - (*there)[i])), size = std::max(size, std::abs((*own)[i]));
    if (apart <= 1e-7 * (size + 1e-300)) return -1;
    other = *there;
    return least_->value(*own) - least_->value(other);
}

bool InputSwitch::look(Stepper<double>& stepper, double t, double h, const std::function<void()>& back,
                       Report& report) {
    least_->set_parameters(stepper.parameters());
    least_->at(stepper.state().data(), t + h);
    const auto own = least_->follow(inputs(stepper.hint()));
    const auto best = least_->find(own ? *own : inputs(stepper.hint()));
    if (best && !best->is_least && !falls_) falls_ = t + h;
    if (!best || !own) return false;
    const double H = least_->value(*own);
    if (!(H > best->H + ahead * std::max(std::abs(H), std::abs(best->H)))) return false;
    const auto gone = [&](double part) { // that much of the step, from its start
        back();
        return part == 0 || stepper.parts().advance_from(t, part * h, report);
    };
    std::vector<double> other = best->u, there = other;
    double lo = 0, hi = 1, lead_lo = gone(0) ? lead(stepper, t, other) : 0, lead_hi = H - best->H;
    if (lead_lo >= 0) hi = 0;
    for (int k = 0; k < bisections && hi - lo > 1e-15; ++k) { // by secants, and by halves where these are slow
        double at = k % 3 == 2 || lead_lo == -1 ? (lo + hi) / 2 : lo - lead_lo * (hi - lo) / (lead_hi - lead_lo);
        if (!(at > lo && at < hi)) at = (lo + hi) / 2;
        if (!gone(at)) return false;
        std::vector<double> here = there;
        const double lead_here = lead(stepper, t + at * h, here);
        if (lead_here >= 0)
            hi = at, lead_hi = lead_here, there = other = here;
        else
            lo = at, lead_lo = lead_here;
        if (lead_here == 0) break;
    }
    if (!gone(hi)) return false;
    std::vector<double> hint = stepper.hint();
    set_inputs(hint, in_hint_, other);
    stepper.set_hint(hint);
    if (times_.size() < most_shown) times_.push_back(t + hi * h);
    ++jumps_;
    return hi == 1 || stepper.parts().advance_from(t + hi * h, (1 - hi) * h, report);
}

std::string InputSwitch::note() const {
    if (jumps_ == 0) return "";
    std::string text;
    for (const double t : times_) text += (text.empty() ? "" : ", ") + real::to_text(t, 8);
    if (jumps_ > times_.size()) text += " and " + std::to_string(jumps_ - times_.size()) + " times more";
    return "the inputs jump to another root of H_u = 0, where H is least, at t = " + text;
}

std::string InputSwitch::warning() const {
    if (!falls_) return "";
    return "H has no least value: it falls without end as an input grows, at t = " + real::to_text(*falls_, 4) +
           "; a local minimum of H is followed";
}

} // namespace rattleback
