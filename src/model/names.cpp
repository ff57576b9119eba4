#include "model/names.hpp"

#include <algorithm>
#include <unordered_map>

#include "expr/nearest.hpp"

namespace rattleback::model {

bool is_name(std::string_view s) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (s.empty() || !letter(s[0])) return false;
    if (s == "and" || s == "or" || s == "in" || s == "for" || s == "sum") return false;
    return std::all_of(s.begin(), s.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<std::string> free_names(const syntax::Tree& tree) {
    constexpr std::uint32_t no_sum = ~0u;
    constexpr int deepest = 32;                                // deeper ones are refused later
    std::vector<std::uint32_t> sum(tree.nodes.size(), no_sum); // the innermost around a node
    std::vector<bool> is_free(tree.names.size(), false);
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const syntax::Node& n = tree.nodes[i];
        if (n.kind == syntax::Kind::Name || n.kind == syntax::Kind::Index) {
            std::uint32_t s = sum[i];
            for (int depth = 0; s != no_sum && tree.nodes[s].name != n.name && depth < deepest; ++depth) s = sum[s];
            if (s == no_sum) is_free[n.name] = true;
        }
        const auto children = tree.children_of(n);
        for (std::size_t k = 0; k < children.size(); ++k)
            sum[children[k]] = n.kind == syntax::Kind::Sum && k == 2 ? static_cast<std::uint32_t>(i) : sum[i];
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < is_free.size(); ++i)
        if (is_free[i]) names.push_back(tree.names[i]);
    return names;
}

Order order_of_use(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& uses) {
    std::unordered_map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < names.size(); ++i) place[names[i]] = i;
    std::vector<std::vector<std::size_t>> used(names.size()), users(names.size());
    std::vector<std::size_t> missing(names.size(), 0);
    Order order;
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const std::string& n : uses[i])
            if (auto it = place.find(n); it != place.end())
                used[i].push_back(it->second), users[it->second].push_back(i);
        missing[i] = used[i].size();
        if (missing[i] == 0) order.places.push_back(i);
    }
    for (std::size_t done = 0; done < order.places.size(); ++done)
        for (std::size_t user : users[order.places[done]])
            if (--missing[user] == 0) order.places.push_back(user);
    if (order.places.size() == names.size()) return order;
    // Whatever is left uses something that is left: following that, one comes around.
    std::size_t at = 0;
    while (missing[at] == 0) ++at;
    const auto next = [&](std::size_t i) {
        return *std::find_if(used[i].begin(), used[i].end(), [&](std::size_t u) { return missing[u] > 0; });
    };
    for (std::size_t i = 0; i < names.size(); ++i) at = next(at);
    order.in_circle = at;
    for (std::size_t i = next(at); i != at; i = next(i)) order.in_circle = std::min(order.in_circle, i);
    order.circle = names[order.in_circle];
    std::size_t shown = 1;
    for (std::size_t i = next(order.in_circle); i != order.in_circle; i = next(i))
        if (++shown <= 6) order.circle += " -> " + names[i];
    order.circle += (shown > 6 ? " -> ... -> " : " -> ") + names[order.in_circle];
    return order;
}

std::string grouped(long long number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string list_of(const std::vector<std::string>& names, std::size_t most) {
    std::string s;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) s += (i ? ", " : "") + names[i];
    return names.size() > most ? s + ", ..." : s;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known, const std::string& else_list) {
    const std::string near = nearest(name, known);
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; };
    const bool sensible = name.size() > 1 || (near.size() == 1 && lower(near[0]) == lower(name[0])); // y is not x
    if (!near.empty() && sensible) return "did you mean '" + near + "'?";
    return known.empty() ? "there are none" : else_list + list_of(known, 24);
}

std::string count_of(std::size_t n, const std::string& thing, const std::string& things) {
    return std::to_string(n) + " " + (n == 1 ? thing : things.empty() ? thing + "s" : things);
}

} // namespace rattleback::model
