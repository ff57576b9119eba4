#include "model/scope.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <array>

namespace rattleback::model {

void ModelScope::add_parameter(const std::string& name, const Expr& symbol, quad value) {
    parameters_.emplace(name, symbol);
    numbers_.replace(symbol.id(), value);
}

void ModelScope::fix_parameters_of(const Expr& e) {
    if (!e.graph()) return;
    for (NodeId id : reachable(graph_, std::array{e.id()}))
        if (graph_.node(id).op == Op::symbol) fixed_.insert(id);
}

void ModelScope::note(const Component& leaf, Contents what) {
    const NodeId id = leaf.value.id();
    (leaf.family ? families_[graph_.node(id).a] : leaves_[id]) = what;
    if (id < contents_.size()) contents_[id] = what;
}

void ModelScope::add_time(const Expr& t) {
    time_ = t;
    note({"t", t}, {.now = true});
}

void ModelScope::add_coordinate(const Component& q, const Component& v, const Component& p) {
    coordinates_[q.name] = {q, v, p};
    note(q, {.now = true}), note(v, {.velocity = true, .now = true}), note(p, {.momentum = true, .now = true});
}

bool ModelScope::taken(const std::string& name) const {
    const auto coordinate = [&](const std::string& n) {
        return coordinates_.contains(n) || on_groups_.contains(n) || grids_.contains(n);
    };
    return parameters_.contains(name) || coordinate(name) || definitions_.contains(name) || templates_.contains(name) ||
           of_two_.contains(name) || by_row_.contains(name) || variables_.contains(name) || ends_.contains(name) ||
           tables_.contains(name) || inputs_.contains(name) || (time_ && name == "t") || name == "pi" ||
           (name.rfind("p_", 0) == 0 && coordinate(name.substr(2)));
}

namespace {

Contents both(const Contents& x, const Contents& y) {
    return {x.velocity || y.velocity, x.momentum || y.momentum, x.now || y.now, std::max(x.sums, y.sums),
            std::max(x.nesting, y.nesting)};
}

} // namespace

// Children are older than their parents, so every node is looked at once.
const Contents& ModelScope::contents(const Expr& e) {
    static constexpr Contents nothing;
    if (!e.graph()) return nothing;
    for (NodeId id = static_cast<NodeId>(contents_.size()); id < graph_.size(); ++id) {
        Contents c;
        const Node& n = graph_.node(id);
        if (n.op == Op::symbol) {
            if (auto it = leaves_.find(id); it != leaves_.end()) c = it->second;
        } else if (n.op == Op::element) {
            if (auto it = families_.find(n.a); it != families_.end()) c = it->second;
        } else if (n.op != Op::count) {
            graph_.for_children(id, [&](NodeId child) { c = both(c, contents_[child]); });
            if (n.op == Op::sum && c.sums < 255) ++c.sums;
            if (n.op != Op::add && n.op != Op::sub && n.op != Op::neg) ++c.nesting;
        }
        contents_.push_back(c);
    }
    return contents_[e.id()];
}

Contents ModelScope::contents(const std::string& name, bool primed) {
    if (coordinates_.contains(name) || on_groups_.contains(name) || grids_.contains(name))
        return {.velocity = primed, .now = true};
    if (is_grid(name)) return {.momentum = true, .now = true};
    if (name.rfind("p_", 0) == 0 && (coordinates_.contains(name.substr(2)) || on_groups_.contains(name.substr(2))))
        return {.momentum = true, .now = true};
    if (time_ && name == "t") return {.now = true};
    Contents all;
    if (auto it = definitions_.find(name); it != definitions_.end())
        for (const Expr& e : (primed && it->second.rate ? *it->second.rate : it->second.value).e)
            all = both(all, contents(e));
    if (auto it = templates_.find(name); it != templates_.end())
        all = contents(primed && it->second.rate ? *it->second.rate : it->second.value);
    if (auto it = of_two_.find(name); it != of_two_.end())
        all = contents(primed && it->second.rate ? *it->second.rate : it->second.value);
    if (auto it = by_row_.find(name); it != by_row_.end())
        for (const auto& [k, t] : it->second.rows) all = both(all, contents(primed && t.rate ? *t.rate : t.value));
    return all;
}

void ModelScope::require_room() const {
    if (graph_.size() > reading_limits.nodes) throw ExprError("the formulas of this model are too large");
}

// NOTE: a definition is derived or shifted afresh although others that it uses may have been before.
void ModelScope::count_rebuilt(const Expr& e, const std::string& what) {
    require_room();
    if (e.graph()) rebuilt_ += reachable(graph_, std::array{e.id()}).size();
    if (rebuilt_ > reading_limits.rebuilt)
        throw ExprError("the definitions of this model are too large, with all their rates and members: " + what +
                        " is one too many");
}

Expr ModelScope::time_derivative(const Expr& e, const std::string& name) {
    if (contents(e).velocity) throw ExprError(name + "' would need accelerations: '" + name + "' contains velocities");
    if (contents(e).momentum)
        throw ExprError(name + "' would need the rates of momenta: '" + name + "' contains momenta");
    count_rebuilt(e, name + "'");
    return derivative_along(e, from_, to_);
}

std::optional<Tensor> ModelScope::name(const std::string& name, bool primed) {
    if (tables_.contains(name))
        throw ExprError("'" + name + "' is a table: it is a function of one argument, like " + name + "(t)");
    if (is_grid(name) || of_two_.contains(name) || has_rows(name, 2)) throw ExprError(two_indices(name));
    const auto needs_index = [&] {
        return ExprError("'" + name + "' is a family: write " + name + "[i] or " + name + "[1]");
    };
    if (auto it = coordinates_.find(name); it != coordinates_.end()) {
        if (it->second.q.family) throw needs_index();
        return primed ? it->second.v.value : it->second.q.value;
    }
    if (name.rfind("p_", 0) == 0)
        if (auto it = coordinates_.find(name.substr(2)); it != coordinates_.end()) {
            if (primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
            if (it->second.p.family) throw needs_index();
            return it->second.p.value;
        }
    const std::string of = name.rfind("p_", 0) == 0 ? name.substr(2) : name;
    if (auto it = on_groups_.find(of); it != on_groups_.end()) {
        if (it->second.w[0].family) throw needs_index();
        return group_value(name, it->second, {}, primed);
    }
    if (auto it = definitions_.find(name); it != definitions_.end()) {
        Definition& d = it->second;
        require_room();
        if (!primed) return d.value;
        if (!d.rate) {
            Tensor rate = d.value;
            for (Expr& e : rate.e) e = time_derivative(e, name);
            d.rate = std::move(rate);
        }
        return d.rate;
    }
    if (templates_.contains(name) || has_rows(name, 1)) throw needs_index();
    if (auto it = parameters_.find(name); it != parameters_.end()) {
        if (primed)
            throw ExprError("'" + name + "' is a parameter: only coordinates and definitions have a time derivative");
        return it->second;
    }
    if (auto it = inputs_.find(name); it != inputs_.end()) {
        if (primed) throw ExprError("'" + name + "' is an input: it has no time derivative");
        return it->second;
    }
    if (auto it = variables_.find(name); it != variables_.end()) {
        if (primed)
            throw ExprError("the Hamiltonian of J z' = grad H depends on the variables, not on their derivatives");
        return it->second.value;
    }
    if (auto it = ends_.find(name); it != ends_.end()) {
        if (primed) throw ExprError("'" + name + "' has no prime: a step knows velocities as (x_1 - x_0)/h");
        if (it->second.family) throw needs_index();
        return it->second.value;
    }
    if (name == "pi" && primed)
        throw ExprError("'pi' is a number: only coordinates and definitions have a time derivative");
    if (time_ && name == "t") {
        if (primed) throw ExprError("'t' is the time: only coordinates and definitions have a time derivative");
        return *time_;
    }
    return {};
}

// Where it does not exist the message proposes a border value, of this coordinate.
Expr ModelScope::member(const Component& family, const Expr& index, const std::string& coordinate) const {
    const FamilyId id = graph_.node(family.value.id()).a;
    const auto at = affine_index(graph_, index.in(graph_));
    if (at && !at->variable) {
        const Family& f = graph_.family(id);
        for (auto [k, value] : f.border)
            if (k == at->shift) return {graph_, value};
        if (at->shift < f.lo || at->shift > f.hi) {
            const std::string outside = "[" + std::to_string(at->shift) + "]";
            const std::string name = f.name.substr(0, f.name.find('\''));
            if (const std::size_t star = name.find('*');
                star != std::string::npos) { // a row of a family with two indices
                const std::string member = name.substr(0, star) + std::to_string(at->shift) + "]";
                throw ExprError(member + " does not exist: the second index goes through " + std::to_string(f.lo) +
                                ".." + std::to_string(f.hi) + " (border values are a definition \"" +
                                name.substr(0, name.find('[')) + "[i," + std::to_string(at->shift) + "]\" = \"...\")");
            }
            throw ExprError(name + outside + " does not exist: " + name + " has members " + std::to_string(f.lo) +
                            ".." + std::to_string(f.hi) + " (a border value is a definition \"" + coordinate + outside +
                            "\" = \"...\")");
        }
    }
    return graph_.element(id, index);
}

std::string ModelScope::two_indices(const std::string& name) const {
    return "'" + name + "' is a " + (is_grid(name) ? "family" : "definition") + " with two indices: write " + name +
           "[i,j]";
}

bool ModelScope::has_rows(const std::string& name, std::size_t indices) const {
    const auto it = by_row_.find(name);
    return (indices == 2 && is_grid(name)) || (it != by_row_.end() && it->second.indices == indices);
}

void ModelScope::add_template(const std::string& name, const Expr& value, const Expr& i, const Expr& j) {
    of_two_[name] = {value, i, j, {}};
}

void ModelScope::add_by_row(const std::string& name, std::size_t indices, std::function<Expr(int row)> of) {
    by_row_[name] = {indices, std::move(of), {}};
}

ModelScope::Template& ModelScope::row(ByRow& of, const std::string& name, const Expr& row) {
    const auto at = affine_index(graph_, row.in(graph_));
    if (!at || at->variable)
        throw ExprError("the " + std::string(of.indices == 2 ? "first " : "") + "index of '" + name +
                        "' must be a number here, or the index of a sum");
    if (const auto it = of.rows.find(at->shift); it != of.rows.end()) return it->second;
    Template made{of.of(at->shift), {}, {}};
    return of.rows[at->shift] = std::move(made);
}

Expr ModelScope::member(Template& t, const std::string& name, const Expr& index, bool primed) {
    const auto [at, is_new] = t.members.try_emplace({index.in(graph_), primed});
    if (!is_new) return at->second;
    if (primed && !t.rate) t.rate = time_derivative(t.value, name);
    count_rebuilt(primed ? *t.rate : t.value, "this");
    at->second = replace_index(primed ? *t.rate : t.value, graph_.free_index().id(), index);
    return at->second;
}

std::optional<Tensor> ModelScope::element(const std::string& name, const Expr& row, const Expr& index, bool primed) {
    if (const auto it = of_two_.find(name); it != of_two_.end()) {
        TwoIndices& t = it->second;
        if (primed && !t.rate) t.rate = time_derivative(t.value, name);
        const Expr& value = primed ? *t.rate : t.value;
        count_rebuilt(value, "this");
        return replace_index(replace_index(value, t.j.id(), index), t.i.id(), row);
    }
    if (const auto it = by_row_.find(name); it != by_row_.end() && it->second.indices == 2)
        return member(this->row(it->second, name, row), name, index, primed);
    if (!is_grid(name)) return {};
    const bool momentum = !grids_.contains(name);
    const std::string of = momentum ? name.substr(2) : name;
    const Grid& grid = grids_.at(of);
    if (momentum && primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
    const auto at = affine_index(graph_, row.in(graph_));
    if (!at || at->variable)
        throw ExprError("the first index of '" + name + "' must be a number here, or the index of a sum");
    const std::string number = std::to_string(at->shift);
    if (at->shift >= grid.lo && at->shift <= grid.hi) {
        const Coordinate& c = coordinates_.at(of + "[" + number + ",*]");
        return member(momentum ? c.p : primed ? c.v : c.q, index, c.q.name);
    }
    const auto column = affine_index(graph_, index.in(graph_));
    std::optional<Expr> value;
    if (const auto it = grid.rows.find(at->shift); it != grid.rows.end())
        value = replace_index(it->second, graph_.free_index().id(), index);
    if (column && !column->variable)
        if (const auto it = grid.points.find({at->shift, column->shift}); it != grid.points.end()) value = it->second;
    if (!value || momentum)
        throw ExprError(name + "[" + number + ",j] does not exist: " + of + " has members " + std::to_string(grid.lo) +
                        ".." + std::to_string(grid.hi) + "," + std::to_string(grid.first) + ".." +
                        std::to_string(grid.last) + " (border values are a definition \"" + of + "[" + number +
                        ",j]\" = \"...\")");
    if (!primed) return *value;
    return derivative_along(*value, Vec({{"t", *time_}}), Vec({{"t", Expr(1)}}));
}

std::optional<Tensor> ModelScope::element(const std::string& name, const Expr& index, bool primed) {
    if (is_grid(name) || of_two_.contains(name) || has_rows(name, 2)) throw ExprError(two_indices(name));
    if (const auto it = by_row_.find(name); it != by_row_.end())
        return member(row(it->second, name, index), name, index, primed);
    const std::string of = name.rfind("p_", 0) == 0 ? name.substr(2) : name;
    if (auto it = on_groups_.find(of); it != on_groups_.end() && it->second.w[0].family)
        return group_value(name, it->second, index, primed);
    if (auto it = coordinates_.find(name); it != coordinates_.end() && it->second.q.family)
        return member(primed ? it->second.v : it->second.q, index, name);
    if (auto it = ends_.find(name); it != ends_.end() && it->second.family) {
        if (primed) throw ExprError("'" + name + "' has no prime: a step knows velocities as (x_1[i] - x_0[i])/h");
        return member(it->second, index, name.substr(0, name.size() - 2));
    }
    if (name.rfind("p_", 0) == 0)
        if (auto it = coordinates_.find(name.substr(2)); it != coordinates_.end() && it->second.p.family) {
            if (primed) throw ExprError("a momentum has no prime: only coordinates and definitions of them do");
            return member(it->second.p, index, name);
        }
    if (auto it = templates_.find(name); it != templates_.end()) return member(it->second, name, index, primed);
    return {};
}

Expr ModelScope::structural(const Expr& e) {
    if (!e.graph() || affine_index(graph_, e.id())) return e;
    fix_parameters_of(e);
    const Expr number = numbers_(e);
    if (number.graph() && graph_.node(number.id()).rolled) return number; // of indices; decided when it is unrolled
    if (!affine_index(graph_, number.in(graph_)))
        throw ExprError("an index and a bound of a sum must be whole numbers: " + to_text(number, 60) + " is none");
    return number;
}

std::optional<Expr> ModelScope::table(const std::string& name, const Expr& argument) {
    const auto it = tables_.find(name);
    if (it == tables_.end()) return {};
    require_room();
    return it->second.at(argument.graph() ? argument : Expr(graph_, argument.in(graph_)));
}

std::vector<std::string> ModelScope::known() const {
    std::vector<std::string> names{"pi"};
    if (time_) names.push_back("t");
    for (const auto& [name, x] : parameters_) names.push_back(name);
    for (const auto& [name, x] : coordinates_) names.push_back(name), names.push_back("p_" + name);
    for (const auto& [name, x] : on_groups_) names.push_back(name), names.push_back("p_" + name);
    for (const auto& [name, x] : inputs_) names.push_back(name);
    for (const auto& [name, x] : variables_) names.push_back(name);
    for (const auto& [name, x] : ends_) names.push_back(name);
    for (const auto& [name, x] : definitions_) names.push_back(name);
    for (const auto& [name, x] : templates_) names.push_back(name);
    for (const auto& [name, x] : of_two_) names.push_back(name);
    for (const auto& [name, x] : by_row_) names.push_back(name);
    return names;
}

namespace {

struct Interval {
    quad lo, hi;
};

class Counter {
  public:
    Counter(Graph& graph, double enough) : graph_(graph), enough_(enough) {}

    void bind(NodeId index, Interval values) { indices_[index] = values; }

    // NOTE: recursion is as deep as sums stand in sums, which the reader limits.
    double size(NodeId root) {
        if (!graph_.node(root).rolled) return 1;
        if (auto it = sizes_.find(root); it != sizes_.end()) return it->second;
        double total = 0;
        std::vector<NodeId> stack{root}, sums;
        graph_.begin_visit();
        while (!stack.empty() && total < enough_) {
            const NodeId id = stack.back();
            stack.pop_back();
            const Node& n = graph_.node(id);
            if (!n.rolled || !graph_.visit(id)) continue;
            ++total;
            if (n.op == Op::element) check_element(n);
            if (n.op == Op::sum)
                sums.push_back(id);
            else
                graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
        }
        for (std::size_t i = 0; i < sums.size() && total < enough_; ++i) {
            const Node n = graph_.node(sums[i]);
            const Interval range{values(n.a).lo, values(n.b).hi};
            if (range.hi < range.lo) continue;
            indices_[n.d] = range;
            total += static_cast<double>(range.hi - range.lo + 1) * size(n.c);
        }
        return sizes_[root] = total;
    }

    bool outside() const { return outside_; }

  private:
    void check_element(const Node& n) {
        const auto at = affine_index(graph_, n.b);
        const Family& f = graph_.family(n.a);
        if (!at || (at->variable && !indices_.contains(*at->variable))) return;
        const Interval range = at->variable ? indices_.at(*at->variable) : Interval{0, 0};
        const auto covered = [&](quad from, quad to) { // by border values
            const auto inside = [&](const auto& b) { return from <= b.first && b.first <= to; };
            return to < from || static_cast<quad>(std::count_if(f.border.begin(), f.border.end(), inside)) > to - from;
        };
        const quad lo = range.lo + at->shift, hi = range.hi + at->shift;
        const quad below = std::min<quad>(f.lo - 1, hi), above = std::max<quad>(f.hi + 1, lo);
        outside_ |= !covered(lo, below) || !covered(above, hi);
    }

    // What an index formula can be, given what its indices can be.
    Interval values(NodeId root) {
        for (NodeId id : reachable(graph_, std::array{root})) {
            const Node& n = graph_.node(id);
            const auto known = indices_.find(id);
            if (known != indices_.end() && n.op == Op::index) continue;
            const auto at = [&](NodeId child) { return indices_.at(child); };
            switch (n.op) {
            case Op::constant: indices_[id] = {graph_.value(id), graph_.value(id)}; break;
            case Op::add: indices_[id] = {at(n.a).lo + at(n.b).lo, at(n.a).hi + at(n.b).hi}; break;
            case Op::sub: indices_[id] = {at(n.a).lo - at(n.b).hi, at(n.a).hi - at(n.b).lo}; break;
            case Op::neg: indices_[id] = {-at(n.a).hi, -at(n.a).lo}; break;
            case Op::mul: {
                const Interval x = at(n.a), y = at(n.b);
                const std::array<quad, 4> corners = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
                indices_[id] = {*std::min_element(corners.begin(), corners.end()),
                                *std::max_element(corners.begin(), corners.end())};
                break;
            }
            default: throw ExprError("a bound of a sum is made of whole numbers and indices with + - *");
            }
        }
        return indices_.at(root);
    }

    Graph& graph_;
    double enough_;
    bool outside_ = false;
    std::unordered_map<NodeId, double> sizes_;
    std::unordered_map<NodeId, Interval> indices_;
};

} // namespace

Unrolling unrolling(Graph& graph, const Expr& e, int lo, int hi, double enough) {
    if (!e.graph()) return {};
    Counter count(graph, enough);
    count.bind(graph.free_index().id(), {static_cast<quad>(lo), static_cast<quad>(hi)});
    const double size = (static_cast<double>(hi) - lo + 1) * count.size(e.id());
    return {std::min(enough, size), count.outside()};
}

} // namespace rattleback::model
