// Machine code against the tape on random formulas, on random models, and function by function.
#include <gtest/gtest.h>
#include <rattleback/batch.hpp>
#include <rattleback/rattleback.hpp>

#include <random>
#include <sstream>

#include "code/backend.hpp"
#include "code/engine.hpp"
#include "code/step.hpp"
#include "expr/formulas.hpp"

namespace rattleback {
namespace {

using code::Shape;

class Differential : public testing::Test {
  protected:
    void SetUp() override {
        if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    }
};

// Formulas of x, y, z on the lanes of one shape.
class OnLanes {
  public:
    OnLanes(std::shared_ptr<const CompiledSystem> system, const Shape& shape)
        : lanes_(static_cast<std::size_t>(shape.lanes())), given_(3 * lanes_),
          results_(system->results.size() * lanes_), active_(lanes_, 1), left_(lanes_), iterations_(lanes_),
          native_(code::compile(code::write_solve(*system, shape), shape).native) {}

    void give(std::size_t lane, std::size_t i, double x) { given_[i * lanes_ + lane] = x; }
    void run() {
        double none = 0;
        std::fill(left_.begin(), left_.end(), 0);
        double* const arrays[code::array_count] = {given_.data(),  results_.data(), &none,
                                                   &none,          &none,           &none,
                                                   active_.data(), left_.data(),    iterations_.data()};
        native_->entry()(arrays, 1, code::function_table());
    }
    bool left(std::size_t lane) const { return left_[lane] != 0; }
    double result(std::size_t lane, std::size_t i) const { return results_[i * lanes_ + lane]; }
    std::size_t lanes() const { return lanes_; }

  private:
    std::size_t lanes_;
    std::vector<double> given_, results_, active_, left_, iterations_;
    std::shared_ptr<const code::Native> native_;
};

std::shared_ptr<const CompiledSystem> system_of(const std::shared_ptr<Graph>& g, const std::vector<Expr>& formulas) {
    Vec given, results;
    for (const char* name : {"x", "y", "z"}) given.push_back({name, g->symbol(name)});
    for (const Expr& f : formulas) results.push_back({"", f});
    return compile(System{g, given, {}, {}, results});
}

bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

TEST_F(Differential, TenThousandRandomFormulas) {
    constexpr Shape shapes[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {2, 2}, {4, 3}};
    int compared = 0, left = 0, formulas = 0;
    for (unsigned batch = 0; batch < 250; ++batch) {
        const auto g = std::make_shared<Graph>();
        test::RandomFormulas random(batch + 90000);
        const std::array<Expr, 3> xyz{g->symbol("x"), g->symbol("y"), g->symbol("z")};
        std::vector<Expr> roots;
        for (int i = 0; i < 40; ++i, ++formulas) {
            // Where a formula is not a number the step is the tape's; its argument keeps the others in sight.
            const Expr f = random.formula(4).build(xyz);
            roots.push_back(fn::choose(fn::lt(fn::abs(f), 1e300), f, xyz[0]));
        }
        const auto system = system_of(g, roots);
        OnLanes lanes(system, shapes[batch % std::size(shapes)]);
        SystemSolver<double> tape(system);
        for (int round = 0; round < 6; ++round) {
            std::vector<std::vector<quad>> points;
            for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                points.push_back(random.point());
                for (std::size_t i = 0; i < 3; ++i) lanes.give(lane, i, static_cast<double>(points[lane][i]));
            }
            lanes.run();
            for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
                for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = static_cast<double>(points[lane][i]);
                Report report;
                const bool solved = tape.solve(report);
                left += lanes.left(lane);
                if (lanes.left(lane)) continue;
                ASSERT_TRUE(solved) << batch;
                for (std::size_t i = 0; i < roots.size(); ++i, ++compared)
                    ASSERT_TRUE(same_bits(tape.result(i), lanes.result(lane, i))) << batch << ": " << to_text(roots[i]);
            }
        }
    }
    EXPECT_EQ(formulas, 10000);
    EXPECT_GT(compared, 20000) << left << " points were left to the tape";
}

// Every row of the table, on the range where machine code has its own lines and around it, and on special values.
TEST_F(Differential, EveryFunctionOnManyArguments) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double special[] = {0.0,    -0.0,     1.0,       -1.0,        5e-324, -5e-324, 2.2250738585072014e-308,
                              1e-310, 708.0,    -708.0,    709.9,       0x1p30, -0x1p30, 1.1e9,
                              1e300,  infinity, -infinity, std::nan("")};
    for (const Function& f : functions()) {
        const auto g = std::make_shared<Graph>();
        const std::array<Expr, 3> xyz{g->symbol("x"), g->symbol("y"), g->symbol("z")};
        const auto system = system_of(g, {call(f.op, std::span(xyz).first(static_cast<std::size_t>(f.arity)))});
        OnLanes eight(system, {8, 1}), one(system, {1, 1});
        const bool own = f.op == Op::sin || f.op == Op::cos || f.op == Op::exp || f.op == Op::log;
        std::mt19937_64 random(static_cast<unsigned>(f.op));
        const auto argument = [&](long k) {
            if (k % 1000 < static_cast<long>(std::size(special))) return special[k % 1000];
            if (f.op == Op::stumpff && k % 2 == 0) return static_cast<double>(random() % 8);
            const double unit = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
            const int scale = static_cast<int>(random() % 40) - 20;
            return std::ldexp(unit, k % 3 ? 2 : scale);
        };
        SystemSolver<double> tape(system);
        long compared = 0;
        for (long k = 0; k < (own ? 10000000 : 80000); k += 8) {
            std::array<std::array<double, 3>, 8> x{};
            for (std::size_t lane = 0; lane < 8; ++lane)
                for (std::size_t i = 0; i < 3; ++i)
                    eight.give(lane, i, x[lane][i] = argument(k + static_cast<long>(3 * lane + i)));
            eight.run();
            for (std::size_t lane = 0; lane < 8; ++lane) {
                if (eight.left(lane)) continue;
                for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = x[lane][i];
                Report report;
                ASSERT_TRUE(tape.solve(report)) << f.name;
                ASSERT_TRUE(same_bits(tape.result(0), eight.result(lane, 0))) << f.name << " of " << x[lane][0];
                if (++compared % 16) continue;
                for (std::size_t i = 0; i < 3; ++i) one.give(0, i, x[lane][i]);
                one.run();
                ASSERT_FALSE(one.left(0)) << f.name << " of " << x[lane][0];
                ASSERT_TRUE(same_bits(tape.result(0), one.result(0, 0))) << f.name << " of " << x[lane][0];
            }
        }
        EXPECT_GT(compared, own ? 4000000 : 10000) << f.name;
    }
}

std::string random_model(unsigned seed) {
    std::mt19937 random(seed);
    const auto number = [&] { return std::to_string(0.1 + static_cast<double>(random() % 1000) / 700); };
    const char* const names[] = {"x", "y", "z"};
    const std::size_t n = 1 + random() % 3;
    const auto name = [&] { return std::string(names[random() % n]); };
    const char* const shapes[] = {"sin(#)",  "cos(# + &)", "exp(-#^2)",       "#^2",
                                  "#^4/4",   "#*&",        "log(1 + #^2)",    "sqrt(1 + #^2)",
                                  "tanh(#)", "atan(#)",    "hypot(1, # - &)", "if(# < &, #^2, &^2)"};
    std::ostringstream coordinates, kinetic, potential, q, v;
    for (std::size_t i = 0; i < n; ++i) {
        const char* const comma = i ? ", " : "";
        coordinates << comma << '"' << names[i] << '"';
        kinetic << (i ? " + " : "") << names[i] << "'^2/2*(" << number() << " + 0.2*cos(" << name() << "))";
        q << comma << number(), v << comma << number();
        potential << (i ? " + " : "") << "k*" << names[i] << "^2/2";
    }
    for (int i = 0; i < 4; ++i) {
        std::string term = shapes[random() % std::size(shapes)];
        for (std::size_t at; (at = term.find_first_of("#&")) != std::string::npos;) term.replace(at, 1, name());
        potential << " + " << number() << "*" << term;
    }
    return "coordinates = [" + coordinates.str() + "]\n[parameters]\nk = " + number() + "\n[mechanics]\nkinetic = \"" +
           kinetic.str() + "\"\npotential = \"" + potential.str() + "\"\n[initial]\nq = [" + q.str() + "]\nv = [" +
           v.str() + "]\n";
}

TEST_F(Differential, TwoHundredRandomModels) {
    const char* const methods[] = {"midpoint", "gauss:stages=2",  "del:ld=verlet",
                                   "rk4",      "compose:order=4", "gauss:stages=3"};
    constexpr Shape shapes[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 2}, {2, 3}, {4, 2}};
    int compared = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const std::string text = random_model(seed);
        const Model model = read_model(text, "random.toml");
        const Method method = build_method(model, parse_methods(methods[seed % std::size(methods)])[0]);
        const Shape& shape = shapes[seed % std::size(shapes)];
        constexpr std::size_t members = 9;
        Batch tape(model, method, members, {.machine_code = false});
        Batch lanes(model, method, members, {.width = shape.width, .groups = shape.groups});
        if (lanes.lanes() == 0) continue;
        for (Batch* batch : {&tape, &lanes}) {
            for (std::size_t i = 0; i < members; ++i) {
                std::vector<double> q, v;
                for (quad x : model.q0) q.push_back(static_cast<double>(x) + 0.1 * static_cast<double>(i));
                for (quad x : model.v0) v.push_back(static_cast<double>(x) - 0.05 * static_cast<double>(i));
                batch->start(i, {.q = q, .v = v}, 0, {1 + 0.1 * static_cast<double>(i)});
            }
            batch->advance(0, 40, 0.1);
        }
        for (std::size_t i = 0; i < members; ++i, ++compared) {
            ASSERT_EQ(tape.report(i).text(), lanes.report(i).text()) << text;
            ASSERT_EQ(tape.state(i), lanes.state(i)) << seed << "\n" << text;
        }
    }
    EXPECT_GT(compared, 1500);
}

} // namespace
} // namespace rattleback
