// Poisson brackets of vectors, and the Dirac family off the constraint manifold.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "formulation/chain.hpp"
#include "formulation/dirac.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

struct Case {
    const char *name, *text;
    std::vector<std::pair<std::string, std::vector<double>>> fields;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
#include "dirac_cases.inc"
    };
    return all;
}

std::vector<double> values(const Model& model, const Vec& f) {
    SystemSolver<double> solver(
        compile(System{model.graph, concat({model.q, model.p, model.time_vec(), model.parameter_vec()}), {}, {}, f}));
    double* to = solver.given();
    for (const auto* part : {&model.q0, &model.p0})
        for (quad x : *part) *to++ = static_cast<double>(x);
    *to = static_cast<double>(model.t0);
    Report report;
    EXPECT_TRUE(solver.solve(report)) << report.text();
    std::vector<double> result;
    for (std::size_t i = 0; i < solver.result_count(); ++i) result.push_back(solver.result(i));
    return result;
}

Vec field_of(const Dirac& sys, const std::string& method) {
    const quad alpha = method.find("alpha") == std::string::npos ? 0 : static_cast<quad>(-0.75);
    const std::string id = method.substr(0, method.find(':'));
    const Vec none = zeros_like(sys.psi);
    if (id == "dirac") return sys.field(sys.total(alpha));
    if (id == "dirac_simplified") return sys.field(sys.simplified(alpha));
    if (id == "dirac_weak") return sys.field(sys.mu(sys.eta(alpha)), sys.eta(alpha));
    return sys.field(sys.mu(none), none);
}

TEST(Dirac, FamilyOffTheManifoldWithTwoAndThreeConstraints) {
    for (const Case& c : cases()) {
        const Model model = read_model(c.text, std::string(c.name) + ".toml");
        const Dirac sys(model);
        for (const auto& [method, expected] : c.fields) {
            const std::vector<double> found = values(model, field_of(sys, method));
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_NEAR(found[i], expected[i], 4e-14 * std::max(1.0, std::abs(expected[i])))
                    << c.name << " " << method << " component " << i;
        }
    }
}

// What a method integrates is that field: the weak form's multipliers are unknowns there, not formulas.
TEST(Dirac, StepsFollowTheFields) {
    for (const Case& c : cases()) {
        const Model model = read_model(c.text, std::string(c.name) + ".toml");
        for (const auto& [method, expected] : c.fields) {
            Stepper<quad> stepper(model, build_method(model, parse_methods(method).at(0)));
            InitialData<quad> data{model.q0, {}, model.p0};
            Report report;
            const quad h = 1e-8;
            ASSERT_TRUE(stepper.start(data, 0, report, h)) << report.text();
            const std::vector<quad> before = stepper.state();
            ASSERT_TRUE(stepper.advance(0, h, report)) << report.text();
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_NEAR(static_cast<double>((stepper.state()[i] - before[i]) / h), expected[i],
                            1e-6 * std::max(1.0, std::abs(expected[i])))
                    << c.name << " " << method << " component " << i;
        }
    }
}

// Props. 3.1 and 3.2 for functions of all kinds.
class Poisson : public ::testing::Test {
  protected:
    Model model =
        read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nhamiltonian = \"(p_x^2 + p_y^2 + p_z^2)/2 + "
                   "x*y\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n[initial]\nq = [0.6, -0.7, "
                   "1.3]\np = [0.4, 0.9, -0.2]\n",
                   "m.toml");
    Dirac sys{model};
    Expr x = sys.q[0].value, y = sys.q[1].value, z = sys.q[2].value;
    Expr px = sys.p[0].value, py = sys.p[1].value, pz = sys.p[2].value;
    Vec a{{{"", x* py - y* px}, {"", fn::sin(x* pz) + pow(y, 3)}, {"", px* py* z}}};
    Vec b{{{"", fn::exp(x / 3) * pz}, {"", pow(px, 2) * y - z}}};
    Vec c{{{"", x* y* pz + 1}, {"", fn::cos(pz) + x* py}}};
    std::vector<double> numbers(const std::vector<Expr>& formulas) {
        Vec v;
        for (const Expr& e : formulas) v.push_back({"", e});
        return values(model, v);
    }
};

TEST_F(Poisson, BracketIsMadeOfJacobians) { // {a, b} = a_q b_p^t - a_p b_q^t = -{b, a}^t
    const std::vector<double> ab = numbers(sys.matrix(a, b)), ba = numbers(sys.matrix(b, a));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) {
            Expr sum = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum = sum + derivative(a[i].value, sys.q[k].value) * derivative(b[j].value, sys.p[k].value) -
                      derivative(a[i].value, sys.p[k].value) * derivative(b[j].value, sys.q[k].value);
            EXPECT_NEAR(ab[i * 2 + j], numbers({sum})[0], 4e-16 * 4);
            EXPECT_NEAR(ab[i * 2 + j], -ba[j * 3 + i], 4e-16 * 4);
        }
    const std::vector<double> aa = numbers(sys.matrix(a, a));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(aa[i * 3 + i], 0, 1e-15) << "antisymmetric";
    EXPECT_NE(aa[1], 0) << "a vector's bracket with itself need not vanish";
}

TEST_F(Poisson, ProductRule) { // {a, c . b} = {a, b} c + {a, c} b
    const std::vector<double> whole = values(model, sys.bracket(a, dot(c, b)));
    const std::vector<double> ab = numbers(sys.matrix(a, b)), ac = numbers(sys.matrix(a, c));
    const std::vector<double> at_b = values(model, b), at_c = values(model, c);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(whole[i],
                    ab[i * 2] * at_c[0] + ab[i * 2 + 1] * at_c[1] + ac[i * 2] * at_b[0] + ac[i * 2 + 1] * at_b[1],
                    1e-14);
}

// Sections 3.3 and 3.5 for linear constraints, M = I, H = G^t (G G^t)^-1 G:
//     simplified: q' = p, p' = -(I - H) F' + F'' H q      dirac: q' = (I - 2 H) p      weak: q' = (I - H) p
TEST(Dirac, LinearConstraintsAsThePaperWritesThem) {
    const Model model =
        read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nhamiltonian = \"(p_x^2 + p_y^2)/2 + x^2 + "
                   "x*y + 2*y^2\"\n[constraints]\nholonomic = [\"x + 2*y\"]\n[initial]\nq = [0.6, "
                   "-0.7]\np = [0.4, 0.9]\n",
                   "m.toml");
    const Dirac sys(model);
    const double q[] = {0.6, -0.7}, p[] = {0.4, 0.9};
    const double P[2][2] = {{0.2, 0.4}, {0.4, 0.8}}, F2[2][2] = {{2, 1}, {1, 4}}; // H and F''
    const auto times = [](const double(&m)[2][2], const double* v, double* w) {
        for (int i = 0; i < 2; ++i) w[i] = m[i][0] * v[0] + m[i][1] * v[1];
    };
    double F[2], Pq[2], PF[2], curved[2], Pp[2], on[2], Fon[2], PFon[2];
    times(F2, q, F), times(P, q, Pq), times(P, F, PF), times(F2, Pq, curved), times(P, p, Pp);
    for (int i = 0; i < 2; ++i) on[i] = q[i] - Pq[i];
    times(F2, on, Fon), times(P, Fon, PFon);
    const auto simplified = values(model, sys.field(sys.simplified())), dirac = values(model, sys.field(sys.total())),
               weak = values(model, sys.field(sys.mu(sys.eta()), sys.eta())),
               linear = values(model, sys.field(sys.linear()));
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(simplified[i], p[i], 1e-15);
        EXPECT_NEAR(simplified[2 + i], -(F[i] - PF[i]) + curved[i], 2e-15);
        EXPECT_NEAR(dirac[i], p[i] - 2 * Pp[i], 1e-15);
        EXPECT_NEAR(dirac[2 + i], -(F[i] - PF[i]) + curved[i], 2e-15);
        EXPECT_NEAR(weak[i], p[i] - Pp[i], 1e-15);
        EXPECT_NEAR(weak[2 + i], -(F[i] - PF[i]), 1e-15);
        EXPECT_NEAR(linear[i], p[i], 1e-15);
        EXPECT_NEAR(linear[2 + i], -(Fon[i] - PFon[i]), 2e-15);
    }
}

} // namespace
} // namespace rattleback
