#include "scheme/group_state.hpp"

#include <algorithm>

#include "expr/graph.hpp"
#include "expr/rewrite.hpp"
#include "scheme/build.hpp"
#include "scheme/chart_change.hpp"
#include "scheme/each_formula.hpp"

namespace rattleback {

Numbers component_values(const Vec& of, std::size_t first, std::size_t count) {
    Numbers all;
    for (std::size_t i = first; i < first + count; ++i) all.push_back(of[i].value);
    return all;
}

void set_components(Vec& of, std::size_t first, const Numbers& values) {
    for (std::size_t i = 0; i < values.size(); ++i) of[first + i].value = values[i];
}

GroupState::GroupState(const Model& model) : model_(model) {
    for (const GroupCoordinate& c : model.groups) {
        groups_.push_back(find_group(c.group)), first_.push_back(leaves_.size());
        Component like = model.q[c.first];
        like.border.clear();
        for (int k = 1; k <= groups_.back()->carried(); ++k) {
            like.name = "carried " + c.name + "_" + std::to_string(k);
            leaves_.push_back(symbols_like(*model.graph, "", Vec({like}))[0]);
        }
    }
}

Numbers GroupState::carried(std::size_t i) const {
    return component_values(leaves_, first_[i], static_cast<std::size_t>(groups_[i]->carried()));
}

Vec GroupState::each(const std::vector<Numbers>& values) const {
    Vec all = leaves_;
    for (std::size_t i = 0; i < values.size(); ++i) set_components(all, first_[i], values[i]);
    return all;
}

Vec GroupState::centre() const {
    Vec all = model_.centre;
    for (std::size_t i = 0; i < groups_.size(); ++i)
        set_components(all, model_.groups[i].centre, groups_[i]->shown_of(carried(i)));
    return all;
}

// Not finite where chart_turn is.
Expr GroupState::unless_too_far(const Expr& chart_turn, const Expr& value) {
    return fn::choose(fn::lt(chart_turn, Expr(10)), value, chart_turn);
}

Vec GroupState::increment(const std::vector<GroupMove>& moves) const {
    std::vector<Numbers> values;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        values.push_back(groups_[i]->increment(carried(i), moves[i].turn, moves[i].shift));
        if (!moves[i].square.is(0))
            values[i][0] = unless_too_far(fn::chart_turn(moves[i].square, carried(i)[0]), values[i][0]);
    }
    return each(values);
}

Vec GroupState::of_start() const {
    std::vector<Numbers> values;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const GroupCoordinate& c = model_.groups[i];
        values.push_back(groups_[i]->carried_of(component_values(model_.centre, c.centre, c.centre_count)));
    }
    return each(values);
}

namespace {

// Where each component of a carried state belongs.
struct Place {
    enum Kind {
        other,
        position,
        velocity,
        momentum,
        slope_before, // of the step before: (q - q of the last node)/h
        last_move,    // q - q of the last node
        last_impulse  // p - p of the last node
    } kind = other;
    std::size_t component = 0; // of q, v, p
};

bool is(const Expr& e, const Component& leaf) { return e == leaf.value; }

Place place_of(const Component& c, const Model& model) {
    for (std::size_t i = 0; i < model.q.size(); ++i) {
        if (is(c.value, model.q[i])) return {Place::position, i};
        if (is(c.value, model.v[i])) return {Place::velocity, i};
        if (is(c.value, model.p[i]) || c.name == "incoming " + model.p[i].name) return {Place::momentum, i};
        if (c.name == "slope before, of " + model.q[i].name) return {Place::slope_before, i};
        if (c.name == "last increment of " + model.q[i].name) return {Place::last_move, i};
        if (c.name == "last increment of " + model.p[i].name) return {Place::last_impulse, i};
    }
    return {};
}

// Replaces what all formulas of a step see, but for those of its start.
void substitute_in_step(Step& s, const std::vector<Substitution>& rules) {
    const auto replace = [&](Vec& f) { f = substitute(f, rules); };
    const auto guesses = [&](std::vector<Unknown>& find) {
        for (Unknown& u : find) {
            replace(u.guess);
            for (Expr& e : u.beside) e = substitute(e, rules);
        }
    };
    for (Vec* f : {&s.increment, &s.next_hint, &s.steady_hint, &s.error, &s.reverse, &s.q, &s.v, &s.p, &s.lambda,
                   &s.arrival, &s.chart, &s.manifold})
        replace(*f);
    guesses(s.find), guesses(s.node_find);
    for (auto* equations : {&s.equations, &s.node_equations})
        for (Equation& e : *equations) replace(e.lhs), replace(e.rhs);
    for (Stage& stage : s.stages) replace(stage.q), replace(stage.v);
    for (auto& [a, b] : s.form) replace(a), replace(b);
    s.generating.reset(), s.work.clear();
}

// The canonical form in coordinates that are the same in all charts: pairs of carried numbers of the element and the
// coefficients of the one-form p dq.
void globalise(Step& step, const Model& model, const GroupState& state) {
    std::vector<std::pair<Vec, Vec>> form;
    for (const auto& [a, b] : step.form) {
        Vec left, right;
        for (std::size_t k = 0; k < a.size(); ++k) {
            const Place at = place_of(a[k], model);
            std::size_t i = 0;
            while (i < model.groups.size() && (at.component < model.groups[i].first ||
                                               at.component >= model.groups[i].first + model.groups[i].count))
                ++i;
            if (at.kind != Place::position || i == model.groups.size()) {
                left.push_back(a[k]), right.push_back(b[k]);
                continue;
            }
            if (at.component != model.groups[i].first) continue;
            const LieGroup& g = state.group(i);
            const std::size_t count = model.groups[i].count, turns = static_cast<std::size_t>(g.turns());
            const Numbers w = component_values(a, k, count);
            const Numbers rho(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(turns)),
                shift(w.begin() + static_cast<std::ptrdiff_t>(turns), w.end());
            const Numbers here = g.after(state.carried(i), g.turn(rho), shift);
            const Numbers form_of = g.one_form(here, g.body_momentum(w, component_values(b, k, count)));
            for (std::size_t j = 0; j < here.size(); ++j) {
                Component c = a[k];
                c.value = here[j], left.push_back(c), c.value = form_of[j], right.push_back(c);
            }
        }
        form.emplace_back(left, right);
    }
    step.form = form;
}

// Carries the charts of a step: see carry_charts.
class ChartCarrier {
  public:
    ChartCarrier(Step& step, const Model& model, int substeps) : step_(step), model_(model), state_(model) {
        if (substeps > 1) {
            counter_.push_back({"substeps so far", model.graph->symbol("substeps so far")});
            not_last_ = fn::lt(counter_[0].value, Expr(substeps - 1.5));
        }
        globalise(step, model, state_);
        substitute_in_step(step, {{model.centre, state_.centre()}});
        for (const Component& c : step.state) places_.push_back(place_of(c, model));
    }

    void run() {
        const Vec old = step_.state;
        std::vector<GroupMove> moves;
        std::vector<Expr> changes, turned; // of each group: does its chart change? the square of the largest turn
        for (std::size_t i = 0; i < model_.groups.size(); ++i) {
            moves.push_back({state_.group(i).no_turn(), {}});
            changes.emplace_back(0), turned.emplace_back(0);
            const std::size_t first = find(Place::position, model_.groups[i].first);
            if (first == old.size())
                throw Unsuitable("this method does not carry positions: it takes no coordinates on groups");
            if (state_.group(i).space == 2) { // the angle is a coordinate everywhere
                moves[i].shift = Numbers(model_.groups[i].count - 1, Expr(0));
                continue;
            }
            turned[i] = largest_turn(i, first);
            change(i, first, moves[i], changes[i]);
        }
        carry(old, moves, changes, turned);
    }

  private:
    std::size_t find(Place::Kind kind, std::size_t component) const {
        std::size_t i = 0;
        while (i < places_.size() && (places_[i].kind != kind || places_[i].component != component)) ++i;
        return i;
    }
    Numbers at_the_end(std::size_t first, std::size_t count) const {
        Numbers end;
        for (std::size_t k = first; k < first + count; ++k)
            end.push_back(step_.state[k].value + step_.increment[k].value);
        return end;
    }
    static Expr square_of_turn(const Numbers& w) { return dot({w[0], w[1], w[2]}, {w[0], w[1], w[2]}); }

    // Where a turn reaches pi, at the end or at a stage, the step is refused.
    Expr largest_turn(std::size_t i, std::size_t first) const {
        const GroupCoordinate& c = model_.groups[i];
        Expr largest = square_of_turn(at_the_end(first, c.count));
        for (const Stage& stage : step_.stages)
            if (stage.q.size() == model_.q.size())
                largest = fn::max(largest, square_of_turn(component_values(stage.q, c.first, c.count)));
        return fn::chart_turn(largest, step_.state[first].value);
    }
    void change(std::size_t i, std::size_t first, GroupMove& move, Expr& changes) {
        const GroupCoordinate& c = model_.groups[i];
        const Numbers w = at_the_end(first, c.count);
        const Expr due = ChartChange::is_due(component_values(step_.state, first, c.count), w);
        changes = counter_.empty() ? due : fn::choose(not_last_, Expr(0), due);
        const ChartChange to(state_.group(i), w);
        const auto replace = [&](std::size_t at, const Numbers& end) {
            for (std::size_t k = 0; k < c.count; ++k) {
                Expr& d = step_.increment[at + k].value;
                d = fn::choose(changes, end[k] - step_.state[at + k].value, d);
            }
        };
        const std::size_t v = find(Place::velocity, c.first), p = find(Place::momentum, c.first);
        change_last_node(c, w, to, replace); // first, since it reads the momentum as it was
        replace(first, to.w());
        if (v < places_.size()) replace(v, to.velocity(at_the_end(v, c.count)));
        if (p < places_.size()) replace(p, to.momentum(at_the_end(p, c.count)));
        move = {to.turn(), Numbers(c.count - 3, Expr(0))};
    }
    // Methods of two steps: the last node is seen in the new chart, too.
    template <class Replace>
    void change_last_node(const GroupCoordinate& c, const Numbers& w, const ChartChange& to, const Replace& replace) {
        const auto less = [](Numbers x, const Expr& factor, const Numbers& y) {
            for (std::size_t k = 0; k < x.size(); ++k) x[k] = x[k] - factor * y[k];
            return x;
        };
        const std::size_t slope = find(Place::slope_before, c.first), last = find(Place::last_move, c.first),
                          impulse = find(Place::last_impulse, c.first), p = find(Place::momentum, c.first);
        const bool slopes = slope < places_.size();
        if (!slopes && last == places_.size()) return;
        const Expr scale = slopes ? step_.h : Expr(1);
        const ChartChange before = to.of(less(w, scale, at_the_end(slopes ? slope : last, c.count)));
        Numbers moved = less(to.w(), 1, before.w());
        for (Expr& e : moved) e = e / scale;
        replace(slopes ? slope : last, moved);
        if (impulse == places_.size()) return;
        const Numbers now = at_the_end(p, c.count);
        replace(impulse, less(to.momentum(now), 1, before.momentum(less(now, 1, at_the_end(impulse, c.count)))));
    }
    void carry(const Vec& old, const std::vector<GroupMove>& moves, const std::vector<Expr>& changes,
               const std::vector<Expr>& turned) {
        Vec centres = zeros_like(state_.leaves()), counted = counter_;
        const Vec moved = state_.increment(moves);
        for (std::size_t i = 0, at = 0; i < model_.groups.size(); ++i)
            for (int k = 0; k < state_.group(i).carried(); ++k, ++at) {
                centres[at].value = fn::choose(changes[i], moved[at].value, Expr(0));
                if (k == 0) centres[at].value = GroupState::unless_too_far(turned[i], centres[at].value);
            }
        if (!counter_.empty()) counted[0].value = fn::choose(not_last_, Expr(1), -counter_[0].value);
        step_.state = concat({state_.leaves(), counter_, old});
        step_.increment = concat({centres, counted, step_.increment});
        step_.start = concat({state_.of_start(), zeros_like(counter_), step_.start});
        if (!step_.reverse.empty()) step_.reverse = concat({state_.leaves(), counter_, step_.reverse});
        Vec error; // one or more estimates, each shaped like the state: charts stay where they are while a step is
                   // taken
        for (std::size_t i = 0; i < step_.error.size(); ++i) {
            if (i % old.size() == 0) error = concat({error, zeros_like(state_.leaves())});
            error.push_back(step_.error[i]);
        }
        step_.error = error;
        if (!step_.form.empty()) step_.manifold = concat({state_.leaves(), counter_, step_.manifold});
        step_.centre = state_.centre();
    }

    Step& step_;
    const Model& model_;
    const GroupState state_;
    Vec counter_; // substeps taken of this step, of a composition
    Expr not_last_ = 0;
    std::vector<Place> places_; // of the state
};

} // namespace

void carry_charts(Step& step, const Model& model, int substeps) { ChartCarrier(step, model, substeps).run(); }

std::optional<ChangeOfCharts> change_of_charts(const Vec& state, const Vec& increment, const Model& model) {
    Graph& graph = *model.graph;
    const GroupState charts(model);
    const std::size_t n = state.size();
    const Vec there = symbols_like(graph, "nearby ", state);
    ChangeOfCharts all{increment, there, there, Expr(0)};
    std::vector<Place> places;
    for (const Component& c : state) places.push_back(place_of(c, model));
    const auto find = [&](Place::Kind kind, std::size_t component) {
        std::size_t i = 0;
        while (i < n && (places[i].kind != kind || places[i].component != component)) ++i;
        return i;
    };
    for (std::size_t i = 0; i < model.groups.size(); ++i) {
        const GroupCoordinate& c = model.groups[i];
        const std::size_t q = find(Place::position, c.first), v = find(Place::velocity, c.first),
                          p = find(Place::momentum, c.first);
        if (charts.group(i).space == 2 || q == n) continue;
        Expr changes = 0;
        for (std::size_t first : {q, v, p}) // increments are choices: see ChartCarrier::change
            for (std::size_t k = first; first < n && k < first + c.count; ++k) {
                Expr& e = all.increment[k].value;
                if (!e.graph() || e.op() != Op::choose)
                    throw Unsuitable("this method changes charts in a way of its own");
                const Choice choice = rattleback::choice(graph, graph.node(e.id()));
                changes = choice.condition, e = Expr(graph, choice.no);
            }
        Numbers w;
        for (std::size_t k = q; k < q + c.count; ++k) w.push_back(state[k].value + all.increment[k].value);
        const ChartChange to = ChartChange(charts.group(i), w).of(component_values(there, q, c.count));
        const auto see = [&](std::size_t first, const Numbers& in_new) {
            for (std::size_t k = 0; k < c.count; ++k)
                all.seen[first + k].value = fn::choose(changes, in_new[k], there[first + k].value);
        };
        see(q, to.w());
        if (v < n) see(v, to.velocity(component_values(there, v, c.count)));
        if (p < n) see(p, to.momentum(component_values(there, p, c.count)));
        all.due = fn::max(all.due, changes);
    }
    if (all.due.is(0)) return std::nullopt;
    return all;
}

bool changes_charts(const Step& step, const Model& model) {
    return std::any_of(model.groups.begin(), model.groups.end(), [&](const GroupCoordinate& g) {
        return find_group(g.group)->space == 3 &&
               std::any_of(step.state.begin(), step.state.end(),
                           [&](const Component& c) { return c.name == model.q[g.first].name; });
    });
}

void carry_elements(Step& step, const Model& model, const std::vector<GroupMove>& moves) {
    const GroupState state(model);
    Vec charts;
    for (const GroupCoordinate& c : model.groups)
        for (std::size_t k = 0; k < c.count; ++k) charts.push_back(model.q[c.first + k]);
    globalise(step, model, state);
    const std::vector<Substitution> centred = {{charts, zeros_like(charts)}, {model.centre, state.centre()}};
    const Vec old = step.state;
    substitute_in_step(step, centred);
    const auto others = [&](const Vec& of) { // without the charts
        Vec kept;
        for (std::size_t i = 0; i < of.size(); ++i) {
            const Place at = place_of(old[i], model);
            bool chart = false;
            for (const GroupCoordinate& c : model.groups)
                chart |= at.kind == Place::position && at.component >= c.first && at.component < c.first + c.count;
            if (!chart) kept.push_back(of[i]);
        }
        return kept;
    };
    step.state = concat({state.leaves(), others(old)});
    step.increment = concat({state.increment(moves), others(step.increment)});
    step.start = concat({state.of_start(), others(step.start)});
    if (!step.reverse.empty()) step.reverse = concat({state.leaves(), others(step.reverse)});
    if (!step.form.empty()) {
        Vec lengths;
        for (std::size_t i = 0; i < model.groups.size(); ++i)
            if (state.group(i).space == 3) {
                Component c = state.leaves()[0];
                c = model.q[model.groups[i].first];
                c.value = state.group(i).off_group(state.carried(i)), lengths.push_back(c);
            }
        step.manifold = concat({lengths, step.manifold});
    }
    step.centre = state.centre();
}

} // namespace rattleback
