// Names, options and citations of methods.
#include <rattleback/scheme.hpp>

#include <algorithm>
#include <deque>
#include <mutex>

#include "expr/constant.hpp"
#include "expr/nearest.hpp"
#include "expr/real_functions.hpp"
#include "model/copy.hpp"
#include "scheme/build.hpp"
#include "scheme/group_state.hpp"

namespace rattleback {

std::span<const Scheme* const> built_in_schemes(); // made at build time from src/scheme/methods

std::string_view to_text(Property p) {
    static constexpr std::string_view names[] = {
        "symplectic",   "constraint_exact", "holonomic_exact", "constraint_at_stages", "holonomic_at_stages",
        "energy_exact", "energy_bounded",   "momentum_exact",  "reversible",           "symmetric"};
    return names[static_cast<std::size_t>(p)];
}

std::string_view to_text(Answer a) {
    static constexpr std::string_view names[] = {"yes", "no", "unknown"};
    return names[static_cast<std::size_t>(a)];
}

std::string_view to_text(Condition c) {
    static constexpr std::string_view all[] = {
#define CONDITION(id, words, model, momentum, test) words,
#include <rattleback/conditions.def>
#undef CONDITION
    };
    return all[static_cast<std::size_t>(c)];
}

std::string to_text(const std::vector<Condition>& conditions) {
    std::string list;
    for (Condition c : conditions) list += (list.empty() ? "" : ", ") + std::string(to_text(c));
    return list;
}

int Options::integer(const std::string& name, int fallback, int lo, int hi) const {
    const quad x = number(name, fallback);
    if (x < lo || x > hi || real::floor(x) != x)
        throw BadMethod("option " + name + "=" + values_.at(name) + ": a whole number from " + std::to_string(lo) +
                        " to " + std::to_string(hi) + " is needed");
    return static_cast<int>(x);
}

quad Options::number(const std::string& name, quad fallback) const {
    const auto it = values_.find(name);
    if (it == values_.end()) return fallback;
    try {
        return constant_value(it->second);
    } catch (const std::exception& e) { throw BadMethod("option " + name + "=" + it->second + ": " + e.what()); }
}

std::string Options::word(const std::string& name, const std::string& fallback,
                          std::span<const std::string_view> allowed) const {
    const auto it = values_.find(name);
    const std::string value = it == values_.end() ? fallback : it->second;
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        std::string list;
        for (std::string_view a : allowed) list += (list.empty() ? "" : ", ") + std::string(a);
        throw BadMethod("option " + name + "=" + value + " is not known; choose one of " + list);
    }
    return value;
}

std::span<const MethodAlias> method_aliases() {
    static constexpr MethodAlias all[] = {{"verlet", "del:ld=verlet"},
                                          {"leapfrog", "del:ld=verlet"},
                                          {"stormer_verlet", "del:ld=verlet"},
                                          {"implicit_midpoint", "midpoint"}};
    return all;
}

namespace {

// With the name that people type in place of ours.
std::string without_alias(const std::string& method) {
    const std::size_t end = std::min(method.find(':'), method.size());
    if (method.rfind("tableau=", 0) == 0) return "rk:" + method; // a bare tableau=FILE is short for what takes it
    for (const MethodAlias& a : method_aliases())
        if (method.substr(0, end) == a.name) return std::string(a.means) + method.substr(end);
    return method;
}

} // namespace

const Scheme& find_scheme(const std::string& id) {
    std::vector<std::string> names;
    for (const MethodAlias& a : method_aliases()) names.emplace_back(a.name);
    for (const Scheme* s : all_schemes()) {
        if (s->id == id) return *s;
        names.push_back(s->id);
    }
    const std::string near = nearest(id, names);
    throw BadMethod("unknown method '" + id + "'" +
                    (near.empty() ? "; 'rattleback methods' lists them" : "; did you mean '" + near + "'?"));
}

std::vector<MethodName> parse_methods(const std::string& text) {
    std::vector<MethodName> result;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(',', from), text.size());
        MethodName name{"", text.substr(from, end - from), {}};
        std::map<std::string, std::string> values;
        std::string rest = without_alias(name.text);
        for (bool first = true; !rest.empty() || first; first = false) {
            const std::size_t colon = std::min(rest.find(':'), rest.size());
            const std::string part = rest.substr(0, colon);
            if (colon + 1 == rest.size() && !first)
                throw BadMethod("'" + name.text + "' ends with a colon; an option is written option=value");
            rest.erase(0, colon + 1);
            if (first) {
                name.id = part;
                continue;
            }
            const std::size_t equals = part.find('=');
            if (equals == std::string::npos || equals == 0)
                throw BadMethod("'" + part + "' in '" + name.text + "' is not of the form option=value");
            if (!values.try_emplace(part.substr(0, equals), part.substr(equals + 1)).second)
                throw BadMethod("option '" + part.substr(0, equals) + "' is given twice in '" + name.text + "'");
        }
        if (name.id.empty()) throw BadMethod("a method's name is missing in '" + text + "'");
        name.options = Options(std::move(values));
        result.push_back(std::move(name));
        from = end + 1;
    }
    return result;
}

namespace {

void require_known_options(const Scheme& scheme, const Options& options) {
    std::vector<std::string> known;
    for (const OptionInfo& o : scheme.options) known.push_back(o.name);
    for (const auto& [key, value] : options.values()) {
        if (std::find(known.begin(), known.end(), key) != known.end() || scheme.passes_options) continue;
        const std::string near = nearest(key, known);
        throw BadMethod(
            "method '" + scheme.id + "' has no option '" + key + "'" +
            (near.empty() ? "; 'rattleback methods " + scheme.id + "' lists them" : "; did you mean '" + near + "'?"));
    }
}

// Formulations do not know who asks: they say "this method".
template <class F> Method named(const Scheme& scheme, F&& build) {
    try {
        return build();
    } catch (const Unsuitable& e) {
        const std::string why = e.what(), unnamed = "this method ";
        if (!why.starts_with(unnamed)) throw;
        throw Unsuitable("method '" + scheme.id + "' " + why.substr(unnamed.size()));
    }
}

} // namespace

Method build_base(const Model& own, const Scheme& scheme, const Options& options, const std::string& text) {
    require_known_options(scheme, options);
    Method method = named(scheme, [&] { return scheme.build(own, options); });
    method.text = text;
    if (text.empty()) {
        method.text = scheme.id;
        for (const auto& [key, value] : options.values()) method.text += ":" + key + "=" + value;
    }
    return method;
}

Method build_in_graph(const Model& own, const Scheme& scheme, const Options& options, const std::string& text) {
    const std::vector<std::string_view> solve_for_inputs{"gauss", "midpoint", "type2", "type2_sym",
                                                         "rk",    "rk4",      "dop853"};
    const std::string stepped =
        scheme.id == "compose" ? parse_methods(options.word("base", "midpoint"))[0].id : scheme.id;
    if (!own.implicit_inputs().empty() &&
        std::find(solve_for_inputs.begin(), solve_for_inputs.end(), stepped) == solve_for_inputs.end())
        throw Unsuitable("method '" + scheme.id +
                         "' does not solve H_u = 0 for inputs that enter nonlinearly; try gauss, type2 or type2_sym");
    Method method = build_base(own, scheme, options, text);
    if (own.groups.empty() || !method.step.centre.empty()) return method;
    return named(scheme, [&] {
        carry_charts(method.step, own, static_cast<int>(method.substeps.size()));
        return method;
    });
}

Method build_in_graph(const Model& own, const MethodName& name) {
    if (own.control && !own.control->bounds.empty())
        throw Unsuitable("'" + own.control->bounds[0].name +
                         "' is bounded: costates alone do not give the inputs then; `rattleback solve` finds the path "
                         "between the ends of [boundary]");
    return build_in_graph(own, find_scheme(name.id), name.options, name.text);
}

Method build_method(const Model& model, const MethodName& name) { return build_in_graph(deep_copy(model), name); }

namespace {

struct Registered {
    std::mutex mutex;
    std::deque<Scheme> schemes;
};
Registered& registered() {
    static Registered all;
    return all;
}

} // namespace

std::vector<const Scheme*> all_schemes() {
    const std::span<const Scheme* const> own = built_in_schemes();
    std::vector<const Scheme*> all(own.begin(), own.end());
    Registered& others = registered();
    const std::lock_guard lock(others.mutex);
    for (const Scheme& s : others.schemes) all.push_back(&s);
    return all;
}

void register_scheme(Scheme scheme) {
    if (scheme.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos || scheme.id.empty())
        throw BadMethod("'" + scheme.id + "' is no name of a method: small letters, digits and underscores");
    if (!scheme.build || !scheme.order || !scheme.claims)
        throw BadMethod("the scheme '" + scheme.id + "' lacks one of build, order and claims");
    for (const Scheme* s : all_schemes())
        if (s->id == scheme.id) throw BadMethod("there is a method '" + scheme.id + "' already");
    Registered& others = registered();
    const std::lock_guard lock(others.mutex);
    others.schemes.push_back(std::move(scheme));
}

} // namespace rattleback
