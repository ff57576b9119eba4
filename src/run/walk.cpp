#include "run/walk.hpp"

namespace rattleback {

Walk::Walk(Stepper<double>& stepper, NodeReader<double>& reader, const ShownNode& node, BesideNode* beside,
           const Grid& grid)
    : stepper_(stepper), reader_(reader), node_{without_formulas(node.system), node.hidden, node.beside},
      beside_(beside), first_beside_(node_.first_beside()), grid_(grid), times_(stepper.method(), grid.h) {
    reader_.parts().show(node_);
}

double Walk::time(long long k) const {
    if (k == grid_.steps && grid_.end) return *grid_.end; // 3 * 0.1 is not 0.3
    return stepper_.t0() + static_cast<double>(k) * grid_.h;
}

void Walk::use(std::shared_ptr<const StepCode> code) {
    code_ = std::move(code);
    const auto most = static_cast<std::size_t>(code::steps_shown);
    time_.resize(most), offset_.resize(most), end_.resize(most), shown_.assign(most, 0);
    size_.assign(most, grid_.h);
    rows_.resize(node_.columns() * code::row_stride);
    const long long parts = times_.parts();
    for (long long i = parts - 1; i < code::steps_shown; i += parts) shown_[static_cast<std::size_t>(i)] = grid_.h;
    at_once_ = std::max(1LL, code::steps_shown / parts);
}

void Walk::save(long long k) {
    const auto& s = stepper_.parts();
    saved_.k = k, saved_.state = s.state, saved_.low = s.low, saved_.hint = s.hint;
    saved_.controlled_h = s.controlled_h;
}

void Walk::restore() {
    auto& s = stepper_.parts();
    s.state = saved_.state, s.low = saved_.low, s.hint = saved_.hint, s.controlled_h = saved_.controlled_h;
}

// How many whole steps were taken; the state may be some parts of a composition further.
long long Walk::run_code(long long k, long long steps) {
    const long long parts = times_.parts();
    if (code_->reads_times) {
        times_.fill(k * parts, steps * parts, time_.data(), offset_.data(), size_.data());
        const double t0 = stepper_.t0(), h = grid_.h;
        for (long long i = 1; i <= steps; ++i)
            end_[static_cast<std::size_t>(i * parts - 1)] = t0 + static_cast<double>(k + i) * h;
        end_[static_cast<std::size_t>(steps * parts - 1)] = time(k + steps);
    }
    auto& s = stepper_.parts();
    s.h = grid_.h;
    double active = 1, left = 0, iterations = 0, start = s.t0;
    std::array<double*, code::array_count> arrays = {s.state.data(), s.low.data(), s.hint.data(), s.parameters.data(),
                                                     time_.data(),   size_.data(), &active,       &left,
                                                     &iterations,    &start,       offset_.data()};
    arrays[code::Array::ends] = end_.data(), arrays[code::Array::shown] = shown_.data();
    arrays[code::Array::rows] = rows_.data();
    return code_->run(arrays, steps * parts) / parts;
}

long long Walk::coded(long long k, long long most, Report& report) {
    const long long parts = times_.parts(), longest = code::steps_shown / parts;
    save(k);
    long long steps = std::min(most, at_once_), ran = run_code(k, steps);
    while (ran < steps && code_->all_or_nothing && steps > 1) { // which of them is in trouble is not known yet
        steps = steps / 4 + 1;
        ran = run_code(k, steps);
        at_once_ = steps;
    }
    if (ran == steps) at_once_ = std::min(longest, 2 * at_once_);
    in_rows_ = ran > 0;
    if (ran < steps && parts > 1) { // it may have gone some parts further
        restore();
        if (ran > 0) run_code(k, ran);
    }
    if (ran == 0) return 0;
    report.newton_iterations += static_cast<long long>(column(0)[static_cast<std::size_t>(ran - 1)]);
    report.newton_solves += code_->newton_blocks * parts * ran;
    report.step = k + ran, report.time = time(k + ran - 1);
    return ran;
}

// A step of a control problem, with the inputs that make H least.
long long Walk::with_least_inputs(long long k, Report& report) {
    save(k);
    report.step = k + 1, report.time = time(k);
    if (!stepper_.advance(k, grid_.h, report)) return 0;
    inputs_->look(
        stepper_, time(k), grid_.h, [this] { restore(); }, report);
    if (!report.ok()) return 0;
    node_failed_ = !reader_.read(stepper_, time(k + 1), report);
    return node_failed_ ? 0 : 1;
}

long long Walk::advance(long long k, long long most, Report& report) {
    in_rows_ = false;
    if (inputs_) return with_least_inputs(k, report);
    if (code_ && !stepper_.parts().is_division_free()) {
        if (const long long ran = coded(k, most, report)) return ran;
    } else if (saved_.state.empty() || k >= saved_.k + between_saves) {
        save(k);
    }
    report.step = k + 1, report.time = time(k);
    if (!stepper_.advance(k, grid_.h, report)) return 0;
    node_failed_ = !reader_.read(stepper_, time(k + 1), report);
    return node_failed_ ? 0 : 1;
}

NodeColumn Walk::column(std::size_t place) const {
    const auto parts = static_cast<std::size_t>(times_.parts());
    return {rows_.data() + place * code::row_stride + (parts - 1), parts};
}

void Walk::show(long long i) {
    if (in_rows_) reader_.parts().take([&](std::size_t place) { return column(place)[static_cast<std::size_t>(i)]; });
}

void Walk::uncount_after(long long count, Report& report) const {
    if (!in_rows_) return;
    const long long last = report.step - saved_.k; // of the call
    const auto iterations = [&](long long steps) {
        return steps == 0 ? 0LL : static_cast<long long>(column(0)[static_cast<std::size_t>(steps - 1)]);
    };
    report.newton_iterations -= iterations(last) - iterations(count);
    report.newton_solves -= code_->newton_blocks * times_.parts() * (last - count);
    report.step = saved_.k + count;
}

void Walk::rewind(long long k) {
    restore();
    Report ignored;
    for (long long at = saved_.k; at < k; ++at) stepper_.advance(at, grid_.h, ignored); // the same steps, to the bit
}

} // namespace rattleback
