#include "expr/nearest.hpp"

#include <algorithm>
#include <limits>

namespace rattleback {
namespace {

// Optimal string alignment: Damerau-Levenshtein in which no letter is touched twice.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

} // namespace

std::string_view usual_name(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> foreign[] = {
        {"ln", "log"},        {"arcsin", "asin"}, {"arccos", "acos"},  {"arctan", "atan"},
        {"arctan2", "atan2"}, {"fabs", "abs"},    {"absolute", "abs"}, {"Abs", "abs"},
        {"Sin", "sin"},       {"Cos", "cos"},     {"Sqrt", "sqrt"},    {"where", "if"},
        {"degrees", "deg"},   {"degree", "deg"},  {"sgn", "sign"},     {"linalg", "norm"}};
    for (const auto& [theirs, ours] : foreign)
        if (name == theirs) return ours;
    return name;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
    constexpr std::size_t longest = 200; // in bytes; nobody misspells longer names, and the work grows as its square
    if (name.size() > longest) return {};
    const std::string wanted(name);
    const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
    std::pair<std::size_t, std::size_t> best{limit, std::numeric_limits<std::size_t>::max()};
    std::string found;
    for (const std::string& candidate : candidates) {
        if (candidate.empty() || candidate.size() > 4 * longest) continue;
        const std::string& known = candidate;
        if (std::max(known.size(), wanted.size()) - std::min(known.size(), wanted.size()) > limit) continue;
        const std::pair ranking{distance(lower(wanted), lower(known)), distance(wanted, known)};
        if (ranking < best) {
            best = ranking;
            found = candidate;
        }
    }
    return found;
}

} // namespace rattleback
