// [view]: what a page draws of a model. Lists of shapes, each a table; docs/view.md has them all.

#include "model/view.hpp"

#include <algorithm>
#include <numeric>

#include "model/copy.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

struct Field {
    std::string_view name;
    int width; // numbers; 0: as many as the view has dimensions, -1: a vector in space, -2: a square matrix
    bool needed;
};
struct Kind {
    std::string_view plural, singular;
    std::vector<Field> fields;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"points", "point", {{"at", 0, true}, {"size", 1, false}}},
        {"rods", "rod", {{"from", 0, true}, {"to", 0, true}, {"width", 1, false}}},
        {"wheels", "wheel", {{"at", 0, true}, {"radius", 1, true}, {"heading", 1, false}, {"axis", -1, false}}},
        {"discs", "disc", {{"at", 0, true}, {"radius", 1, true}, {"angle", 1, false}, {"axis", -1, false}}},
        {"blades", "blade", {{"at", 0, true}, {"heading", 1, true}, {"length", 1, true}}},
        {"frames",
         "frame",
         {{"at", 0, true},
          {"size", 1, true},
          {"angle", 1, false},
          {"axes", -2, false},
          {"x", -1, false},
          {"y", -1, false},
          {"z", -1, false}}},
        {"trails", "trail", {{"at", 0, true}, {"seconds", 1, false}}},
    };
    return all;
}

constexpr long long most_members = 5000; // of all shapes: more cannot be told apart, and of more every second is drawn

// The least distance of indices at which families of these sizes have no more members together.
int thinning(const std::vector<int>& sizes) {
    const auto drawn = [&](int every) {
        return std::accumulate(sizes.begin(), sizes.end(), 0LL,
                               [&](long long sum, int size) { return sum + (size - 1) / every + 1; });
    };
    const long long most = std::max(most_members, static_cast<long long>(sizes.size()));
    int every = 1, none = 0; // the least that will do, found by bisection
    while (drawn(every) > most) none = every, every *= 2;
    while (every - none > 1) {
        const int middle = none + (every - none) / 2;
        (drawn(middle) > most ? none : every) = middle;
    }
    return every;
}

} // namespace

// A number, or a list of numbers, or the name of a vector.
ViewShape::Part Reader::read_shape_part(const Entry& entry, int width, const ViewShape& shape,
                                        const std::string& index) {
    std::vector<Expr> each; // of one member
    std::vector<Parsed> from;
    if (entry.value.is(Value::Kind::Array)) {
        for (const Value& v : entry.value.items()) {
            from.push_back(parse(text_of(v, "a place")));
            each.push_back(scalar(from.back(), index));
        }
    } else {
        from.push_back(parse(text_of(entry.value, "a number or a place")));
        const Tensor t = meaning(from.back(), index);
        each = t.e;
    }
    const int found = static_cast<int>(each.size());
    if (width == 0 && view_.dimension == 0 && (found == 2 || found == 3)) view_.dimension = found;
    const int dimension = view_.dimension;
    const int wanted = width > 0 ? width : width == -1 ? 3 : width == -2 ? dimension * dimension : dimension;
    if (found != wanted || wanted == 0) {
        const std::string what = wanted == 0   ? "2 numbers in the plane, or 3 in space"
                                 : wanted == 1 ? "one number"
                                               : std::to_string(wanted) + " numbers";
        fail(entry.value.range(), std::string(entry.key) + " of a " + shape.kind + " must be " + what,
             width == 0    ? "all places of a view have the same dimension"
             : width == -2 ? "give a matrix whose columns are the axes, like R of \"R in SO(3)\" or rotation(X)"
                           : "write a formula for each");
    }
    ViewShape::Part part{std::string(entry.key), wanted, {}};
    const int hi = shape.first + shape.of - 1;
    Vec members;
    for (std::size_t k = 0; k < each.size(); ++k) {
        const Parsed& formula = from[std::min(k, from.size() - 1)];
        check_size(each[k], shape.first, shape.first + shape.members - 1, formula);
        if (shape.every > 1) check_size(each[k], hi - shape.members + 1, hi, formula);
        Component c{std::to_string(k), each[k]};
        for (int m = 0; m <= shape.members; ++m) { // the last index too, to be refused where it does not exist
            if (!index.empty()) c.family = true, c.lo = c.hi = m < shape.members ? shape.first + m * shape.every : hi;
            members.push_back(c);
        }
    }
    // Component by component first; a page wants member by member.
    const std::vector<Expr> all = located(from[0], [&] { return expand(members); });
    const auto stride = static_cast<std::size_t>(shape.members) + 1;
    for (int m = 0; m < shape.members; ++m)
        for (int k = 0; k < wanted; ++k)
            part.formulas.push_back(all[static_cast<std::size_t>(k) * stride + static_cast<std::size_t>(m)]);
    return part;
}

std::string Reader::read_colour(const Entry& entry) {
    const std::string name(entry.value.is(Value::Kind::String) ? entry.value.text() : "");
    std::string all;
    for (const std::string_view known : {"blue", "orange", "green", "pink", "yellow", "sky", "violet", "grey", "red"}) {
        if (name == known) return name;
        all += (all.empty() ? "" : ", ") + std::string(known);
    }
    fail(entry.value.range(), "colour must be one of " + all, "write colour = \"orange\"");
}

// for = "i in 1..n"; empty: one shape.
Reader::ShapeRange Reader::read_shape_range(const Value& table) {
    ShapeRange range;
    const Entry* e = table.is(Value::Kind::Table) ? table.find("for") : nullptr;
    if (!e) return range;
    const std::string text(e->value.is(Value::Kind::String) ? e->value.text() : "");
    const std::size_t in = text.find(" in "), dots = text.find("..");
    if (in == std::string::npos || dots == std::string::npos || dots < in || !is_name(text.substr(0, in)))
        fail(e->value.range(), "for must name an index and its range", "write for = \"i in 1..n\"");
    range.index = text.substr(0, in);
    const auto bound = [&](const std::string& t) {
        try {
            return whole(number({nullptr, t, {}}), e->value.range(), "a bound of 'for'");
        } catch (const ModelError& error) { fail(e->value.range(), error.message(), error.remedy()); }
    };
    range.lo = bound(text.substr(in + 4, dots - in - 4)), range.hi = bound(text.substr(dots + 2));
    if (range.hi < range.lo) fail(e->value.range(), "the range of 'for' is empty", "it ends before it begins");
    return range;
}

std::string Reader::read_label(const Value& table) {
    const Entry *name = table.find("name"), *label = table.find("label");
    if (name && label) fail(label->value.range(), "a shape has a name or a label", "they are the same: leave one out");
    const Entry* e = name ? name : label;
    if (!e) return "";
    if (!e->value.is(Value::Kind::String)) fail(e->value.range(), std::string(e->key) + " must be a text in quotes");
    std::string words(e->value.text());
    require_printable(words, e->value.range());
    return words;
}

ViewShape Reader::read_shape(const std::string& plural, const Value& table, int every) {
    const Kind* kind = nullptr;
    for (const Kind& k : kinds())
        if (k.plural == plural) kind = &k;
    ViewShape shape;
    shape.kind = kind->singular;
    if (!table.is(Value::Kind::Table))
        fail(table.range(), "a " + shape.kind + " is a table", "write { at = [\"x\", \"y\"] }");
    std::vector<std::string> known{"name", "label", "colour", "for"};
    for (const Field& f : kind->fields) known.emplace_back(f.name);
    allow_keys(table, known, "of a " + shape.kind);
    for (const Field& f : kind->fields)
        if (f.needed && !table.find(f.name))
            fail(table.range(), "a " + shape.kind + " needs '" + std::string(f.name) + "'");
    shape.name = read_label(table);
    if (const Entry* e = table.find("colour")) shape.colour = read_colour(*e);
    const ShapeRange range = read_shape_range(table);
    shape.first = range.lo, shape.of = range.count(), shape.every = std::min(every, shape.of);
    shape.members = (shape.of - 1) / shape.every + 1;
    for (const Field& f : kind->fields)
        if (const Entry* e = table.find(f.name))
            shape.parts.push_back(read_shape_part(*e, f.width, shape, range.index));
    return shape;
}

void Reader::read_view() {
    const Value* all = table("view");
    if (!all) return;
    std::vector<std::string> known{"snapshots"};
    for (const Kind& k : kinds()) known.emplace_back(k.plural);
    allow_keys(*all, known, "in [view]");
    std::vector<int> sizes;
    for (const Entry& e : all->entries())
        if (e.value.is(Value::Kind::Array))
            for (const Value& v : e.value.items()) sizes.push_back(read_shape_range(v).count());
    const int every = thinning(sizes);
    for (const Entry& e : all->entries()) {
        const std::string key(e.key);
        if (key == "snapshots") {
            view_.snapshots = static_cast<double>(number(text_of(e.value, "the time between snapshots")));
            if (!(view_.snapshots > 0)) fail(e.value.range(), "the time between snapshots must be positive");
            continue;
        }
        if (!e.value.is(Value::Kind::Array))
            fail(e.value.range(), key + " must be a list of tables", "write " + key + " = [{ ... }]");
        for (const Value& v : e.value.items()) view_.shapes.push_back(read_shape(key, v, every));
    }
    for (ViewShape& shape : view_.shapes)
        for (ViewShape::Part& part : shape.parts)
            for (Expr& e : part.formulas) e = at_centre(e, model_);
    model_.view = std::make_shared<const View>(std::move(view_));
}

} // namespace rattleback::model
