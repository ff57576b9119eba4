// Excerpts: what is read back is what was written, in few bytes.
#include <gtest/gtest.h>

#include <thread>

#include "expr/excerpt.hpp"
#include "expr/formulas.hpp"

namespace rattleback {
namespace {

TEST(Excerpt, RandomFormulasAreReadBackWithTheirValues) {
    Graph g;
    const std::vector<Expr> symbols{g.symbol("x"), g.symbol("a longer name, with blanks"), g.symbol("")};
    test::RandomFormulas random(7);
    std::vector<test::Tree> trees;
    std::vector<Expr> formulas;
    std::vector<NodeId> ids;
    std::vector<NodeId*> roots;
    while (trees.size() < 200) {
        const test::Tree tree = random.formula(5);
        const Expr built = tree.build(symbols);
        if (!built.graph()) continue;
        trees.push_back(tree), formulas.push_back(built), ids.push_back(built.id());
    }
    for (NodeId& id : ids) roots.push_back(&id);
    const Excerpt excerpt(g, roots);
    Graph& read = excerpt.graph();
    EXPECT_LE(read.size(), g.size());
    for (std::size_t i = 0; i < trees.size(); ++i) EXPECT_EQ(to_text(Expr(read, ids[i])), to_text(formulas[i])) << i;
    // The values are those of the trees, which never were in a graph.
    const std::vector<Expr> again{read.symbol("x"), read.symbol("a longer name, with blanks"), read.symbol("")};
    const std::vector<quad> at = random.point();
    int compared = 0;
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const quad value = trees[i].value(at);
        if (!real::is_finite(value) || real::abs(value) > 1e6) continue;
        EXPECT_LT(test::error(test::evaluate<quad>(read, Expr(read, ids[i]), again, at), value), 1e-20) << i;
        ++compared;
    }
    EXPECT_GT(compared, 60);
}

TEST(Excerpt, NodesThatAreNotNeededAreLeftOut) {
    Graph g;
    const Expr x = g.symbol("x"), y = g.symbol("y"), kept = fn::sin(x) * 3, left_out = fn::cos(y) + 7;
    NodeId id = kept.id();
    NodeId* const root = &id;
    const Excerpt excerpt(g, {&root, 1});
    EXPECT_EQ(excerpt.graph().size(), 5u); // none, x, sin(x), 3, and the product
    EXPECT_EQ(id, 4u);
    EXPECT_NE(left_out.id(), 0u);
}

TEST(Excerpt, NodesFarApartAreReadBack) {
    Graph g;
    const Expr first = g.symbol("first");
    std::vector<NodeId> ids;
    for (int i = 0; i < 40000; ++i) ids.push_back((first + g.symbol("x" + std::to_string(i))).id());
    const std::string last = to_text(Expr(g, ids.back()));
    std::vector<NodeId*> roots;
    for (NodeId& id : ids) roots.push_back(&id);
    const Excerpt excerpt(g, roots);
    EXPECT_EQ(to_text(Expr(excerpt.graph(), ids.back())), last);
    EXPECT_EQ(to_text(Expr(excerpt.graph(), ids[300])), "first + x300");
}

TEST(Excerpt, FamiliesAreRefused) {
    Graph g;
    NodeId id = g.element(g.family({"x", 1, 5, {}, {}}), g.free_index()).id();
    NodeId* const root = &id;
    EXPECT_THROW(Excerpt(g, {&root, 1}), std::logic_error);
}

TEST(Excerpt, ThreadsReadOneGraph) {
    Graph g;
    NodeId id = fn::exp(g.symbol("x")).id();
    NodeId* const root = &id;
    const Excerpt excerpt(g, {&root, 1});
    const Graph* seen[4] = {};
    std::vector<std::thread> threads;
    for (const Graph*& mine : seen) threads.emplace_back([&] { mine = &excerpt.graph(); });
    for (std::thread& t : threads) t.join();
    for (const Graph* mine : seen) EXPECT_EQ(mine, seen[0]);
}

} // namespace
} // namespace rattleback
