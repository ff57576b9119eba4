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

void Walk::use(const WalkCode& code) {
    code_ = code.steps, pairs_ = code.pairs;
    if (!code.nodes) return;
    rows_.emplace(code.nodes, node_, stepper_.parameters(), grid_.h);
    const auto most = static_cast<std::size_t>(code::steps_shown);
    time_.resize(most), offset_.resize(most), size_.assign(most, grid_.h), solves_.resize(most);
    at_once_ = most_at_once();
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

// In a call; of steps that are taken one by one, a few vectors of nodes.
long long Walk::most_at_once() const {
    constexpr long long of_single_steps = 32;
    return code_ ? std::max(1LL, code::steps_shown / times_.parts()) : of_single_steps;
}

// How many whole steps were taken; the state may be some parts of a composition further.
long long Walk::run_code(long long k, long long steps) {
    const long long parts = times_.parts();
    if (code_->reads_times) times_.fill(k * parts, steps * parts, time_.data(), offset_.data(), size_.data());
    auto& s = stepper_.parts();
    s.h = grid_.h;
    double active = 1, left = 0, iterations = 0, start = s.t0;
    std::array<double*, code::array_count> arrays = {s.state.data(), s.low.data(), s.hint.data(), s.parameters.data(),
                                                     time_.data(),   size_.data(), &active,       &left,
                                                     &iterations,    &start,       offset_.data()};
    rows_->lend(arrays);
    const long long ran = code_->run(arrays, steps * parts) / parts;
    if (parts > 1) rows_->keep_last_of(static_cast<std::size_t>(parts), static_cast<std::size_t>(ran));
    return ran;
}

// Steps from node k on, with the state at their end. Returns how many were taken.
long long Walk::in_calls(long long k, long long steps) {
    long long ran = run_code(k, steps);
    while (ran < steps && code_->all_or_nothing && steps > 1) { // which of them is in trouble is not known yet
        steps = steps / 4 + 1;
        ran = run_code(k, steps);
        at_once_ = steps;
    }
    return ran;
}

// By Newton's method, in the first `steps` of these.
long long Walk::solves(long long steps) const {
    if (code_) return steps * code_->newton_blocks * times_.parts();
    return steps == 0 ? 0 : solves_[static_cast<std::size_t>(steps - 1)];
}

// As in_calls(); a step that fails is told of when it is taken again.
long long Walk::one_by_one(long long k, long long steps, bool& failed) {
    Report now;
    for (long long i = 0; i < steps; ++i) {
        if (i > 0 && interrupt_ && *interrupt_) return i;
        failed = !stepper_.advance(k + i, grid_.h, now);
        if (failed) return i;
        const auto& s = stepper_.parts();
        rows_->keep(static_cast<std::size_t>(i), s.state, s.hint, static_cast<double>(now.newton_iterations));
        solves_[static_cast<std::size_t>(i)] = now.newton_solves;
    }
    return steps;
}

// Steps with their nodes as rows; 0: the tape is to take the next one, or its node.
long long Walk::with_rows(long long k, long long most, Report& report) {
    save(k);
    bool failed = false;
    const long long steps = std::min(most, at_once_);
    const long long ran = code_ ? in_calls(k, steps) : one_by_one(k, steps, failed);
    if (rows_->reads_time())
        for (long long i = 0; i < ran; ++i) rows_->times()[i] = time(k + i + 1);
    const auto good = static_cast<long long>(rows_->compute(
        static_cast<std::size_t>(ran), [this](std::size_t i, std::vector<double>& row) { return on_tape(i, row); }));
    in_rows_ = good > 0;
    at_once_ = good < ran ? std::max(1LL, good) : ran == steps ? std::min(2 * at_once_, most_at_once()) : at_once_;
    const bool goes_further = failed || (ran < steps && code_ && times_.parts() > 1); // by a part of a step
    if (good < ran || goes_further) take_again(k, good);
    if (good == 0) return 0;
    const auto last = static_cast<std::size_t>(good - 1);
    report.newton_iterations += static_cast<long long>(column(0)[last]), report.newton_solves += solves(good);
    report.step = k + good, report.time = time(k + good - 1);
    return good;
}

// Node i of the rows, as a row.
bool Walk::on_tape(std::size_t i, std::vector<double>& row) {
    auto& reader = reader_.parts();
    Report ignored;
    rows_->give(i, node_.system.given, reader.solver.given());
    if (!reader.read_given(rows_->times()[i], ignored)) return false;
    reader.append_to(row);
    if (!beside_) return true;
    if (!beside_->read(reader.node, rows_->times()[i], rates_)) return false;
    row.insert(row.end(), rates_.begin(), rates_.end());
    return true;
}

// From the state that was saved; what they leave is known.
void Walk::take_again(long long k, long long steps) {
    restore();
    Report ignored;
    if (code_ && steps > 0) run_code(k, steps);
    for (long long i = 0; !code_ && i < steps; ++i) stepper_.advance(k + i, grid_.h, ignored);
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
    if (rows_ && !stepper_.parts().is_division_free()) {
        if (const long long taken = with_rows(k, most, report)) return taken;
    } else if (saved_.state.empty() || k >= saved_.k + between_saves) {
        save(k);
    }
    report.step = k + 1, report.time = time(k);
    if (!stepper_.advance(k, grid_.h, report)) return 0;
    node_failed_ = !reader_.read(stepper_, time(k + 1), report);
    return node_failed_ ? 0 : 1;
}

void Walk::show(long long i) {
    if (in_rows_) reader_.parts().take([&](std::size_t place) { return column(place)[static_cast<std::size_t>(i)]; });
}

void Walk::uncount_after(long long count, Report& report) const {
    if (!in_rows_) return;
    const long long last = report.step - saved_.k; // of the call
    const auto iterations = [this](long long steps) {
        return steps == 0 ? 0LL : static_cast<long long>(column(0)[static_cast<std::size_t>(steps - 1)]);
    };
    report.newton_iterations -= iterations(last) - iterations(count);
    report.newton_solves -= solves(last) - solves(count);
    report.step = saved_.k + count;
}

void Walk::rewind(long long k) {
    restore();
    Report ignored;
    for (long long at = saved_.k; at < k; ++at) stepper_.advance(at, grid_.h, ignored); // the same steps, to the bit
}

} // namespace rattleback
