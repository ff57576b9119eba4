#include "run/node_code.hpp"

namespace rattleback {

NodeRows::NodeRows(std::shared_ptr<const NodeCode> code, const ShownNode& node, const std::vector<double>& parameters,
                   double h)
    : code_(std::move(code)), carried_(code_->carried.size() * code::row_stride), times_(code::row_stride),
      rows_(in_front + node.columns() * code::row_stride), sizes_(code_->lanes, h), left_(code_->lanes) {
    for (double p : parameters) parameters_.insert(parameters_.end(), code_->lanes, p);
}

void NodeRows::lend(std::array<double*, code::array_count>& arrays) {
    arrays[code::Array::ends] = times_.data(), arrays[code::Array::carried] = carried_.data();
    arrays[code::Array::rows] = data();
}

void NodeRows::keep_last_of(std::size_t parts, std::size_t count) {
    const auto pick = [&](double* x) {
        for (std::size_t i = 0; i < count; ++i) x[i] = x[i * parts + parts - 1];
    };
    pick(data());
    for (std::size_t c = 0; c < code_->carried.size(); ++c) pick(carried(c));
}

void NodeRows::keep(std::size_t i, const std::vector<double>& state, const std::vector<double>& hint,
                    double iterations) {
    data()[i] = iterations;
    for (std::size_t c = 0; c < code_->carried.size(); ++c) {
        const NodeCode::Carried& from = code_->carried[c];
        carried(c)[i] = (from.in_state ? state : hint)[from.place];
    }
}

void NodeRows::give(std::size_t i, const Fields& inputs, double* given) const {
    const std::size_t state = inputs["state"].offset, hint = inputs["hint"].offset, lanes = code_->lanes;
    for (std::size_t c = 0; c < code_->carried.size(); ++c) {
        const NodeCode::Carried& to = code_->carried[c];
        given[(to.in_state ? state : hint) + to.place] = carried_[c * code::row_stride + i];
    }
    given[inputs["t"].offset] = times_[i], given[inputs["h"].offset] = sizes_[0];
    const Fields::Field& parameters = inputs["parameters"];
    for (std::size_t p = 0; p < parameters.size; ++p) given[parameters.offset + p] = parameters_[p * lanes];
}

// Groups of nodes from `first` on, a multiple of the lanes. Returns how many were computed.
std::size_t NodeRows::pass(std::size_t first, std::size_t groups) {
    std::array<double*, code::array_count> arrays{};
    arrays[code::Array::parameters] = parameters_.data(), arrays[code::Array::sizes] = sizes_.data();
    arrays[code::Array::left] = left_.data();
    arrays[code::Array::ends] = times_.data() + first, arrays[code::Array::carried] = carried_.data() + first;
    arrays[code::Array::rows] = data() + first;
    const auto limit = static_cast<long long>(groups);
    return static_cast<std::size_t>(code_->native->entry()(arrays.data(), limit, code::function_table()));
}

// Of the group at `first`, some nodes are left to the tape: then the others are computed beside copies of one of them.
// Returns how many of the group could be computed, of `count`.
std::size_t NodeRows::mend(std::size_t first, std::size_t count, const OnTape& on_tape) {
    std::vector<std::vector<double>> rows(count);
    std::size_t good = 0;
    while (good < count && (left_[good] == 0 || on_tape(first + good, rows[good]))) ++good;
    const auto other =
        std::find(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(count), 0.0) - left_.begin();
    const std::vector<double> left = left_;
    if (static_cast<std::size_t>(other) < count) {
        each_input([&](double* x) {
            for (std::size_t i = 0; i < left.size(); ++i)
                if (left[i] != 0) x[first + i] = x[first + static_cast<std::size_t>(other)];
        });
        if (pass(first, 1) == 0) return 0;
    }
    for (std::size_t i = 0; i < good; ++i)
        for (std::size_t c = 0; c < rows[i].size(); ++c) data()[(1 + c) * code::row_stride + first + i] = rows[i][c];
    return good;
}

std::size_t NodeRows::compute(std::size_t count, const OnTape& on_tape) {
    if (count == 0) return 0;
    const std::size_t lanes = code_->lanes, end = (count + lanes - 1) / lanes * lanes;
    each_input([&](double* x) { std::fill(x + count, x + end, x[count - 1]); });
    for (std::size_t first = 0; first < count; first += lanes) {
        first += lanes * pass(first, (end - first) / lanes);
        if (first >= count) break;
        const std::size_t here = std::min(lanes, count - first), good = mend(first, here, on_tape);
        if (good < here) return first + good;
    }
    return count;
}

} // namespace rattleback
