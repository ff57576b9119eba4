// Symmetric compositions Phi_{g_s h} o ... o Phi_{g_1 h} of a symmetric method of order 2 (Hairer, Lubich and Wanner,
// V.3.2): order 4, 6 or 8. What the base method preserves at every step size, the composition preserves.
#include "scheme/build.hpp"
#include "scheme/composition.hpp"
#include "scheme/tableau.hpp"

namespace rattleback {
namespace {

MethodName base_of(const Options& o) {
    std::map<std::string, std::string> rest = o.values();
    rest.erase("base"), rest.erase("order");
    const std::string id = o.word("base", "midpoint");
    if (id == "compose") throw BadMethod("compose cannot be the base of itself");
    std::string text = id;
    for (const auto& [key, value] : rest) text += ":" + key + "=" + value;
    const MethodName parsed = parse_methods(text).at(0); // verlet is del:ld=verlet
    return {parsed.id, text, parsed.options};
}

int order_of(const Options& o) {
    const int order = o.integer("order", 4, 4, 8);
    if (order % 2) throw BadMethod("option order=" + std::to_string(order) + ": choose 4, 6 or 8");
    return order;
}

} // namespace

extern const Scheme compose_scheme;
const Scheme compose_scheme = {
    .id = "compose",
    .title = "symmetric composition",
    .cite = "kahan1997",
    .takes = "whatever its base takes",
    .passes_options = true,
    .options = {{"base", "midpoint", "a symmetric method of order 2; its options may follow"},
                {"order", "4", "4, 6 or 8"}},
    .order = [](const Options& o) { return order_of(o); },
    .claims =
        [](const Options& o) {
            const MethodName base = base_of(o);
            return find_scheme(base.id).claims(base.options);
        },
    .build = [](const Model& model, const Options& o) -> Method {
        const MethodName name = base_of(o);
        const Scheme& scheme = find_scheme(name.id);
        bool symmetric = false;
        for (const Claim& c : scheme.claims(name.options))
            symmetric |= c.property == Property::symmetric && c.answer == Answer::yes;
        if (!symmetric) throw BadMethod("compose needs a symmetric base method; '" + name.text + "' is not symmetric");
        Method base = build_base(model, scheme, name.options, name.text);
        if (base.order != 2)
            throw BadMethod("compose needs a base method of order 2; '" + name.text + "' has order " +
                            std::to_string(base.order));
        if (order_of(o) > base.composes_to)
            throw BadMethod("compositions of '" + name.text + "' reach order " + std::to_string(base.composes_to) +
                            " and no more: the multiplier it carries depends on the step; nh_gauss has any order");
        base.id = "compose";
        base.substeps = composition_fractions(order_of(o));
        base.order = order_of(o);
        return base;
    },
};

} // namespace rattleback
