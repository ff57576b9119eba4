#include "common.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <unordered_map>

#include "evidence/studies.hpp"
#include "expr/graph.hpp"
#include "model/copy.hpp"
#include "output/json.hpp"
#include "output/output_file.hpp"
#include "run/choice.hpp"
#include "run/grid.hpp"

namespace app {
namespace {

using namespace rattleback;

// A formula shares its parts; written out it may be longer than any file.
void require_short(const Expr& e) {
    if (!e.graph()) return;
    const Graph& g = *e.graph();
    std::unordered_map<NodeId, double> length; // of each part, written out
    for (NodeId id : reachable(g, std::array{e.id()})) {
        double total = 1;
        g.for_children(id, [&](NodeId child) { total += length.at(child); });
        length[id] = total;
    }
    if (length.at(e.id()) > 1e6)
        throw BadCommand("the formula has more than 1,000,000 parts when it is written out; it is not printed");
}

// The equations of one step of a method on this model, as they were derived.
void print_equations(const Model& model, const std::string& name, bool latex) {
    const Step step = build_method(model, parse_methods(name).at(0)).step;
    const auto text = [&](const Expr& e) {
        require_short(e);
        return latex ? to_latex(e) : to_text(e);
    };
    const auto each = [](const Component& c) {
        return c.family ? "  for k = " + std::to_string(c.lo) + ".." + std::to_string(c.hi) : std::string();
    };
    for (const Equation& e : step.equations)
        for (std::size_t i = 0; i < e.lhs.size(); ++i)
            std::printf("%s = %s%s\n", text(e.lhs[i].value).c_str(), text(e.rhs[i].value).c_str(),
                        each(e.lhs[i]).c_str());
    for (std::size_t i = 0; i < step.state.size(); ++i)
        std::printf("%s %s %s%s\n", text(step.state[i].value).c_str(),
                    latex ? "\\mathrel{+}=" : "+=", text(step.increment[i].value).c_str(), each(step.state[i]).c_str());
}

// Facts of the same name in one: an object has a key once.
std::vector<std::pair<std::string, std::string>> joined(const std::vector<std::pair<std::string, std::string>>& facts) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& [name, words] : facts) {
        const auto same =
            std::find_if(result.begin(), result.end(), [&key = name](const auto& r) { return r.first == key; });
        if (same == result.end())
            result.emplace_back(name, words);
        else
            same->second += "; " + words;
    }
    return result;
}

std::string written(const Expr& e, bool latex) {
    try {
        require_short(e);
    } catch (const BadCommand&) { return "(more than 1,000,000 parts: not printed)"; }
    return latex ? to_latex(e) : to_text(e);
}

const char* to_text(BracketStudy::Kind kind) {
    return kind == BracketStudy::Kind::strong ? "strong" : kind == BracketStudy::Kind::weak ? "weak" : "no";
}

std::string listed(const std::vector<std::string>& names) {
    std::string s;
    for (const std::string& n : names) s += (s.empty() ? "" : ", ") + n;
    return s;
}

void print_level(const BracketStudy::Level& level, std::size_t number, bool last) {
    std::printf("P_%zu: %s = 0, of dimension %d; the rate%s\n", number, listed(level.constraints).c_str(),
                level.dimension,
                level.conditions.empty()
                    ? "s determine no multiplier"
                    : (std::string(level.conditions.size() == 1 ? " of " : "s of ") + listed(level.conditions) +
                       " determine" + (level.conditions.size() == 1 ? "s a multiplier" : " multipliers"))
                          .c_str());
    if (last) std::printf("P_%zu is the end: nothing else is hidden\n", number);
}

void print_brackets(const BracketStudy& study, bool latex) {
    std::printf("constraints%s\n", study.chain.size() > 1 ? ", and what they hide" : "");
    for (const BracketStudy::Constraint& c : study.chain)
        std::printf("  %s = %s\n      %s%s, %s class\n", c.name.c_str(), written(c.formula, latex).c_str(),
                    c.origin.c_str(), c.level ? (", hidden, level " + std::to_string(c.level)).c_str() : "",
                    c.second_class ? "second"
                    : c.combined   ? "first, when combined with others, of the"
                                   : "first");
    for (std::size_t k = 0; k < study.levels.size(); ++k) print_level(study.levels[k], k, k + 1 == study.levels.size());
    std::printf("Poisson brackets\n");
    for (const BracketStudy::Bracket& b : study.brackets)
        std::printf("  {%s, %s} = %s%s\n", b.left.c_str(), b.right.c_str(), written(b.value, latex).c_str(),
                    b.vanishes && !b.value.is(0) ? "   (0 on the constraints)" : "");
    if (!study.multipliers.empty() || !study.arbitrary.empty())
        std::printf("multipliers, where the motion is that of H + mu . phi\n");
    for (const BracketStudy::Multiplier& m : study.multipliers)
        std::printf("  %s = %s%s\n", m.name.c_str(), written(m.formula, latex).c_str(),
                    m.vanishes && !m.formula.is(0) ? "   (0 on the constraints)" : "");
    for (const std::string& name : study.arbitrary)
        std::printf("  mu of %s is arbitrary: the motion is determined up to it, and runs take 0\n", name.c_str());
    std::vector<std::vector<std::string>> rows{{"invariant"}};
    for (const BracketStudy::Invariant& i : study.invariants) {
        std::size_t column = 1;
        while (column < rows[0].size() && rows[0][column] != i.under) ++column;
        if (column == rows[0].size()) rows[0].push_back(i.under);
        std::size_t row = 1;
        while (row < rows.size() && rows[row][0] != i.name) ++row;
        if (row == rows.size()) rows.push_back({i.name});
        rows[row].push_back(to_text(i.kind));
    }
    std::fputs(aligned(rows).c_str(), stdout);
    if (!study.hidden_at_start.empty()) warn(study.hidden_at_start);
}

int brackets_verb(const Model& model, const Common& common, bool latex) {
    const BracketStudy study = study_brackets(model);
    if (!common.json) {
        print_brackets(study, latex);
        return done;
    }
    std::vector<Json> chain, brackets, invariants;
    for (const BracketStudy::Constraint& c : study.chain)
        chain.push_back(Json()
                            .add("name", c.name)
                            .add("formula", written(c.formula, latex))
                            .add("origin", c.origin)
                            .add("level", static_cast<long long>(c.level))
                            .add("class", c.second_class ? "second" : "first"));
    for (const BracketStudy::Bracket& b : study.brackets)
        brackets.push_back(Json()
                               .add("left", b.left)
                               .add("right", b.right)
                               .add("value", written(b.value, latex))
                               .add("vanishes", std::string(b.vanishes ? "on the constraints" : "no")));
    for (const BracketStudy::Invariant& i : study.invariants)
        invariants.push_back(
            Json().add("name", i.name).add("under", i.under).add("kind", std::string(to_text(i.kind))));
    Json multipliers;
    for (const BracketStudy::Multiplier& m : study.multipliers) multipliers.add(m.name, written(m.formula, latex));
    Json all;
    all.add("model", model.name).add("constraints", chain).add("brackets", brackets);
    std::vector<Json> levels;
    for (const BracketStudy::Level& l : study.levels)
        levels.push_back(Json()
                             .add("dimension", static_cast<long long>(l.dimension))
                             .add("constraints", listed(l.constraints))
                             .add("conditions", listed(l.conditions)));
    all.add("multipliers", multipliers).add("arbitrary", listed(study.arbitrary)).add("levels", levels);
    all.add("invariants", invariants);
    std::printf("%s\n", all.text().c_str());
    return done;
}

int stability_verb(const Model& model, const Common& common) {
    std::vector<std::string> methods{"underlying", "dirac", "dirac_simplified", "dirac_weak"};
    if (!common.method.empty()) {
        methods.clear();
        for (const MethodName& m : parse_methods(common.method)) methods.push_back(m.text);
    }
    RunOptions options;
    options.step = common.step, options.steps = common.steps, options.until = common.until;
    const Grid grid = make_grid(model, options);
    if (grid.steps > 100000) throw BadCommand("--stability looks at no more than 100,000 nodes; use --steps");
    const StabilityStudy study = study_stability(model, methods, grid.h, static_cast<int>(grid.steps));
    if (common.json) {
        std::vector<Json> all;
        for (const StabilityStudy::Formulation& f : study.formulations)
            all.push_back(Json()
                              .add("method", f.method)
                              .add("verdict", f.verdict())
                              .add("growth", f.growth)
                              .add("frequency", f.frequency)
                              .add("factor", f.factor));
        Json j;
        j.add("model", model.name).add("until", study.until).add("formulations", all);
        std::printf("%s\n", j.text().c_str());
        return done;
    }
    std::vector<std::vector<std::string>> rows{
        {"formulation", "residuals are a", "largest growth rate", "largest frequency", "grew at most by"}};
    for (const StabilityStudy::Formulation& f : study.formulations)
        rows.push_back(
            {f.method, f.verdict(), short_number(f.growth), short_number(f.frequency), short_number(f.factor)});
    std::fputs(aligned(rows).c_str(), stdout);
    std::printf("constraint residuals (g, psi) beside the motion, linearized at %d nodes of rattle up to t = %s\n",
                study.nodes, real::to_text(study.until).c_str());
    return done;
}

void print_sections(const ShownEquations& shown, bool latex) {
    for (const ShownEquations::Section& s : shown.sections) {
        if (s.lines.empty()) continue;
        std::printf("%s%s\n", latex ? "% " : "", s.title.c_str());
        for (const ShownEquations::Line& line : s.lines)
            std::printf("  %s = %s\n", (latex ? line.left_latex : line.left).c_str(),
                        (latex ? line.right_latex : line.right).c_str());
    }
}

// Of a nonholonomic model, its connection and its motion on the shape space.
ShownEquations print_connection(const Model& model, bool latex) {
    ShownEquations connection;
    if (model.control) return connection;
    try {
        connection = study_connection(model);
        print_sections(connection, latex);
        if (!connection.note.empty()) warn(connection.note);
        const auto study = study_chaplygin(model);
        if (study && study->reducible() && !study->shape.empty())
            print_sections(reduce_chaplygin(model).equations, latex);
    } catch (const Unsuitable& e) { warn(e.what()); } catch (const BadRun&) {
    } // a model that cannot start has no point at which formulas could be told from 0
    return connection;
}

// The equations of motion, as the model gives them: of Lagrange, of Hamilton, or J z' = grad H.
void print_motion(const Model& original, bool latex) {
    const Model model = deep_copy(original);
    const auto text = [&](const Expr& e) { return written(e, latex); };
    const auto each = [](const Component& c) {
        return c.family ? "  for k = " + std::to_string(c.lo) + ".." + std::to_string(c.hi) : std::string();
    };
    std::printf("%sequations of motion\n", latex ? "% " : "");
    if (model.kind == Model::general) {
        const Vec slope = gradient(model.function, model.z);
        const std::size_t n = model.z.size();
        for (std::size_t i = 0; i < n; ++i) {
            std::string left;
            for (std::size_t j = 0; j < n; ++j) {
                const quad entry = model.structure[i * n + j];
                if (entry == 0) continue;
                const std::string rate = latex ? "\\dot{" + text(model.z[j].value) + "}" : model.z[j].name + "'";
                left += (left.empty() ? "" : " + ") + (entry == 1 ? rate : text(Expr(entry)) + "*" + rate);
            }
            std::printf("  %s = %s\n", left.empty() ? "0" : left.c_str(), text(slope[i].value).c_str());
        }
        return;
    }
    const bool lagrangian = model.kind == Model::lagrangian;
    const Vec slope = gradient(model.function, model.q),
              momentum = gradient(model.function, lagrangian ? model.v : model.p);
    Vec right = lagrangian ? slope : -slope;
    if (!model.force.empty()) right = right + model.force;
    std::size_t number = 0;
    for (const Vec* constraints : {&model.velocity, &model.holonomic})
        for (const Component& c : *constraints) { // c's reaction: its derivative with respect to v, or q
            const Expr lambda = model.graph->symbol("lambda_" + std::to_string(++number));
            if (c.family) continue;
            const Vec by = gradient(c.value, constraints == &model.velocity ? model.v : model.q);
            for (std::size_t i = 0; i < right.size(); ++i) right[i].value = right[i].value + lambda * by[i].value;
        }
    for (std::size_t i = 0; i < model.q.size(); ++i) {
        const std::string q = text(model.q[i].value);
        if (lagrangian) {
            std::printf(latex ? "  \\frac{d}{dt} \\left( %s \\right) = %s%s\n" : "  d/dt(%s) = %s%s\n",
                        text(momentum[i].value).c_str(), text(right[i].value).c_str(), each(model.q[i]).c_str());
            continue;
        }
        const std::string p = text(model.p[i].value);
        std::printf(latex ? "  \\dot{%s} = %s%s\n" : "  %s' = %s%s\n", q.c_str(), text(momentum[i].value).c_str(),
                    each(model.q[i]).c_str());
        std::printf(latex ? "  \\dot{%s} = %s%s\n" : "  %s' = %s%s\n", p.c_str(), text(right[i].value).c_str(),
                    each(model.q[i]).c_str());
    }
    for (const Vec* constraints : {&model.velocity, &model.holonomic, &model.phase})
        for (const Component& c : *constraints) std::printf("  0 = %s%s\n", text(c.value).c_str(), each(c).c_str());
}

// The equations of motion, what print_connection prints, and the equations of one step where a method is named.
int equations_verb(const Model& model, const Common& common, bool latex) {
    if (common.method.empty() && model.groups.empty() && !model.control) print_motion(model, latex);
    const ShownEquations connection = print_connection(model, latex);
    const std::string method = common.method.empty() ? model.run.method : common.method;
    if (method.empty()) return done;
    if (common.method.empty() || !connection.sections.empty())
        std::printf("%sone step of %s\n", latex ? "% " : "", method.c_str());
    print_equations(model, method, latex);
    return done;
}

int reduced_verb(const Model& model, const Common& common, const std::string& file) {
    Files().reads(common.source()).writes("--reduced", file);
    const ChaplyginReduction reduction = reduce_chaplygin(model);
    if (!reduction.study.where.empty()) warn("the reduced model holds where " + reduction.study.where + " is not 0");
    if (file == "-")
        std::fputs(reduction.model.c_str(), stdout);
    else
        OutputFile(file).write_whole(reduction.model);
    return done;
}

struct Flags {
    bool equations = false, latex = false, brackets = false, stability = false, all = false;
    std::string reduced;
};

// What to take leads; then what the model is, what the methods that fit keep; those that do not fit only when asked
// for.
void print_inspection(const Inspection& found, const Model& model, const Common& common, bool all) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> fitting;
    for (const auto& [id, why] : found.methods)
        if (why.empty()) fitting.push_back(id);
    const std::vector<std::string> best = fitting.empty() ? fitting : recommended_methods(model);
    if (!best.empty())
        rows.push_back({"take", best[0] + (best.size() > 1 ? "; also " + listed({best.begin() + 1, best.end()}) : "")});
    for (const auto& [name, words] : found.facts) rows.push_back({name, words});
    if (!found.methods.empty()) rows.push_back({"methods", fitting.empty() ? "none of this version" : listed(fitting)});
    std::fputs(aligned(rows).c_str(), stdout);
    if (common.quiet) return;
    for (const auto& [id, words] : found.preserves) print_text("  " + id + ": " + words, 4);
    std::size_t misfits = 0;
    for (const auto& [id, why] : found.methods) {
        misfits += !why.empty();
        if (!why.empty() && all) print_text("  not " + id + ": " + why, 4);
    }
    if (misfits && !all)
        print_text("  " + std::to_string(misfits) + (misfits == 1 ? " method does" : " methods do") +
                   " not fit: --all tells why");
}

int check_verb(const Common& common, const Flags& flags) {
    const bool equations = flags.equations, latex = flags.latex, brackets = flags.brackets, stability = flags.stability;
    const Model loaded = common.load();
    const std::optional<Model> independent =
        brackets || stability || equations ? with_independent_constraints(loaded) : std::nullopt;
    const Model& model = independent ? *independent : loaded;
    if (brackets) return brackets_verb(model, common, latex);
    if (stability) return stability_verb(model, common);
    if (!flags.reduced.empty()) return reduced_verb(model, common, flags.reduced);
    if (equations) return equations_verb(model, common, latex);
    if (latex) {
        require_short(model.function);
        std::printf("%s\n", to_latex(model.function).c_str());
        for (std::size_t i = 0; i < model.force.size(); ++i)
            if (!model.force[i].value.is(0))
                std::printf("F_{%s} = %s\n", to_latex(model.q[i].value).c_str(),
                            to_latex(model.force[i].value).c_str());
        return done;
    }
    const Inspection found = inspect(model);
    if (common.json) {
        Json facts, methods, preserves;
        for (const auto& [id, words] : found.preserves) preserves.add(id, words);
        for (const auto& [name, words] : joined(found.facts)) facts.add(name, words);
        for (const auto& [id, why] : found.methods) methods.add(id, why.empty() ? "fits" : why);
        Json all;
        all.add("model", model.name).add("facts", facts).add("methods", methods).add("preserves", preserves);
        std::printf("%s\n", all.text().c_str());
        return done;
    }
    print_inspection(found, model, common, flags.all);
    for (const std::string& w : found.warnings) warn(w);
    return done;
}

} // namespace

Verb make_check() {
    auto common = std::make_shared<Common>();
    auto flags = std::make_shared<Flags>();
    return {
        "check", "what a model is, and which methods fit",
        model_options(*common, false,
                      {{"-m,--method", &common->method, "for --equations and --stability: the method"},
                       {"--equations", &flags->equations,
                        "print the equations of one step, as derived; with linear velocity constraints also the "
                        "constrained connection and, of Chaplygin systems, the motion on the shape space"},
                       {"--all", &flags->all, "also the methods that do not fit, and why"},
                       {"--reduced", &flags->reduced,
                        "FILE.toml: write the motion of a Chaplygin system on its shape space as a model; - for "
                        "standard output"},
                       {"--latex", &flags->latex, "print the Lagrangian or Hamiltonian, or the equations, as LaTeX"},
                       {"--brackets", &flags->brackets,
                        "Dirac's algorithm: Poisson brackets, hidden constraints, strong and weak invariants"},
                       {"--stability", &flags->stability,
                        "what becomes of small constraint residuals under the Dirac family: centre, saddle or neutral"},
                       {"-s,--step,--dt", &common->step, "for --stability: the step of the run"},
                       {"--steps", &common->steps, "for --stability: how many"},
                       {"--until", &common->until, "for --stability: up to this time"}}),
        [common, flags] { return check_verb(*common, *flags); }};
}

} // namespace app
