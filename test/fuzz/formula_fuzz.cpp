// Any bytes are a formula that can be derived, printed, read back and run, or a message that points into them.
//
//     clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Iinclude -Isrc test/fuzz/formula_fuzz.cpp
//             src/expr/*.cpp src/kernel/*.cpp -o formula_fuzz
//     ./formula_fuzz -dict=test/fuzz/formula.dict -max_len=400 new_corpus test/fuzz/corpus/formula
// In every full test run: -runs=60000
#include "kernel/program.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "expr/elaborate.hpp"

using namespace rattleback;

namespace {

constexpr std::size_t largest_tree = 500; // nodes of the syntax tree: what is derived may be their square
constexpr double most_terms = 2000;       // of all sums of a formula

void require(bool holds) {
    if (!holds) std::abort();
}

// The numbers n and pi, symbols x, y, z and x', a vector r, a matrix A, a family q[1..5] with borders at 0 and 6.
class FuzzScope : public Scope {
  public:
    explicit FuzzScope(Graph& graph)
        : g_(graph), q_(g_.family({"q", 1, 5, {}, {{0, g_.constant(0).id()}, {6, (y() * y()).id()}}})) {}

    std::optional<Tensor> name(const std::string& name, bool primed) override {
        if (name == "q") throw ExprError("'q' is a family: write q[i] or q[1]");
        if (name == "x") return primed ? g_.symbol("x'") : x();
        if (primed) return {};
        if (name == "y") return y();
        if (name == "z") return g_.symbol("z");
        if (name == "n") return g_.constant(5);
        if (name == "r") return Tensor({x(), y(), g_.constant(2)}, 3, 0);
        if (name == "A") return Tensor({x(), y(), g_.constant(2), g_.symbol("z")}, 2, 2);
        return {};
    }
    std::optional<Tensor> element(const std::string& name, const Expr& index, bool primed) override {
        if (name != "q" || primed) return {};
        return g_.element(q_, index);
    }
    std::vector<std::string> known() const override { return {"x", "y", "z", "n", "r", "A", "q", "pi"}; }

    Vec leaves() {
        return Vec({{"x", x()},
                    {"y", y()},
                    {"z", g_.symbol("z")},
                    {"x'", g_.symbol("x'")},
                    {"q", g_.element(q_, g_.free_index()), true, 1, 5, {{0, 0.0}, {6, y() * y()}}}});
    }

  private:
    Expr x() { return g_.symbol("x"); }
    Expr y() { return g_.symbol("y"); }
    Graph& g_;
    FamilyId q_;
};

struct Contents {
    bool sums = false, solutions = false;
    double terms = 1; // at most so many when the sums are expanded; bounds that are no numbers count as 1..20
};

Contents contents(const Graph& g, const Expr& f) {
    Contents c;
    if (!f.graph()) return c;
    for (NodeId id : reachable(g, std::array{f.id()})) {
        const Node& n = g.node(id);
        c.solutions |= n.op == Op::solve;
        if (n.op != Op::sum) continue;
        c.sums = true;
        const Expr lo(*f.graph(), n.a), hi(*f.graph(), n.b);
        const double count = lo.constant() && hi.constant() ? static_cast<double>(*hi.constant() - *lo.constant()) : 20;
        c.terms *= std::max(2.0, count + 1);
    }
    return c;
}

void run(Graph& g, std::vector<Expr> formulas, const Vec& leaves) {
    std::erase_if(formulas, [&](const Expr& e) { return contents(g, e).solutions; }); // no part of a tape
    ProgramBuilder builder(g);
    for (const Expr& e : expand(leaves)) builder.input(e);
    const std::vector<Slot> results = builder.section(formulas);
    const Program program = builder.finish();
    std::vector<double> slots(program.slots);
    for (std::size_t i = 0; i < static_cast<std::size_t>(leaves.count()); ++i)
        slots[i] = 0.3 * static_cast<double>(i) - 1;
    load_constants(program, slots.data());
    execute(program, program.sections[0], slots.data());
    for (const Slot s : results) require(s < program.slots);
    if (const auto id = first_not_finite(program, program.sections[0], slots.data())) require(*id < g.size());
}

void require_readable(Graph& g, const std::string& text, FuzzScope& scope) {
    try {
        elaborate(g, syntax::parse(text), scope);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", text.c_str(), e.what());
        std::abort();
    }
}

void check(Graph& g, const Expr& f, FuzzScope& scope) {
    const Contents c = contents(g, f);
    const std::string text = to_text(f);
    require(!text.empty() && !to_latex(f).empty());
    if (!c.solutions) require_readable(g, text, scope);
    if (!(c.terms < most_terms)) return;
    const Vec leaves = scope.leaves(), first = gradient(f, leaves);
    const std::vector<JacobianTerm> second = jacobian(first, leaves);
    derivative_along(f, leaves, zero_border(leaves));
    for (const JacobianTerm& t : second) require(!to_text(t.value, 200).empty());
    std::vector<Expr> all = expand(first);
    all.push_back(expand(f));
    for (const ScalarEntry& e : expand(second, first, leaves)) all.push_back(e.value);
    run(g, all, leaves);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Graph g;
    FuzzScope scope(g);
    try {
        const syntax::Tree tree = syntax::parse(text);
        if (tree.nodes.size() > largest_tree) return 0;
        const Tensor t = elaborate(g, tree, scope);
        require(t.is_scalar() ? t.e.size() == 1 : !t.e.empty());
        for (std::size_t i = 0; i < std::min<std::size_t>(t.e.size(), 3); ++i) try {
                check(g, t.e[i], scope);
            } catch (const ExprError& e) { require(*e.what() != '\0'); }
    } catch (const syntax::SyntaxError&) {
    } catch (const FormulaError& e) { require(e.begin <= e.end && e.end <= size && *e.what() != '\0'); }
    return 0;
}
