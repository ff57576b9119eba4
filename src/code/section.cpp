#include "code/section.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "code/formulas.hpp"
#include "code/loops.hpp"

namespace rattleback::code {
namespace {

// Instructions of a part. Measured on a chain: with 250 compile time grows linearly; 1,000 take half as long again, and
// the code is no faster.
constexpr std::size_t part_size = 250;
constexpr std::size_t listing_size = 50000; // lines: about a second to compile

class SectionWriter {
  public:
    SectionWriter(const Program& program, std::size_t section, const std::vector<bool>& wanted)
        : section_(program.sections[section]), constants_(program.constants), loops_(find_loops(program, section_)) {
        done_.assign(loops_.pieces.size(), false), part_.assign(loops_.pieces.size(), 0);
        decide_stores(wanted);
    }

    std::vector<Listing> write() {
        for (const Loops::Level& level : loops_.levels) {
            write_singles(depth_first(level.singles));
            for (std::uint32_t loop : level.loops) write_loop(loops_.loops[loop]);
        }
        if (!listing_.lines.empty()) written_.push_back(std::move(listing_));
        return std::move(written_);
    }

  private:
    using Lines = std::unordered_map<Slot, std::uint32_t>;

    bool inside(Slot s) const { return s >= section_.first && s - section_.first < section_.nodes.size(); }
    std::uint32_t maker(Slot s) const { return loops_.home[s - section_.first]; }
    template <class F> void for_operands(const Piece& p, F&& f) const {
        for (int a = 0; a < arity(p.op); ++a) {
            const auto k = static_cast<std::size_t>(a);
            f(p.operand[k], p.extent(k));
        }
    }

    // A result must be stored if it is wanted outside the section, or read in another loop or part. Within a loop, and
    // within a part, results are passed in registers.
    void decide_stores(const std::vector<bool>& wanted) {
        stored_.assign(loops_.pieces.size(), false);
        for (std::uint32_t i = 0; i < loops_.pieces.size(); ++i) {
            const Piece& p = loops_.pieces[i];
            for (std::uint32_t k = 0; k < p.count && !stored_[i]; ++k) stored_[i] = wanted[p.target + k];
            for_operands(p, [&](Slot from, std::uint32_t count) {
                for (Slot s = from; s < from + count; ++s) {
                    if (!inside(s)) continue;
                    const std::uint32_t made = maker(s);
                    const Piece& q = loops_.pieces[made];
                    const bool together = p.is_run() && q.is_run() ? p.loop == q.loop && count > 1
                                                                   : !p.is_run() && !q.is_run() && p.level == q.level;
                    if (!together) stored_[made] = true;
                    s = q.target + q.count - 1;
                }
            });
        }
    }

    // The single instructions of a level that are needed, operands first and depth first: values are used soon after
    // they are made, which keeps register pressure and spills low.
    std::vector<std::uint32_t> depth_first(const std::vector<std::uint32_t>& singles) {
        std::vector<std::uint32_t> order, stack;
        for (std::uint32_t root : singles) {
            if (!stored_[root]) continue;
            stack.push_back(root);
            while (!stack.empty()) {
                const std::uint32_t i = stack.back();
                const Piece& p = loops_.pieces[i];
                bool ready = true;
                for_operands(p, [&](Slot s, std::uint32_t) {
                    if (!inside(s) || done_[maker(s)]) return;
                    const Piece& q = loops_.pieces[maker(s)];
                    if (!q.is_run() && q.level == p.level) stack.push_back(maker(s)), ready = false;
                });
                if (!ready) continue;
                stack.pop_back();
                if (!done_[i]) done_[i] = true, order.push_back(i);
            }
        }
        return order;
    }

    void write_singles(std::span<const std::uint32_t> order) {
        const auto part_of = [](std::size_t i) { return static_cast<std::uint32_t>(i / part_size); };
        for (std::size_t i = 0; i < order.size(); ++i) part_[order[i]] = part_of(i);
        for (std::uint32_t i : order) // results pass from one part to another through memory
            for_operands(loops_.pieces[i], [&](Slot s, std::uint32_t) {
                if (inside(s) && part_[maker(s)] != part_[i]) stored_[maker(s)] = true;
            });
        for (std::size_t i = 0; i < order.size(); i += part_size) {
            begin_part();
            for (std::uint32_t piece : order.subspan(i, std::min(part_size, order.size() - i))) {
                const Piece& p = loops_.pieces[piece];
                const Number value = write_one(p, 0);
                if (stored_[piece]) store(Do::store, p.target, value);
            }
            end_part();
        }
    }

    void write_loop(const Loop& loop) {
        for (std::int64_t i = loop.begin; i < loop.end; ++i) {
            if (i == loop.first) i = loop.last;
            if (i >= loop.end) break;
            begin_part();
            for (std::uint32_t piece : loop.pieces) {
                const Piece& p = loops_.pieces[piece];
                const std::int64_t k = i - p.offset;
                if (k < 0 || k >= p.count) continue;
                const Number value = write_one(p, static_cast<std::uint32_t>(k));
                if (stored_[piece]) store(Do::store, p.target + static_cast<Slot>(k), value);
            }
            end_part();
        }
        begin_part(static_cast<std::uint32_t>(loop.last - loop.first));
        for (std::uint32_t piece : loop.pieces) write_run(loop, piece);
        end_part();
    }

    // Instruction k of a piece; its operands are lines of this part, or are loaded.
    Number write_one(const Piece& p, std::uint32_t k) {
        Number x[3];
        for (int a = 0; a < arity(p.op); ++a) {
            const auto i = static_cast<std::size_t>(a);
            x[i] = fetch(p.operand[i] + p.stride[i] * k, Do::load);
        }
        const Number value = apply(p, x);
        at_[p.target + k] = value.line();
        return value;
    }
    // All instructions of a run, as the body of a vectorised loop: a slot stands for itself and the following ones.
    void write_run(const Loop& loop, std::uint32_t piece) {
        const Piece& p = loops_.pieces[piece];
        const auto k = static_cast<Slot>(loop.first - p.offset);
        Number x[3];
        for (int a = 0; a < arity(p.op); ++a) {
            const auto i = static_cast<std::size_t>(a);
            const Slot from = p.operand[i] + p.stride[i] * k;
            x[i] = p.stride[i] == 0   ? fetch(from, Do::load_one, fixed_)
                   : p.stride[i] == 1 ? fetch(from, Do::load_run)
                                      : fetch(from, Do::load_pairs, pairs_);
        }
        const Number value = apply(p, x);
        at_[p.target + k] = value.line();
        if (stored_[piece]) store(Do::store_run, p.target + k, value);
    }

    Number apply(const Piece& p, const Number (&x)[3]) {
        return code::apply(p.op, x[0], arity(p.op) > 1 ? x[1] : x[0], arity(p.op) > 2 ? x[2] : x[0],
                           [&](const Mask& near) {
                               if (!guarded_) trouble_.set(nowhere(listing_));
                               guarded_ = true;
                               trouble_.set(trouble_.get() | ~near);
                           });
    }
    Number fetch(Slot slot, Do how) { return fetch(slot, how, at_); }
    Number fetch(Slot slot, Do how, Lines& known) {
        if (const auto line = known.find(slot); line != known.end()) return {listing_, line->second};
        const Number value = from_memory(slot, how);
        known[slot] = value.line();
        return value;
    }
    Number from_memory(Slot slot, Do how) {
        const auto c = std::lower_bound(constants_.begin(), constants_.end(), slot,
                                        [](const auto& constant, Slot s) { return constant.first < s; });
        if (c != constants_.end() && c->first == slot && how != Do::load_run && how != Do::load_pairs)
            return number(listing_, static_cast<double>(c->second));
        return {listing_, listing_.put(how, Array::slots, slot)};
    }
    void store(Do how, Slot slot, const Number& value) { listing_.put(how, Array::slots, slot, value.line()); }

    void begin_part(std::uint32_t count = 0) {
        listing_.put(Do::begin_part);
        if (count) listing_.put(Do::begin_run, count);
        trouble_ = Variable<Mask>(listing_);
        guarded_ = false;
        in_run_ = count > 0;
    }
    void end_part() {
        if (guarded_) listing_.put(Do::flag, Array::left, 0, trouble_.get().line());
        if (in_run_) listing_.put(Do::end_run);
        listing_.put(Do::end_part);
        at_.clear(), fixed_.clear(), pairs_.clear();
        if (listing_.lines.size() < listing_size) return;
        written_.push_back(std::move(listing_));
        listing_ = {};
    }

    const Section& section_;
    const std::vector<std::pair<Slot, quad>>& constants_; // sorted by slot
    Loops loops_;
    std::vector<Listing> written_;
    Listing listing_;
    std::vector<bool> stored_, done_; // by piece
    std::vector<std::uint32_t> part_; // by piece: the part of a single instruction, within its level
    // Of the part that is being written: the line of a slot. The same slot may be the first of a run, and one that does
    // not move: there are tables for each way to load it.
    Lines at_, fixed_, pairs_;
    Variable<Mask> trouble_;
    bool guarded_ = false, in_run_ = false;
};

} // namespace

std::vector<Listing> write_section(const Program& program, std::size_t section, const std::vector<bool>& wanted) {
    return SectionWriter(program, section, wanted).write();
}

} // namespace rattleback::code
