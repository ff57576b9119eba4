#include "output/hdf5_layout.hpp"

#include <algorithm>
#include <cmath>

#include "run/columns.hpp"

namespace rattleback {
namespace {

// Its columns are as many as its shape says.
void check_group(const ColumnGroup& g, const std::vector<double>& shape) {
    double count = 1;
    for (const double n : shape) {
        if (!(n >= 0 && n <= 1e9 && n == std::floor(n))) throw BadJson("the shape of '" + g.name + "' is none");
        count *= n;
    }
    if (count != static_cast<double>(g.columns.size()))
        throw BadJson("the shape of '" + g.name + "' does not fit its columns");
}

} // namespace

std::vector<StoredDataset> datasets_of(const Layout& layout) {
    std::vector<StoredDataset> sets;
    for (const ColumnGroup& g : layout.groups) {
        if (g.role != ColumnGroup::observable) {
            if (!g.columns.empty()) sets.push_back({g.name, g.first, g.columns.size(), &g, true});
            continue;
        }
        sets.push_back({g.name + "/", g.first, 0, &g, false});
        for (std::size_t i = 0; i < g.columns.size(); ++i) {
            std::string name = g.columns[i]; // a name with slashes would make folders
            std::replace(name.begin(), name.end(), '/', '|');
            sets.push_back({g.name + "/" + name, g.first + i, 1, &g, false});
        }
    }
    return sets;
}

std::string layout_text(const Layout& layout) {
    std::vector<Json> groups;
    for (const ColumnGroup& g : layout.groups) {
        const std::vector<double> shape(g.shape.begin(), g.shape.end());
        groups.push_back(Json()
                             .add("group", g.name)
                             .add("role", std::string(to_text(g.role)))
                             .add("shape", shape)
                             .add("columns", g.columns));
    }
    return Json(std::move(groups)).text();
}

Layout read_layout(const Json& from) {
    constexpr std::size_t most_groups = 64;
    Layout layout;
    for (const Json& j : from.items()) {
        if (layout.groups.size() == most_groups) throw BadJson("its layout has more than 64 groups");
        const auto role = role_of(j["role"].string());
        if (!role) throw BadJson("unknown role '" + j["role"].string() + "'");
        ColumnGroup g{j["group"].string(), *role, {}};
        if (layout.find(g.name)) throw BadJson("the group '" + g.name + "' is there twice");
        for (const Json& name : j["columns"].items()) g.columns.push_back(name.string());
        const std::vector<double> shape = j["shape"].numbers();
        check_group(g, shape);
        for (const double n : shape) g.shape.push_back(static_cast<std::size_t>(n));
        if ((g.role == ColumnGroup::time) != layout.groups.empty() || (layout.groups.empty() && g.name != "t"))
            throw BadJson("the first group of its layout must be the time 't'");
        layout.add(std::move(g));
    }
    if (layout.groups.empty() || layout.groups[0].columns.size() != 1) throw BadJson("its layout has no time 't'");
    return layout;
}

} // namespace rattleback
