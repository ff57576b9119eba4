#include "code/nodes.hpp"

#include <algorithm>
#include <optional>

#include "code/block_writer.hpp"

namespace rattleback::code {
namespace {

class NodeWriter {
  public:
    NodeWriter(const NodeLayout& layout, const Shape& shape)
        : layout_(layout), trouble_(listing_, nowhere(listing_)),
          node_(listing_, *layout.system->compiled, trouble_, shape.lanes()) {
        if (layout.beside) beside_.emplace(listing_, *layout.beside->system, trouble_, shape.lanes());
    }

    Listing write() {
        begin();
        listing_.put(Do::begin_steps);
        const Fields& given = layout_.system->given;
        std::uint32_t column = 0;
        for (std::size_t input : layout_.carried())
            node_.formulas().give(static_cast<Slot>(input), load_step(Array::carried, column++));
        const Number time = load_step(Array::ends, 0);
        node_.formulas().give(static_cast<Slot>(given["t"].offset), time);
        trouble_.set(nowhere(listing_));
        const std::vector<Number> results = results_of(node_, *layout_.system->compiled);
        std::vector<Number> beside;
        if (layout_.beside) beside = solve_beside(results, time);
        left_.set(trouble_.get());
        listing_.put(Do::stop_if, left_.get().line());
        show(results, beside);
        listing_.put(Do::end_steps);
        listing_.put(Do::store, Array::left, 0, as_number(left_.get()).line());
        return std::move(listing_);
    }

  private:
    Number constant(double x) { return number(listing_, x); }
    Number load(Array array, std::size_t place) {
        return {listing_, listing_.put(Do::load, array, static_cast<std::uint32_t>(place))};
    }
    Number load_step(Array array, std::uint32_t column) {
        return {listing_, listing_.put(Do::load_step, array, column)};
    }

    // What all nodes have in common.
    void begin() {
        left_ = Variable<Mask>(listing_, nowhere(listing_));
        node_.declare();
        const Fields& given = layout_.system->given;
        const Fields::Field& parameters = given["parameters"];
        for (std::size_t i = 0; i < parameters.size; ++i)
            node_.formulas().give(static_cast<Slot>(parameters.offset + i), load(Array::parameters, i));
        node_.formulas().give(static_cast<Slot>(given["h"].offset), load(Array::sizes, 0));
        if (!beside_) return;
        beside_->declare();
        for (std::size_t i = 0; i < layout_.beside->given.size(); ++i) {
            const BesideLayout::Given& g = layout_.beside->given[i];
            if (g.from == BesideLayout::Given::parameter)
                beside_->formulas().give(static_cast<Slot>(i), load(Array::parameters, g.place));
            else if (g.from == BesideLayout::Given::zero)
                beside_->formulas().give(static_cast<Slot>(i), constant(0));
        }
    }

    // The results of the system beside the node, whose own results these are.
    std::vector<Number> solve_beside(const std::vector<Number>& shown, const Number& time) {
        for (std::size_t i = 0; i < layout_.beside->given.size(); ++i) {
            const BesideLayout::Given& g = layout_.beside->given[i];
            if (g.from == BesideLayout::Given::field)
                beside_->formulas().give(static_cast<Slot>(i), shown[layout_.system->results[g.name].offset + g.place]);
            else if (g.from == BesideLayout::Given::time)
                beside_->formulas().give(static_cast<Slot>(i), time);
        }
        return results_of(*beside_, *layout_.beside->system);
    }

    // Solves a system of nodes; its results must be finite.
    std::vector<Number> results_of(BlockWriter& writer, const CompiledSystem& system) {
        const Variable<Number> not_counted(listing_, constant(0)); // of Newton's method in nodes
        writer.write(~nowhere(listing_), not_counted);
        writer.formulas().write(system.after);
        std::vector<Number> results, made;
        for (Slot slot : system.results) {
            results.push_back(writer.formulas().at(slot));
            if (slot >= system.given) made.push_back(results.back());
        }
        writer.demand_finite(made);
        return results;
    }

    void show(const std::vector<Number>& results, const std::vector<Number>& beside) {
        std::uint32_t column = 1;
        const auto write = [&](const Number& x) { listing_.put(Do::store_step, Array::rows, column++, x.line()); };
        for (const Fields::Field& field : layout_.largest) {
            Number most = constant(0);
            for (std::size_t i = field.offset; i < field.end(); ++i) {
                const Number size = magnitude(results[i]);
                most = select(most < size, size, most);
            }
            write(most);
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            if (layout_.is_column(i)) write(results[i]);
        for (const Number& x : beside) write(x);
    }

    const NodeLayout& layout_;
    Listing listing_;
    Variable<Mask> trouble_, left_;
    BlockWriter node_;
    std::optional<BlockWriter> beside_;
};

} // namespace

bool reads(const CompiledSystem& system, std::size_t input) {
    return rattleback::reads(system, input, 1) ||
           std::find(system.results.begin(), system.results.end(), static_cast<Slot>(input)) != system.results.end();
}

bool BesideLayout::reads_time() const {
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i].from == Given::time && reads(*system, i)) return true;
    return false;
}

bool NodeLayout::is_column(std::size_t result) const {
    const auto lies_in = [&](const Fields::Field& f) { return result >= f.offset && result < f.end(); };
    return std::none_of(largest.begin(), largest.end(), lies_in) && std::none_of(hidden.begin(), hidden.end(), lies_in);
}

std::vector<std::size_t> NodeLayout::carried() const {
    std::vector<std::size_t> inputs;
    for (const char* name : {"state", "hint"}) {
        const Fields::Field& field = system->given[name];
        for (std::size_t i = field.offset; i < field.end(); ++i)
            if (reads(*system->compiled, i)) inputs.push_back(i);
    }
    return inputs;
}

Listing write_nodes(const NodeLayout& layout, const Shape& shape) { return NodeWriter(layout, shape).write(); }

} // namespace rattleback::code
