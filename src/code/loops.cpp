#include "code/loops.hpp"

#include "code/listing.hpp"

#include <algorithm>
#include <optional>

namespace rattleback::code {
namespace {

constexpr std::int64_t most_at_ends = 4; // iterations that may be peeled at either end of a loop

class Finder {
  public:
    Finder(const Program& program, const Section& section) : program_(program), section_(section) {}

    Loops run() {
        found_.home.resize(section_.nodes.size());
        auto cut = section_.cuts.begin();
        for (const Group& g : section_.groups) {
            for (std::uint32_t i = 0; i < g.count;) {
                while (cut != section_.cuts.end() && *cut <= g.target + i) ++cut;
                const std::uint32_t end = cut == section_.cuts.end()
                                              ? g.count
                                              : std::min(g.count, static_cast<std::uint32_t>(*cut - g.target));
                const std::uint32_t count = length(g, i, end);
                if (count >= shortest_run)
                    add(g, i, count);
                else
                    for (std::uint32_t k = 0; k < count; ++k) add(g, i + k, 1);
                i += count;
            }
        }
        for (Piece& p : found_.pieces) p.is_run() ? place_run(p) : place_single(p);
        gather();
        return std::move(found_);
    }

  private:
    // Loops under construction, as a union-find forest: a cluster of runs may become part of another, with its indices
    // shifted.
    struct Cluster {
        std::uint32_t parent;
        std::int64_t shift = 0; // its index i is the parent's index i + shift
        std::int64_t begin, first, last, end;
    };
    struct Position {
        std::uint32_t cluster;
        std::int64_t offset;
    };

    Slot operand(const Group& g, std::uint32_t i, int a) const {
        return program_.operands[g.operands + static_cast<std::uint32_t>(a) * g.count + i];
    }
    // The length of the run that starts at instruction i: each operand has one stride throughout.
    std::uint32_t length(const Group& g, std::uint32_t i, std::uint32_t end) const {
        if (i + 1 >= end) return 1;
        std::array<Slot, 3> stride{};
        for (int a = 0; a < arity(g.op); ++a) {
            const auto step = stride[static_cast<std::size_t>(a)] = operand(g, i + 1, a) - operand(g, i, a);
            if (step > 2) return 1;
        }
        std::uint32_t j = i + 2;
        const auto goes_on = [&] {
            for (int a = 0; a < arity(g.op); ++a)
                if (operand(g, j, a) - operand(g, j - 1, a) != stride[static_cast<std::size_t>(a)]) return false;
            return true;
        };
        while (j < end && goes_on()) ++j;
        const bool regular = std::all_of(stride.begin(), stride.end(), [](Slot s) { return s < 2; });
        return regular || j - i >= shortest_run ? j - i : 1; // two with any distance prove nothing
    }
    void add(const Group& g, std::uint32_t i, std::uint32_t count) {
        Piece p{g.op, g.target + i, count};
        for (int a = 0; a < arity(g.op); ++a) {
            const auto k = static_cast<std::size_t>(a);
            p.operand[k] = operand(g, i, a);
            p.stride[k] = count > 1 ? operand(g, i + 1, a) - p.operand[k] : 0;
        }
        std::fill_n(found_.home.begin() + (p.target - section_.first), count,
                    static_cast<std::uint32_t>(found_.pieces.size()));
        found_.pieces.push_back(p);
    }

    bool inside(Slot s) const { return s >= section_.first && s - section_.first < section_.nodes.size(); }
    const Piece& maker(Slot s) const { return found_.pieces[found_.home[s - section_.first]]; }
    // f(piece) for every piece of this section that writes one of the slots from .. from + count - 1.
    template <class F> void for_makers(Slot from, std::uint32_t count, F&& f) const {
        for (Slot s = from; s < from + count;) {
            if (!inside(s)) {
                s = s < section_.first ? std::min(section_.first, from + count) : from + count;
                continue;
            }
            const Piece& p = maker(s);
            f(p);
            s = p.target + p.count;
        }
    }

    void place_single(Piece& p) {
        for (int a = 0; a < arity(p.op); ++a)
            for_makers(p.operand[static_cast<std::size_t>(a)], 1,
                       [&](const Piece& q) { p.level = std::max(p.level, q.level + q.is_run()); });
    }

    void place_run(Piece& p) {
        for (int a = 0; a < arity(p.op); ++a) {
            const auto k = static_cast<std::size_t>(a);
            for_makers(p.operand[k], p.extent(k), [&](const Piece& q) {
                p.level = std::max(p.level, q.level + (q.is_run() && p.stride[k] != 1));
            });
        }
        if (!join(p)) {
            ++p.level;
            p.loop = alone(p);
        }
    }
    std::uint32_t alone(Piece& p) {
        const std::int64_t end = p.count;
        clusters_.push_back({static_cast<std::uint32_t>(clusters_.size()), 0, 0, 0, end, end});
        p.offset = 0;
        return static_cast<std::uint32_t>(clusters_.size() - 1);
    }

    // Loop fusion: puts a run into the loop of the runs on its level whose results it reads, merging their loops if
    // there are several. False if the indices do not fit, or if too many iterations would have to be peeled.
    bool join(Piece& p) {
        std::optional<Position> wanted;
        bool fits = true;
        for (int a = 0; a < arity(p.op); ++a) {
            const auto k = static_cast<std::size_t>(a);
            if (p.stride[k] != 1) continue;
            for_makers(p.operand[k], p.count, [&](const Piece& q) {
                if (!q.is_run() || q.level != p.level || !fits) return;
                Position here = root({q.loop, q.offset});
                here.offset += static_cast<std::int64_t>(p.operand[k]) - static_cast<std::int64_t>(q.target);
                if (!wanted) wanted = here;
                wanted = root(*wanted);
                fits = merge(*wanted, here);
                wanted = root(*wanted);
            });
        }
        if (!fits) return false;
        if (!wanted) {
            p.loop = alone(p);
            return true;
        }
        Cluster& c = clusters_[wanted->cluster];
        const std::int64_t from = wanted->offset, to = from + p.count;
        if (!widen(c, {0, 0, from, from, to, to})) return false;
        p.loop = wanted->cluster, p.offset = wanted->offset;
        return true;
    }
    Position root(Position p) const {
        while (clusters_[p.cluster].parent != p.cluster)
            p = {clusters_[p.cluster].parent, p.offset + clusters_[p.cluster].shift};
        return p;
    }
    // Merges two clusters such that the two positions become the same index. False if that is impossible.
    bool merge(Position x, Position y) {
        if (x.cluster == y.cluster) return x.offset == y.offset;
        Cluster& other = clusters_[y.cluster];
        const std::int64_t shift = x.offset - y.offset;
        if (!widen(clusters_[x.cluster],
                   {0, 0, other.begin + shift, other.first + shift, other.last + shift, other.end + shift}))
            return false;
        other.parent = x.cluster, other.shift = shift;
        return true;
    }
    static bool widen(Cluster& c, const Cluster& by) {
        const std::int64_t begin = std::min(c.begin, by.begin), first = std::max(c.first, by.first),
                           last = std::min(c.last, by.last), end = std::max(c.end, by.end);
        if (first - begin > most_at_ends || end - last > most_at_ends || last - first < shortest_run) return false;
        c.begin = begin, c.first = first, c.last = last, c.end = end;
        return true;
    }

    void gather() {
        std::vector<std::uint32_t> number(clusters_.size(), ~0u);
        for (std::uint32_t i = 0; i < found_.pieces.size(); ++i) {
            Piece& p = found_.pieces[i];
            if (p.level >= found_.levels.size()) found_.levels.resize(p.level + 1);
            if (!p.is_run()) {
                found_.levels[p.level].singles.push_back(i);
                continue;
            }
            const Position at = root({p.loop, p.offset});
            std::uint32_t& loop = number[at.cluster];
            if (loop == ~0u) {
                const Cluster& c = clusters_[at.cluster];
                loop = static_cast<std::uint32_t>(found_.loops.size());
                found_.levels[p.level].loops.push_back(loop);
                found_.loops.push_back({{}, c.begin, c.first, c.last, c.end});
            }
            p.loop = loop, p.offset = at.offset;
            found_.loops[loop].pieces.push_back(i);
        }
    }

    const Program& program_;
    const Section& section_;
    Loops found_;
    std::vector<Cluster> clusters_;
};

} // namespace

Loops find_loops(const Program& program, const Section& section) { return Finder(program, section).run(); }

} // namespace rattleback::code
