#include "boundary/charts.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "model/each_formula.hpp"

namespace rattleback::boundary {
namespace {

Numbers part(const Numbers& x, std::size_t first, std::size_t count) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

Numbers joined(Numbers x, const Numbers& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
}

Numbers leaves(Graph& graph, const std::string& stem, int count) {
    Numbers all;
    for (int i = 1; i <= count; ++i) all.push_back(graph.symbol(stem + std::to_string(i)));
    return all;
}

Vec as_vec(const Numbers& values) {
    Vec all;
    for (const Expr& e : values) all.push_back({"", e});
    return all;
}

} // namespace

// C exp(w) = C' exp(w'): the turn's vector w' is the logarithm on SO(3); the momentum of the body is the same in both.
InChart in_chart(const LieGroup& group, const Numbers& from, const Numbers& to, const Numbers& w, const Numbers& p) {
    const Numbers shift = part(w, 3, w.size() - 3);
    const Numbers here = group.times(group.inverse(to), group.after(from, group.turn(part(w, 0, 3)), shift));
    const Numbers there = joined(find_group("SO(3)")->log(part(here, 0, 4)), part(here, 4, shift.size()));
    return {there, group.chart_momentum(there, group.body_momentum(w, p))};
}

Charts::Charts(std::vector<Group> groups) : groups_(std::move(groups)) {
    for (const Group& g : groups_) {
        width_ += static_cast<std::size_t>(g.group->carried());
        const auto is_known = [&](const auto& m) { return m->group == g.group; };
        if (std::any_of(maps_.begin(), maps_.end(), is_known)) continue;
        const auto graph = std::make_shared<Graph>();
        const int n = g.group->dimension(), c = g.group->carried();
        const Numbers from = leaves(*graph, "from", c), to = leaves(*graph, "to", c), w = leaves(*graph, "w", n),
                      p = leaves(*graph, "p", n);
        const InChart there = in_chart(*g.group, from, to, w, p);
        const Vec x = as_vec(joined(w, p)), y = as_vec(joined(there.w, there.p));
        maps_.push_back(std::make_unique<Maps>());
        Maps& maps = *maps_.back();
        maps.group = g.group, maps.slopes.add(y, x);
        const Vec given = concat({as_vec(from), as_vec(to), x});
        maps.carry.emplace(compile(System{graph, given, {}, {}, y}));
        maps.slope.emplace(compile(System{graph, given, {}, {}, maps.slopes.formulas}));
        Numbers element = g.group->increment(from, g.group->turn(part(w, 0, 3)), part(w, 3, w.size() - 3));
        for (std::size_t i = 0; i < element.size(); ++i) element[i] = from[i] + element[i];
        maps.centre.emplace(compile(
            System{graph, concat({as_vec(from), x}), {}, {}, as_vec(joined(element, g.group->body_momentum(w, p)))}));
    }
}

Charts::Maps& Charts::maps_of(const Group& g) {
    return **std::find_if(maps_.begin(), maps_.end(), [&](const auto& m) { return m->group == g.group; });
}

void Charts::carry(const double* from, const double* to, double* x, std::size_t states, double* slope) {
    const std::size_t half = states / 2;
    if (slope) {
        std::fill_n(slope, states * states, 0.0);
        for (std::size_t i = 0; i < states; ++i) slope[i * states + i] = 1;
    }
    for (const Group& g : groups_) {
        Maps& maps = maps_of(g);
        const auto c = static_cast<std::size_t>(g.group->carried()), n = g.count;
        Report report;
        for (SystemSolver<double>* solver : {slope ? &*maps.slope : nullptr, &*maps.carry}) {
            if (!solver) continue;
            double* at = std::copy_n(from + g.centre, c, solver->given());
            at = std::copy_n(to + g.centre, c, at);
            at = std::copy_n(x + g.first, n, at);
            std::copy_n(x + half + g.first, n, at);
            solver->solve(report);
        }
        const auto place = [&](std::size_t i) { return i < n ? g.first + i : half + g.first + i - n; };
        if (slope) {
            const Matrix<double> by = maps.slopes.read(*maps.slope)[0];
            for (std::size_t i = 0; i < 2 * n; ++i)
                for (std::size_t j = 0; j < 2 * n; ++j) slope[place(i) * states + place(j)] = by(i, j);
        }
        for (std::size_t i = 0; i < 2 * n; ++i) x[place(i)] = maps.carry->result(i);
    }
}

void Charts::centre_at(double* centre, double* x, std::size_t states) {
    const std::size_t half = states / 2;
    for (const Group& g : groups_) {
        SystemSolver<double>& map = *maps_of(g).centre;
        const auto c = static_cast<std::size_t>(g.group->carried()), n = g.count;
        double* at = std::copy_n(centre + g.centre, c, map.given());
        at = std::copy_n(x + g.first, n, at);
        std::copy_n(x + half + g.first, n, at);
        Report report;
        map.solve(report);
        map.results(0, c, centre + g.centre), map.results(c, n, x + half + g.first);
        std::fill_n(x + g.first, n, 0.0);
    }
}

double Charts::turned(const double* x) const {
    double most = 0;
    for (const Group& g : groups_) most = std::max(most, std::hypot(x[g.first], x[g.first + 1], x[g.first + 2]));
    return most;
}

bool Charts::is_turn(std::size_t i) const {
    return std::any_of(groups_.begin(), groups_.end(), [&](const Group& g) { return i >= g.first && i < g.first + 3; });
}

bool Charts::is_shift(std::size_t i) const {
    return std::any_of(groups_.begin(), groups_.end(),
                       [&](const Group& g) { return i >= g.first + 3 && i < g.first + g.count; });
}

void Charts::put(const double* own, std::vector<double>& parameters) const {
    std::copy_n(own, width_, parameters.end() - static_cast<std::ptrdiff_t>(2 * width_));
}

std::vector<double> carried_numbers(const LieGroup& group, const std::vector<quad>& shown) {
    std::vector<double> all;
    for (const Expr& e : group.carried_of(Numbers(shown.begin(), shown.end())))
        all.push_back(static_cast<double>(*e.constant()));
    return all;
}

std::vector<quad> planar_coordinates(const std::vector<quad>& shown) {
    std::vector<quad> all{shown.back()};
    all.insert(all.end(), shown.begin(), shown.end() - 1);
    return all;
}

std::shared_ptr<Charts> take_out_groups(Model& m) {
    Vec at = m.centre, next;
    std::vector<Charts::Group> in_space;
    std::vector<Parameter> own, of_next;
    for (const GroupCoordinate& c : m.groups) {
        const LieGroup& g = *find_group(c.group);
        const auto set = [&](const Numbers& shown) {
            for (std::size_t k = 0; k < shown.size(); ++k) at[c.centre + k].value = shown[k];
        };
        if (g.space == 2) {
            set(Numbers(c.centre_count, Expr(0)));
            continue;
        }
        in_space.push_back({&g, c.first, c.count, own.size()});
        Numbers carried;
        std::vector<quad> start(m.centre0.begin() + static_cast<std::ptrdiff_t>(c.centre),
                                m.centre0.begin() + static_cast<std::ptrdiff_t>(c.centre + c.centre_count));
        const std::vector<double> value = carried_numbers(g, start);
        for (std::size_t k = 0; k < value.size(); ++k) {
            const std::string name = "centre of " + c.name + "_" + std::to_string(k + 1);
            own.push_back({name, m.graph->symbol(name), static_cast<quad>(value[k])});
            of_next.push_back({"next " + name, m.graph->symbol("next " + name), static_cast<quad>(value[k])});
            carried.push_back(own.back().symbol);
        }
        set(g.shown_of(carried));
    }
    const std::vector<Substitution> rules = {{m.centre, at}};
    const Vec centre = m.centre;
    m.centre = Vec();
    if (!centre.empty()) each_formula(m, [&](Expr& e) { e = e.graph() ? substitute(e, rules) : e; });
    m.groups.clear(), m.centre0.clear();
    for (const auto* all : {&own, &of_next}) m.parameters.insert(m.parameters.end(), all->begin(), all->end());
    if (in_space.empty()) return nullptr;
    return std::make_shared<Charts>(std::move(in_space));
}

} // namespace rattleback::boundary
