#include "output/usual_view.hpp"

#include <algorithm>
#include <vector>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

constexpr int most_trails = 12;

// A place: coordinates that belong together, such as x1, y1, z1, or x[i], y[i].
struct Place {
    std::string suffix;
    std::vector<const Component*> parts;
    bool family() const { return parts[0]->family; }
};

class UsualView {
  public:
    explicit UsualView(const Model& model)
        : model_(model), coordinates_(model.kind == Model::general ? model.z : model.q) {}

    std::string text() {
        if (!model_.groups.empty() || model_.control) return "";
        find_places();
        if (places_.empty()) return polar();
        std::string points, trails, rods;
        int count = 0;
        for (const Place& p : places_) {
            add(points, "{ at = " + written(p, "i") + range(*p.parts[0]) + " }");
            add(trails, "{ at = " + written(p, "i") + range(*p.parts[0]) + " }");
            count += p.parts[0]->count();
        }
        for (const Component& g : model_.holonomic) add(rods, rod(g));
        std::string view = "[view]\npoints = [" + points + "]\n";
        if (!rods.empty()) view += "rods   = [" + rods + "]\n";
        if (count <= most_trails) view += "trails = [" + trails + "]\n";
        return view;
    }

  private:
    static void add(std::string& list, const std::string& shape) {
        if (!shape.empty()) list += (list.empty() ? "" : ", ") + shape;
    }
    static std::string quoted(const std::vector<std::string>& formulas) {
        std::string s;
        for (const std::string& f : formulas) s += (s.empty() ? "[\"" : ", \"") + f + "\"";
        return s + "]";
    }
    static std::string range(const Component& c) {
        if (!c.family) return "";
        return ", for = \"i in " + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "\"";
    }
    std::string written(const Place& p, const std::string& index) const {
        std::vector<std::string> formulas;
        for (const Component* c : p.parts) formulas.push_back(c->name + (c->family ? "[" + index + "]" : ""));
        while (formulas.size() < dimension_) formulas.emplace_back("0");
        return quoted(formulas);
    }

    const Component* find(const std::string& name) const {
        for (const Component& c : coordinates_)
            if (c.name == name) return &c;
        return nullptr;
    }

    void find_places() {
        for (const Component& c : coordinates_) {
            if (c.name[0] != 'x') continue;
            const std::string suffix = c.name.substr(1);
            Place place{suffix, {&c}};
            for (const char* other : {"y", "z"}) {
                const Component* found = find(other + suffix);
                if (!found || found->family != c.family || found->lo != c.lo || found->hi != c.hi) break;
                place.parts.push_back(found);
            }
            dimension_ = std::max(dimension_, place.parts.size());
            places_.push_back(place);
        }
    }

    std::string polar() const {
        const Component *r = find("r"), *theta = find("theta");
        if (!r || !theta || r->family || theta->family || coordinates_.size() > 2) return "";
        const std::string at = "[\"r*cos(theta)\", \"r*sin(theta)\"]";
        return "[view]\npoints = [{ at = " + at + " }]\nrods   = [{ from = [\"0\", \"0\"], to = " + at +
               " }]\ntrails = [{ at = " + at + " }]\n";
    }

    // A constraint between two places, or x^2 + y^2 - ... of one; empty: another kind.
    std::string rod(const Component& g) const {
        std::vector<const Place*> in;
        for (const Component& c : coordinates_) {
            if (jacobian(Vec({g}), Vec({c})).empty()) continue;
            const auto of = std::find_if(places_.begin(), places_.end(), [&](const Place& p) {
                return std::find(p.parts.begin(), p.parts.end(), &c) != p.parts.end();
            });
            if (of == places_.end()) return "";
            if (std::find(in.begin(), in.end(), &*of) == in.end()) in.push_back(&*of);
        }
        const auto mentions = [&](const std::string& what) { return g.name.find(what) != std::string::npos; };
        if (in.size() == 1 && in[0]->family() && g.family) {
            const bool last = mentions("[i-1]") || mentions("[i - 1]"), next = mentions("[i+1]") || mentions("[i + 1]");
            if (last == next) return "";
            return "{ from = " + written(*in[0], last ? "i-1" : "i+1") + ", to = " + written(*in[0], "i") + range(g) +
                   " }";
        }
        if (g.family || in.empty() || in.size() > 2 || in[0]->family() || in.back()->family()) return "";
        if (in.size() == 2) return "{ from = " + written(*in[0], "") + ", to = " + written(*in[1], "") + " }";
        for (const Component* c : in[0]->parts)
            if (!mentions(c->name + "^2")) return "";
        return "{ from = " + quoted(std::vector<std::string>(dimension_, "0")) + ", to = " + written(*in[0], "") + " }";
    }

    const Model& model_;
    const Vec coordinates_;
    std::size_t dimension_ = 2;
    std::vector<Place> places_;
};

} // namespace

std::string usual_view(const Model& model) { return UsualView(model).text(); }

std::optional<Model> with_usual_view(const Model& model) {
    const std::string view = usual_view(model);
    if (view.empty() || model.text.empty()) return {};
    LoadOptions options;
    for (const Parameter& p : model.parameters) options.set.emplace_back(p.name, real::to_text(p.value, 36));
    try {
        return read_model(model.text + "\n" + view, model.file, options);
    } catch (const Error&) { return {}; } // a picture is no reason to fail
}

} // namespace rattleback
