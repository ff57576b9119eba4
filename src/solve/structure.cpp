#include "solve/structure.hpp"

#include <algorithm>

namespace rattleback::solve {
namespace {

// Maximum matching by augmenting paths, with an explicit stack and a cheap look-ahead first (Duff's MC21).
class Matching {
  public:
    Matching(const std::vector<std::vector<std::uint32_t>>& pattern, std::uint32_t unknowns)
        : pattern_(pattern), equation_of(unknowns, -1), cheap_(pattern.size(), 0), next_(pattern.size(), 0),
          seen_(unknowns, -1) {
        for (std::uint32_t e = 0; e < pattern.size(); ++e) augment(e);
    }

  private:
    const std::vector<std::vector<std::uint32_t>>& pattern_;

  public:
    std::vector<int> equation_of;

  private:
    bool free_unknown(std::uint32_t e, std::uint32_t& u) {
        for (std::size_t& i = cheap_[e]; i < pattern_[e].size();)
            if (equation_of[u = pattern_[e][i++]] < 0) return true;
        return false;
    }

    void augment(std::uint32_t start) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> path{{start, 0}}; // equation, unknown it wants
        next_[start] = 0;
        while (!path.empty()) {
            auto& [e, wanted] = path.back();
            if (free_unknown(e, wanted)) {
                for (auto [equation, unknown] : path) equation_of[unknown] = static_cast<int>(equation);
                return;
            }
            bool deeper = false;
            while (next_[e] < pattern_[e].size()) {
                const std::uint32_t u = pattern_[e][next_[e]++];
                if (seen_[u] == static_cast<int>(start)) continue;
                seen_[u] = static_cast<int>(start);
                wanted = u;
                const auto other = static_cast<std::uint32_t>(equation_of[u]);
                next_[other] = 0;
                path.emplace_back(other, 0);
                deeper = true;
                break;
            }
            if (!deeper) path.pop_back();
        }
    }

    std::vector<std::size_t> cheap_, next_;
    std::vector<int> seen_;
};

} // namespace

BlockStructure block_triangular(const std::vector<std::vector<std::uint32_t>>& pattern, std::uint32_t unknowns,
                                const std::vector<std::vector<std::uint32_t>>& mentioned) {
    BlockStructure result;
    result.equation_of = Matching(pattern, unknowns).equation_of;
    for (int e : result.equation_of) result.determined &= e >= 0;
    if (!result.determined) return result;

    // Tarjan's strong components of "unknown u needs unknown w", iteratively; they come out in the order of solution.
    constexpr std::uint32_t unvisited = ~0u;
    std::vector<std::uint32_t> number(unknowns, unvisited), low(unknowns, 0), next(unknowns, 0), open;
    std::vector<char> on_stack(unknowns, 0);
    std::uint32_t counter = 0;
    for (std::uint32_t root = 0; root < unknowns; ++root) {
        if (number[root] != unvisited) continue;
        std::vector<std::uint32_t> path{root};
        while (!path.empty()) {
            const std::uint32_t u = path.back();
            if (number[u] == unvisited) {
                number[u] = low[u] = counter++;
                open.push_back(u);
                on_stack[u] = 1;
            }
            const auto e = static_cast<std::size_t>(result.equation_of[u]);
            const std::size_t depends = pattern[e].size(),
                              needs = depends + (mentioned.empty() ? 0 : mentioned[e].size());
            bool descended = false;
            while (next[u] < needs) {
                const std::size_t k = next[u]++;
                const std::uint32_t w = k < depends ? pattern[e][k] : mentioned[e][k - depends];
                if (number[w] == unvisited) {
                    path.push_back(w);
                    descended = true;
                    break;
                }
                if (on_stack[w]) low[u] = std::min(low[u], number[w]);
            }
            if (descended) continue;
            path.pop_back();
            if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[u]);
            if (low[u] != number[u]) continue;
            std::vector<std::uint32_t> block;
            for (std::uint32_t w = unvisited; w != u;) {
                w = open.back();
                open.pop_back();
                on_stack[w] = 0;
                block.push_back(w);
            }
            std::sort(block.begin(), block.end());
            result.blocks.push_back(std::move(block));
        }
    }
    return result;
}

} // namespace rattleback::solve
