// A step and its tangent map as C99, from the lines that machine code is made of.
#include <rattleback/output.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "code/c99.hpp"
#include "code/step.hpp"
#include "expr/graph.hpp"
#include "expr/shown.hpp"
#include "model/names.hpp"
#include "output/plain_name.hpp"
#include "run/compiled.hpp"
#include "run/step_code.hpp"
#include "scheme/iteration.hpp"
#include "solve/eliminate.hpp"
#include "solve/linear.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// find u, W: F(x, u) = 0 and F_u W = -F_x, for each number of the state; then 1 + Y_x + Y_u W, row by row.
System tangent_system(const Formulas& own) {
    const auto& [model, method] = own;
    const Step& step = method.step;
    const System written{.graph = step.graph,
                         .given = step_inputs(own).values(),
                         .find = step.find,
                         .equations = step.equations,
                         .results = step.increment,
                         .steady = 1 + model.parameter_vec().size(),
                         .typical = typical_values(model)};
    System system = solve::eliminate(written);
    Vec unknowns, residuals;
    for (const Unknown& u : system.find) unknowns = concat({unknowns, u.symbols});
    for (const Equation& e : system.equations) residuals = concat({residuals, e.lhs - e.rhs});
    const auto count = [](const Vec& x) { return static_cast<std::size_t>(x.count()); };
    const std::size_t n = count(step.state), m = count(unknowns);
    const auto slopes = [](const Vec& f, const Vec& x) { return expand(jacobian(f, x), f, x); };
    std::vector<Expr> rows(m * n, Expr(0)), results(n * n, Expr(0));
    const auto slope = [&](std::size_t c, std::size_t j) { // W[c][j]
        return step.graph->symbol("slope[" + std::to_string(c) + "," + std::to_string(j) + "]");
    };
    for (std::size_t i = 0; i < n; ++i) results[i * n + i] = Expr(1);
    for (const ScalarEntry& e : slopes(residuals, step.state)) rows[e.row * n + e.column] = e.value;
    for (const ScalarEntry& e : slopes(residuals, unknowns))
        for (std::size_t j = 0; j < n; ++j) rows[e.row * n + j] = rows[e.row * n + j] + e.value * slope(e.column, j);
    for (const ScalarEntry& e : slopes(system.results, step.state))
        results[e.row * n + e.column] = results[e.row * n + e.column] + e.value;
    for (const ScalarEntry& e : slopes(system.results, unknowns))
        for (std::size_t j = 0; j < n; ++j)
            results[e.row * n + j] = results[e.row * n + j] + e.value * slope(e.column, j);
    Vec columns, equations, zero, shown;
    for (std::size_t k = 0; k < m * n; ++k) {
        columns.push_back({"slope", slope(k / n, k % n)});
        equations.push_back({"slope", rows[k]}), zero.push_back({"", 0.0});
    }
    for (const Expr& e : results) shown.push_back({"jacobian", e});
    if (m > 0) system.find.push_back({columns, zero}), system.equations.push_back({equations, zero});
    system.results = shown;
    return system;
}

std::string list_of(const std::vector<double>& values) {
    std::string text;
    for (double x : values) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%a", x);
        text += (text.empty() ? "" : ", ") + std::string(digits);
    }
    return text.empty() ? "0" : text;
}

// Text inside a comment: nothing in it ends the comment, begins another or is a trigraph.
std::string in_comment(std::string_view text) {
    std::string out;
    for (char c : shown(text)) {
        const char last = out.empty() ? ' ' : out.back();
        const bool pair = (last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?');
        if (pair) out += ' ';
        out += c;
    }
    return shortened(out, 200);
}

// Whether the start is made for one step size, as that of methods which carry the slope of the step before.
bool start_depends_on_step(const Step& step) {
    std::vector<NodeId> roots;
    const auto add = [&](const Vec& formulas) {
        for (const Component& c : formulas) roots.push_back(c.value.in(*step.graph));
    };
    add(step.start), add(step.start_hint);
    for (const Equation& e : step.start_equations) add(e.lhs), add(e.rhs);
    const std::vector<NodeId> used = reachable(*step.graph, roots, true);
    return std::find(used.begin(), used.end(), step.h.id()) != used.end();
}

double start_step(const CompiledMethod::Parts& parts, const std::optional<double>& step) {
    if (!start_depends_on_step(parts.method().step)) return Real<double>::nan;
    const std::optional<double> h = step ? step : parts.model().run.step;
    if (!h)
        throw BadRun("the start of '" + parts.method().text +
                     "' belongs to one step size: use --step STEP, or step in [run]");
    return *h;
}

// What the numbers of the state are. Where J z' = grad H is singular they are combinations of the model's variables.
std::string state_comment(const CompiledMethod::Parts& parts) {
    constexpr std::size_t most = 24;
    const Step& step = parts.method().step;
    const bool combined = parts.model().kind == Model::general;
    std::string list, names;
    for (std::size_t i = 0; i < step.state.size() && i < most; ++i) {
        const Component& c = step.state[i];
        const std::string comma = i ? ", " : "";
        names += comma + c.name;
        list += comma + (combined ? to_text(step.start[i].value, 60) : c.name);
        if (c.family) list += "[" + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "]";
    }
    if (step.state.size() > most) list += ", ...";
    const bool image = combined && list != names;
    return std::string("\n/* The state: ") + (image ? "linear combinations of the model's variables, " : "") +
           in_comment(list) + " */\n";
}

void require_c_name(const std::string& name) {
    constexpr std::string_view digits = "0123456789",
                               others = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (name.empty() || digits.find(name[0]) != digits.npos || name.find_first_not_of(others) != name.npos)
        throw Unsuitable("'" + name + "' cannot be a name in C: letters, digits and _, no digit first");
}

// What of a step does not depend on the names: in C, with NAME for the prefix.
constexpr const char* header = R"(
enum { NAME_states = STATES, NAME_hints = HINTS, NAME_parameters = PARAMETERS };
ENUMERATED
/* What a step carries: the state, what rounding has taken from it, and where the next search starts. */
typedef struct {
    double state[STATES], low[STATES], hint[HINTS_AT_LEAST_1];
} NAME_carried;

extern const double NAME_default[PARAMETERS_AT_LEAST_1]; /* the model's parameters */

void NAME_start(NAME_carried* c); /* the model's initial data */

/* One step from t to t + h. 0: done; 1: the equations could not be solved, and c is as it was. */
int NAME_step(NAME_carried* c, const double* parameters, double t, double h);

/* d(next state)/d(state) of that step, row by row; c is not changed. */
int NAME_jacobian(const NAME_carried* c, const double* parameters, double t, double h, double* jacobian);
)";

constexpr const char* wrapper = R"(
static const double fractions[PARTS] = {FRACTIONS}, offsets[PARTS] = {OFFSETS};
const double NAME_default[PARAMETERS_AT_LEAST_1] = {PARAMETER_VALUES};

void NAME_start(NAME_carried* c)
{
    static const NAME_carried start = {{START_STATE}, {0}, {START_HINT}};
    *c = start;
}

static int part(NAME_carried* c, const double* parameters, double t, double h)
{
    double active = 1, left = 0, iterations = 0, zero = 0;
    double* arrays[11];
    arrays[0] = c->state, arrays[1] = c->low, arrays[2] = c->hint, arrays[3] = (double*)parameters;
    arrays[4] = &t, arrays[5] = &h, arrays[6] = &active, arrays[7] = &left, arrays[8] = &iterations;
    arrays[9] = arrays[10] = &zero;
    return step_lines(arrays);
}

int NAME_step(NAME_carried* c, const double* parameters, double t, double h)
{
    NAME_carried next = *c;
    int i;
    for (i = 0; i < PARTS; ++i)
        if (part(&next, parameters, PARTS > 1 ? t + offsets[i] * h : t, PARTS > 1 ? fractions[i] * h : h)) return 1;
    *c = next;
    return 0;
}

int NAME_jacobian(const NAME_carried* c, const double* parameters, double t, double h, double* jacobian)
{
    enum { n = STATES };
    NAME_carried at = *c;
    double product[n * n], one[n * n], given[STATES + HINTS + 2 + PARAMETERS];
    int i, j, k, p;
    for (i = 0; i < n * n; ++i) jacobian[i] = i % (n + 1) == 0;
    for (p = 0; p < PARTS; ++p) {
        double time = PARTS > 1 ? t + offsets[p] * h : t, size = PARTS > 1 ? fractions[p] * h : h;
        double active = 1, left = 0, iterations = 0, none = 0;
        double* arrays[11];
        for (i = 0; i < n; ++i) given[i] = at.state[i];
        for (i = 0; i < HINTS; ++i) given[n + i] = at.hint[i];
        given[n + HINTS] = time, given[n + HINTS + 1] = size;
        for (i = 0; i < PARAMETERS; ++i) given[n + HINTS + 2 + i] = parameters[i];
        arrays[0] = given, arrays[1] = one, arrays[2] = arrays[3] = arrays[4] = arrays[5] = &none;
        arrays[6] = &active, arrays[7] = &left, arrays[8] = &iterations, arrays[9] = arrays[10] = &none;
        if (jacobian_lines(arrays) || part(&at, parameters, time, size)) return 1;
        for (i = 0; i < n; ++i)
            for (j = 0; j < n; ++j) {
                product[i * n + j] = 0;
                for (k = 0; k < n; ++k) product[i * n + j] += one[i * n + k] * jacobian[k * n + j];
            }
        for (i = 0; i < n * n; ++i) jacobian[i] = product[i];
    }
    return 0;
}
)";

// Of a Lagrangian the momentum follows from q and v, so that a start may be given by them.
constexpr const char* start_header = R"(
/* Another start: from coordinates and velocities, in the model's order. 1: its equations could not be solved. */
int NAME_start_from(NAME_carried* c, const double* parameters, double t, double h, const double* q, const double* v);
)";

constexpr const char* start_wrapper = R"(
int NAME_start_from(NAME_carried* c, const double* parameters, double t, double h, const double* q, const double* v)
{
    double given[2 * COORDINATES + 2 + PARAMETERS], found[STATES + HINTS + 1];
    double active = 1, left = 0, iterations = 0, none = 0;
    double* arrays[11];
    int i;
    for (i = 0; i < COORDINATES; ++i) given[i] = q[i], given[COORDINATES + i] = v[i];
    given[2 * COORDINATES] = t, given[2 * COORDINATES + 1] = h;
    for (i = 0; i < PARAMETERS; ++i) given[2 * COORDINATES + 2 + i] = parameters[i];
    arrays[0] = given, arrays[1] = found, arrays[2] = arrays[3] = arrays[4] = arrays[5] = &none;
    arrays[6] = &active, arrays[7] = &left, arrays[8] = &iterations, arrays[9] = arrays[10] = &none;
    if (start_lines(arrays)) return 1;
    for (i = 0; i < STATES; ++i) c->state[i] = found[i], c->low[i] = 0;
    for (i = 0; i < HINTS; ++i) c->hint[i] = found[STATES + i];
    return 0;
}
)";

constexpr const char* example = R"(
#ifdef NAME_EXAMPLE /* cc -std=c99 -DNAME_EXAMPLE NAME.c -lm */
#include <stdio.h>
int main(void)
{
    const double t0 = START_TIME, h = EXAMPLE_STEP;
    NAME_carried c;
    int i, k;
    NAME_start(&c);
    for (k = 0; k < 100; ++k) {
        if (NAME_step(&c, NAME_default, t0 + k * h, h)) return 1;
        printf("%.17g", t0 + (k + 1) * h);
        for (i = 0; i < NAME_states; ++i) printf(",%.17g", c.state[i]);
        printf("\n");
    }
    return 0;
}
#endif
)";

// find what the start needs, with p = L_v(q, v): from q, v, t, h and the parameters to the state and the hint. None:
// of a Hamiltonian, of charts of groups, where multipliers are part of the start.
std::optional<System> start_from_velocities(const Formulas& own) {
    const Model& model = own.model;
    const Method& method = own.method;
    if (model.kind != Model::lagrangian || !model.groups.empty() || (model.variational && !model.velocity.empty()))
        return {};
    const Vec momentum = gradient(model.function, model.v);
    const auto put = [&](const Vec& f) { return substitute(f, {{model.p, momentum}}); };
    System system{.graph = model.graph,
                  .given =
                      concat({model.q, model.v, model.time_vec(), Vec({{"h", method.step.h}}), model.parameter_vec()}),
                  .find = method.step.start_find,
                  .results = put(concat({method.step.start, method.step.start_hint}))};
    for (Unknown& u : system.find) u.guess = put(u.guess);
    for (const Equation& e : method.step.start_equations) system.equations.push_back({put(e.lhs), put(e.rhs)});
    return system;
}

// Names of numbers as names of C: x' is x_dot, x[3] x_3; what is the same then gets a number.
std::string enum_of(const std::string& prefix, const std::vector<std::string>& names) {
    if (names.empty()) return "";
    std::string list;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string plain = plain_name(names[i]);
        std::string name = plain;
        for (int k = 2; !taken.insert(name).second; ++k) name = plain + "_" + std::to_string(k);
        list += std::string(i ? "," : "") + (i % 4 ? " " : "\n    ") + prefix + name + " = " + std::to_string(i);
    }
    return "enum {" + list + "\n};\n";
}

// Straight-line C up to so many operations: gcc -O2 takes 25 s for shake on Bricard's linkage, which has 30,258.
void require_writable(const CompiledSystem& system, const std::string& what) {
    constexpr std::size_t most = 40'000;
    const auto operations = code::listed_operations(system);
    if (!operations)
        throw Unsuitable(what + " on this model has equations that need pivots chosen at run time: not for export");
    if (*operations > most)
        throw Unsuitable(what + " on this model takes " + model::grouped(static_cast<long long>(*operations)) +
                         " operations: at most " + model::grouped(most) + " are exported as straight-line C");
}

} // namespace

CSource export_c(const CompiledMethod& compiled, const std::string& name, const std::optional<double>& step) {
    require_c_name(name);
    const CompiledMethod::Parts& parts = compiled.parts();
    const Method& method = parts.method();
    const auto has = [&](const char* option) { return method.text.find(option) != std::string::npos; };
    if (method.step.functional || (parts.stages && has(":iteration")))
        throw Unsuitable("exported C solves its equations by Newton's method; leave out " +
                         (has(":iteration=") ? "iteration=" + iteration_of(method) : "iteration_tol"));
    const std::string newton = parts.stages ? method.text + ":iteration=newton" : method.text;
    if (method.controls_step) throw Unsuitable("method '" + method.text + "' chooses its own steps: not for export");
    // NOTE: before the tangent system is made, which is far larger: that of dirac on Bricard's linkage takes 70 s and 5
    // GB.
    require_writable(*parts.step.compiled, "a step of '" + method.text + "'");
    Stepper<double> stepper(compiled);
    Report report;
    const double start_h = start_step(parts, step);
    if (!stepper.start(report, start_h)) throw BadRun(report.text());
    const std::size_t n = parts.states, m = parts.newton_hints, p = parts.parameters;
    const auto tangent = compile(tangent_system(parts.copy_of_formulas()));
    require_writable(*tangent, "the Jacobian of a step of '" + method.text + "'");

    std::vector<double> fractions, offsets;
    quad at = 0;
    for (quad f : method.substeps) {
        fractions.push_back(static_cast<double>(f)), offsets.push_back(static_cast<double>(at));
        at += f;
    }
    const auto at_least_1 = [](std::size_t k) { return std::to_string(k > 0 ? k : 1); };
    std::vector<std::string> parameter_names;
    for (const Parameter& each : parts.model().parameters) parameter_names.push_back(each.name);
    const std::string names =
        enum_of(name + "_state_", expanded_names(method.step.state)) + enum_of(name + "_parameter_", parameter_names);
    std::string start_lines;
    if (const auto system = start_from_velocities(parts.copy_of_formulas())) {
        const auto start = compile(*system);
        if (code::listed_operations(*start))
            start_lines = code::c99_function(code::write_solve(*start, {}), "start_lines");
    }
    const std::pair<std::string, std::string> words[] = {
        {"PARAMETERS_AT_LEAST_1", at_least_1(p)},
        {"HINTS_AT_LEAST_1", at_least_1(m)},
        {"PARAMETER_VALUES", list_of(stepper.parameters())},
        {"START_STATE", list_of(stepper.state())},
        {"START_HINT", list_of({stepper.hint().begin(), stepper.hint().begin() + static_cast<std::ptrdiff_t>(m)})},
        {"PARAMETERS", std::to_string(p)},
        {"STATES", std::to_string(n)},
        {"HINTS", std::to_string(m)},
        {"PARTS", std::to_string(fractions.size())},
        {"FRACTIONS", list_of(fractions)},
        {"OFFSETS", list_of(offsets)},
        {"COORDINATES", std::to_string(parts.model().q.count())},
        {"START_TIME", list_of({static_cast<double>(parts.model().t0)})},
        {"EXAMPLE_STEP", list_of({step.value_or(parts.model().run.step.value_or(0.01))})},
        {"NAME", name},
        {"ENUMERATED", names}};
    const auto filled = [&](std::string text) {
        for (const auto& [from, to] : words)
            for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos; i += to.size())
                text.replace(i, from.size(), to);
        return text;
    };
    const Model& model = parts.model();
    const std::string title =
        "/* " + in_comment(newton) + " on " + in_comment(model.name.empty() ? "a model" : model.name) +
        (model.file.empty() ? "" : " (" + in_comment(model.file) + ")") + " in " + std::to_string(n) +
        " numbers, written by Rattleback " RATTLEBACK_VERSION ". Compiled without contraction of a*b "
        "+ c\n   (-std=c99, or -ffp-contract=off) it gives Rattleback's bits. Needs fma. */\n";
    std::string declared = state_comment(parts) + filled(header), defined = filled(wrapper);
    if (!start_lines.empty()) declared += filled(start_header), defined += filled(start_wrapper);
    if (!std::isnan(start_h)) {
        declared += "\n/* The start belongs to this step size: take steps of it. */\nextern const double " + name +
                    "_start_h;\n";
        defined += "\nconst double " + name + "_start_h = " + list_of({start_h}) + ";\n";
    }
    CSource result;
    if (parts.stages)
        result.note = "exported C solves its equations by Newton's method: run with -m " + newton + " has its bits";
    result.header = title + "#ifndef " + name + "_h\n#define " + name + "_h\n" + declared + "\n#endif\n";
    const std::string functions =
        code::c99_function(code::write_step({&parts.step, hint_between_steps(parts)}, {}), "step_lines") + "\n" +
        code::c99_function(code::write_solve(*tangent, {}), "jacobian_lines") +
        (start_lines.empty() ? "" : "\n" + start_lines);
    result.source = title + "#include \"" + name + ".h\"\n\n" + code::c99_preamble(functions) + "\n" + functions +
                    defined + filled(example);
    return result;
}

} // namespace rattleback
