// The two loaders of machine code, ours and LLVM's ORC: the same object computes the same bits, and what is no object
// is refused by both.
#include <gtest/gtest.h>

#include <cstdlib>

#include "code/backend.hpp"
#include "code/cache.hpp"
#include "code/on_lanes.hpp"
#include "code/random_system.hpp"

namespace rattleback::code {
namespace {

class Loader : public testing::Test {
  protected:
    void SetUp() override {
        if (!backend()) GTEST_SKIP() << backend_missing();
        if (const char* const given = std::getenv("RATTLEBACK_LOADER")) before_ = given;
    }
    void TearDown() override { setenv("RATTLEBACK_LOADER", before_.c_str(), 1); }
    static void use(const char* loader) { setenv("RATTLEBACK_LOADER", loader, 1); }

  private:
    std::string before_;
};

TEST_F(Loader, BothGiveTheSameBits) {
    std::size_t compared = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        const test::RandomSystem random(seed, 2 + seed % 4, test::RandomSystem::Pattern(seed % 3), seed % 2 == 0);
        const auto system = rattleback::compile(random.system());
        for (const Shape& shape : {Shape{1, 1}, Shape{4, 1}, Shape{8, 2}}) {
            use("");
            test::OnLanes ours(system, shape, seed % 2 == 1);
            use("orc");
            test::OnLanes orc(system, shape, seed % 2 == 1);
            std::mt19937 numbers(seed);
            for (std::size_t lane = 0; lane < ours.lanes(); ++lane) {
                const std::vector<double> x = random.values(numbers);
                for (std::size_t i = 0; i < x.size(); ++i) ours.give(lane, i, x[i]), orc.give(lane, i, x[i]);
            }
            ours.run(), orc.run();
            for (std::size_t lane = 0; lane < ours.lanes(); ++lane) {
                EXPECT_EQ(ours.left(lane), orc.left(lane));
                EXPECT_EQ(ours.iterations(lane), orc.iterations(lane));
                for (std::size_t i = 0; i < random.unknowns(); ++i, ++compared)
                    EXPECT_TRUE(test::same_bits(ours.result(lane, i), orc.result(lane, i))) << seed << " " << lane;
            }
        }
    }
    EXPECT_GT(compared, 500u);
}

// state + 1
Listing adds_one() {
    Listing l;
    const Number x(l, l.put(Do::load, Array::state, 0)), sum = x + 1;
    l.put(Do::begin_steps);
    l.put(Do::end_steps);
    l.put(Do::store, Array::state, 0, sum.line());
    return l;
}

TEST_F(Loader, ABrokenObjectIsRefusedByBoth) {
    const std::string object = backend()->compile(adds_one(), {}, false);
    for (const char* loader : {"", "orc"}) {
        use(loader);
        EXPECT_NO_THROW(Native{object});
        EXPECT_THROW(Native{"no object at all"}, std::runtime_error) << loader;
        EXPECT_THROW(Native{std::string_view(object).substr(0, object.size() / 2)}, std::runtime_error) << loader;
    }
}

TEST_F(Loader, AnUnknownLoaderLeavesTheRunOnTheTape) {
    use("ld.so");
    const Compiled made = compile(adds_one(), {}, false, Cache(""));
    EXPECT_FALSE(made.native);
    EXPECT_EQ(made.why_not, "RATTLEBACK_LOADER is neither 'own' nor 'orc'");
}

} // namespace
} // namespace rattleback::code
