// J z' = grad H(z) in any basis. In coordinates z = S x a canonical system stays what it is, and Runge-Kutta methods
// commute with S: so every trajectory in a skewed basis must be S times the canonical one, to round-off.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <random>

#include "formulation/general_hamiltonian.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using Integers = std::vector<std::vector<int>>;

Integers identity(std::size_t n) {
    Integers m(n, std::vector<int>(n, 0));
    for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
    return m;
}
Integers product(const Integers& a, const Integers& b) {
    Integers c(a.size(), std::vector<int>(b[0].size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b[0].size(); ++j)
            for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
    return c;
}
Integers transposed(const Integers& a) {
    Integers t(a[0].size(), std::vector<int>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[0].size(); ++j) t[j][i] = a[i][j];
    return t;
}

// A product of shears and exchanges: S and its inverse have whole entries, so nothing is rounded.
struct Basis {
    Integers S, inverse;
};
Basis random_basis(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    Basis b{identity(n), identity(n)};
    for (int k = 0; k < 8; ++k) {
        const std::size_t i = random() % n, j = (i + 1 + random() % (n - 1)) % n;
        const int f = random() % 2 ? 1 : -1;
        Integers E = identity(n), inverse = E;
        E[i][j] = f, inverse[i][j] = -f;
        b.S = product(E, b.S), b.inverse = product(b.inverse, inverse);
    }
    return b;
}

std::string matrix_text(const Integers& m) {
    std::string s;
    for (const auto& row : m) {
        s += s.empty() ? "[" : ", [";
        for (std::size_t j = 0; j < row.size(); ++j) s += (j ? ", " : "") + std::to_string(row[j]);
        s += "]";
    }
    return "[" + s + "]";
}

struct Canonical {
    std::vector<std::string> names; // of x
    Integers J;
    std::string H;
    std::vector<std::string> start; // exact decimals
};

// The model in z = S x: variables z1, z2, ..., x as definitions, J -> S^-T J S^-1, the start as formulas.
Model in_basis(const Canonical& c, const Basis& b) {
    const std::size_t n = c.names.size();
    std::string variables, definitions, start;
    const auto combination = [&](const std::vector<int>& row, auto name) {
        std::string s = "0";
        for (std::size_t j = 0; j < n; ++j)
            if (row[j]) s += " + " + std::to_string(row[j]) + "*(" + name(j) + ")";
        return s;
    };
    for (std::size_t i = 0; i < n; ++i) {
        const auto z = [](std::size_t j) { return "z" + std::to_string(j + 1); };
        variables += (i ? ", \"" : "\"") + z(i) + "\"";
        definitions += c.names[i] + " = \"" + combination(b.inverse[i], z) + "\"\n";
        start += (i ? ", \"" : "\"") + combination(b.S[i], [&](std::size_t j) { return c.start[j]; }) + "\"";
    }
    const Integers J = product(product(transposed(b.inverse), c.J), b.inverse);
    return read_model("variables = [" + variables + "]\n[definitions]\n" + definitions + "[hamiltonian]\nformula = \"" +
                          c.H + "\"\nstructure = " + matrix_text(J) + "\n[initial]\nz = [" + start + "]\n",
                      "skewed.toml");
}

const Canonical regular = {{"q", "r", "p", "s"},
                           {{0, 0, -1, 0}, {0, 0, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}},
                           "(p^2 + s^2)/2 + q^2/2 + r^2 + q^2*r + q^4/4",
                           {"0.3", "-0.2", "0.1", "0.4"}};
// u has no equation of its own: 0 = H_u = 2 u + u^3 - p r, which 0 solves where p r = 0.
const Canonical singular = {{"q", "r", "p", "s", "u"},
                            {{0, 0, -1, 0, 0}, {0, 0, 0, -1, 0}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 0, 0, 0}},
                            "(p^2 + s^2)/2 + q^2/2 + r^2 + q^4/4 + u^2 + u^4/4 - u*p*r",
                            {"0.3", "-0.2", "0", "0.4", "0"}};

template <class T>
std::vector<T> end_of_run(const Model& model, const std::string& method, T h, int steps, T* residual = nullptr) {
    const Method m = build_method(model, parse_methods(method)[0]);
    Stepper<T> stepper(model, m);
    const GeneralHamiltonian sys(model);
    NodeReader<T> reader(model, m);
    Report report;
    EXPECT_TRUE(stepper.start(report)) << report.text();
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    EXPECT_TRUE(reader.read(stepper, 0, report)) << report.text();
    if (residual) { // N^T grad H at the node, evaluated on its own
        const Vec grad = gradient(model.function, model.z);
        SystemSolver<T> solver(compile(System{model.graph, model.z, {}, {}, grad}));
        std::copy(reader.node().z.begin(), reader.node().z.end(), solver.given());
        EXPECT_TRUE(solver.solve(report));
        *residual = 0;
        const auto k = static_cast<std::size_t>(sys.nullity());
        for (std::size_t j = 0; j < k; ++j) {
            T sum = 0;
            for (std::size_t i = 0; i < model.z.size(); ++i)
                sum += static_cast<T>(sys.kernel[i * k + j]) * solver.result(i);
            *residual = std::max(*residual, real::abs(sum));
        }
    }
    return reader.node().z;
}

// Differences grow with the basis: of S with the entries 12 they are 1250 epsilon, of small ones 10.
double rounding(const Integers& S) {
    int largest = 0;
    for (const auto& row : S) {
        int sum = 0;
        for (int x : row) sum += std::abs(x);
        largest = std::max(largest, sum);
    }
    return 4 * static_cast<double>(Real<quad>::epsilon) * largest * largest;
}

TEST(GeneralHamiltonian, CommutesWithAChangeOfBasis) {
    for (const Canonical& c : {regular, singular}) {
        const std::size_t n = c.names.size();
        const Model straight = in_basis(c, {identity(n), identity(n)});
        for (const char* method : {"gauss:stages=1", "gauss:stages=3", "rk4", "compose:order=4"}) {
            const std::vector<quad> x = end_of_run<quad>(straight, method, static_cast<quad>(0.1), 10);
            for (unsigned seed = 1; seed <= 6; ++seed) {
                const Basis b = random_basis(n, seed);
                quad residual = 0;
                const std::vector<quad> z =
                    end_of_run<quad>(in_basis(c, b), method, static_cast<quad>(0.1), 10, &residual);
                for (std::size_t i = 0; i < n; ++i) {
                    quad expected = 0;
                    for (std::size_t j = 0; j < n; ++j) expected += b.S[i][j] * x[j];
                    EXPECT_LE(static_cast<double>(real::abs(z[i] - expected)), rounding(b.S)) << method << seed;
                }
                EXPECT_LE(static_cast<double>(residual), 4e-34) << method << seed; // H_lambda = 0 at the node
            }
        }
    }
}

// The multiplier moves: u = (p r)/2 + ..., so H_lambda = 0 at the end is not there by accident.
TEST(GeneralHamiltonian, SolvesTheMultiplierAtTheNode) {
    const Model model = in_basis(singular, {identity(5), identity(5)});
    const std::vector<double> z = end_of_run<double>(model, "gauss:stages=2", 0.1, 40);
    const double p = z[2], r = z[1], u = z[4];
    EXPECT_GT(std::abs(u), 1e-3);
    EXPECT_LE(std::abs(2 * u + u * u * u - p * r), 2e-17);
}

// With its multiplier solved by hand, u = x y / 2, a singular system is an ordinary one: the same trajectory.
TEST(GeneralHamiltonian, EqualsTheReducedSystem) {
    const std::string tail = "[initial]\nz = { x = 0.6, y = 0.4 }\n";
    const Model full = read_model("variables = [\"x\", \"y\", \"u\"]\n[hamiltonian]\n"
                                  "formula = \"x^2/2 + y^2/2 + x^4/4 + u^2 - u*x*y\"\n"
                                  "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n" +
                                      tail,
                                  "full.toml");
    const Model reduced = read_model("variables = [\"x\", \"y\"]\n[hamiltonian]\n"
                                     "formula = \"x^2/2 + y^2/2 + x^4/4 - x^2*y^2/4\"\n"
                                     "structure = [[0, -1], [1, 0]]\n" +
                                         tail,
                                     "reduced.toml");
    for (const char* method : {"gauss:stages=2", "rk4", "dop853"}) {
        const auto a = end_of_run<double>(full, method, 0.1, 50), b = end_of_run<double>(reduced, method, 0.1, 50);
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(a[i], b[i], 4e-15) << method;
        EXPECT_NEAR(a[2], a[0] * a[1] / 2, 1e-15) << method;
    }
}

// Proposition 1 of McLachlan, Modin, Verdier and Wilkins: a variational problem is J z' = grad H in z = (q, p, lambda),
// with H = |p + lambda g|^2/2 + V. Written so by hand, in any basis, it has the trajectory of principle =
// "variational".
TEST(GeneralHamiltonian, IsWhatAVariationalProblemBecomes) {
    Integers J(7, std::vector<int>(7, 0));
    for (std::size_t i = 0; i < 3; ++i) J[i][i + 3] = -1, J[i + 3][i] = 1;
    const Canonical heisenberg = {{"x", "y", "z", "px", "py", "pz", "l"},
                                  J,
                                  "((px - l*y)^2 + (py + l*x)^2 + (pz + l)^2)/2 + x^2*y^2 + z^2/2",
                                  {"0", "0", "0.25", "0.125", "0.375", "1", "-1"}};
    const Model variational = read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\n"
                                         "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x^2*y^2 - z^2/2\"\n[constraints]\n"
                                         "velocity = [\"z' + x*y' - y*x'\"]\nprinciple = \"variational\"\n[initial]\n"
                                         "q = [0, 0, 0.25]\np = [0.125, 0.375, 1]\n",
                                         "variational.toml");
    for (const char* text : {"midpoint", "gauss:stages=3"}) {
        const Method method = build_method(variational, parse_methods(text)[0]);
        Stepper<quad> stepper(variational, method);
        NodeReader<quad> reader(variational, method);
        Report report;
        ASSERT_TRUE(stepper.start(report));
        for (int k = 0; k < 10; ++k) ASSERT_TRUE(stepper.advance(k, static_cast<quad>(0.1), report));
        ASSERT_TRUE(reader.read(stepper, 1, report));
        const NodeValues<quad>& node = reader.node();
        std::vector<quad> x = node.q;
        x.insert(x.end(), node.p.begin(), node.p.end()), x.push_back(node.lambda[0]);
        for (unsigned seed = 1; seed <= 6; ++seed) {
            const Basis b = random_basis(7, seed);
            const std::vector<quad> z = end_of_run<quad>(in_basis(heisenberg, b), text, static_cast<quad>(0.1), 10);
            for (std::size_t i = 0; i < 7; ++i) {
                quad expected = 0;
                for (std::size_t j = 0; j < 7; ++j) expected += b.S[i][j] * x[j];
                EXPECT_LE(static_cast<double>(real::abs(z[i] - expected)), rounding(b.S)) << text << seed;
            }
        }
    }
}

TEST(Structure, RankAndKernelAreExact) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const std::size_t n = 2 + seed % 7, pairs = random() % (n / 2 + 1);
        Integers J(n, std::vector<int>(n, 0));
        for (std::size_t k = 0; k < pairs; ++k) J[2 * k][2 * k + 1] = -1, J[2 * k + 1][2 * k] = 1;
        const Basis b = random_basis(n, seed);
        Canonical c{{}, J, "0", {}};
        for (std::size_t i = 0; i < n; ++i) {
            c.names.push_back("x" + std::to_string(i)), c.start.push_back("0");
            c.H += " + " + c.names.back() + "^2";
        }
        const Model model = in_basis(c, b);
        const GeneralHamiltonian sys(model);
        EXPECT_EQ(sys.rank(), static_cast<int>(2 * pairs)) << seed;
        const auto k = static_cast<std::size_t>(sys.nullity());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < k; ++j) {
                quad sum = 0;
                for (std::size_t l = 0; l < n; ++l) sum += model.structure[i * n + l] * sys.kernel[l * k + j];
                EXPECT_LE(static_cast<double>(real::abs(sum)), 1e-32) << seed;
            }
    }
}

// What a start must be. Exact texts.
const std::string oscillator = "variables = [\"x\", \"y\", \"l\"]\n[hamiltonian]\n"
                               "formula = \"(x^2 + y^2)/2 + l^2/2 + x*l\"\n"
                               "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\n";

std::string refusal(const std::string& text) {
    try {
        const Model model = read_model(text, "m.toml");
        integrate(model, {.method = "gauss", .step = 0.1, .steps = 1});
        return "";
    } catch (const BadRun& e) { return e.what(); } catch (const Unsuitable& e) {
        return std::string("Unsuitable: ") + e.what();
    }
}

TEST(Start, LeftOutComponentsAreComputed) {
    const auto start = [](const std::string& z) {
        const Model model = read_model(oscillator + z, "m.toml");
        return integrate(model, {.method = "gauss", .step = 0.1, .steps = 0}).summary().end["z"];
    };
    EXPECT_EQ(start("z = { x = 0.5, y = 0 }\n"), (std::vector<double>{0.5, 0, -0.5}));
    EXPECT_EQ(start("z = { y = 0.25, l = 0.125 }\n"), (std::vector<double>{-0.125, 0.25, 0.125})); // x from l
    EXPECT_EQ(start("z = [0.5, 0, -0.5000000005]\n")[2], -0.5); // within 1e-9, then solved
}

TEST(Start, InconsistentOrIncompleteIsRefused) {
    EXPECT_EQ(refusal(oscillator + "z = [1, 0, 0.5]\n"),
              "the initial z does not satisfy H_lambda = 0: the residual is 1.5\n"
              "  leave the components that it determines out of a named table z = { ... }, and they are computed");
    EXPECT_EQ(refusal(oscillator + "z = { x = 1 }\n"),
              "[initial] z leaves out 2 components; the structure has a kernel of dimension 1, so 1 may be left out");
    EXPECT_EQ(refusal(oscillator + "z = { x = 1, l = -1 }\n"),
              "H_lambda = 0 does not determine what is left out of z: the equations do not determine y");
    EXPECT_EQ(refusal("variables = [\"x\", \"y\"]\n[hamiltonian]\nformula = \"x^2 + y^2\"\n"
                      "structure = [[0, -1], [1, 0]]\n[initial]\nz = { x = 1 }\n"),
              "[initial] z leaves out 1 components; the structure has a kernel of dimension 0, so none may be left "
              "out");
    EXPECT_EQ(
        refusal("variables = [\"x\", \"y\", \"l\"]\n[hamiltonian]\nformula = \"(x^2 + y^2)/2 + x*l\"\n"
                "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\nz = [0, 1, 0]\n"),
        "Unsuitable: the system is not of index 1: H_lambda_lambda has rank 0 of 1 at the start, and H_lambda = 0 "
        "does not determine the multipliers\n  a holonomic constraint belongs under holonomic = [...] of a "
        "mechanical model; --force index runs it as it is");
}

// An electron in SI units: entries of J differ by 1e12 and more, and still none of them is zero.
TEST(Structure, OfMixedUnitsKeepsItsRank) {
    const auto electron = [](const std::string& tesla) {
        return read_model("variables = [\"x\", \"y\", \"z\", \"u\"]\n[parameters]\nm = 9.1e-31\neB = \"1.6e-19*" +
                              tesla +
                              "\"\n[hamiltonian]\nformula = \"m/2*u^2 + 1e-19*(cos(x) + y^2 + z^2/2)\"\nstructure = "
                              "[[0, \"eB\", 0, 0], [\"-eB\", 0, 0, 0], [0, 0, 0, \"-m\"], [0, 0, \"m\", 0]]\n"
                              "[initial]\nz = [1, 0.5, 0.1, 0]\n",
                          "electron.toml");
    };
    for (const char* tesla : {"5", "10", "1e9"}) {
        const Model model = electron(tesla);
        EXPECT_EQ(GeneralHamiltonian(model).rank(), 4) << tesla;
        EXPECT_NEAR(end_of_run<double>(model, "gauss", 1e-9, 1)[2], 0.1, 1e-6) << tesla;
    }
}

// A start is consistent or not whatever the units of H.
TEST(Start, IsCheckedRelativeToItsTerms) {
    const auto scaled = [](const std::string& factor, const std::string& z) {
        return refusal("variables = [\"x\", \"y\", \"l\"]\n[hamiltonian]\nformula = \"" + factor +
                       "*((x^2 + y^2)/2 + x*l + l^2/2)\"\nstructure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\n"
                       "z = " +
                       z + "\n");
    };
    for (const char* factor : {"1e-19", "1", "1e19"}) {
        EXPECT_EQ(scaled(factor, "[0.3, 0, -0.3]"), "") << factor;
        EXPECT_EQ(scaled(factor, "[0.3, 0, -0.30000000000000004]"), "") << factor;
        EXPECT_EQ(scaled(factor, "[0.3, 0, -0.2]").substr(0, 50), "the initial z does not satisfy H_lambda = 0: the r")
            << factor;
    }
}

// Parameters in J are numbers once the model is read: another value is given then, and refused later.
TEST(Structure, TakesItsParametersWhenTheModelIsRead) {
    const std::string text = "variables = [\"x\", \"y\"]\n[parameters]\nk = 1\nB = 2\n[definitions]\nb = \"B/2\"\n"
                             "[hamiltonian]\nformula = \"k*(x^2 + y^2)/2 + x^4/4\"\n"
                             "structure = [[0, \"b\"], [\"-b\", 0]]\n[initial]\nz = [1, 0.5]\n";
    const Model model = read_model(text, "m.toml");
    EXPECT_EQ(model.structure_parameters, (std::vector<std::string>{"B"}));
    EXPECT_EQ(read_model(text, "m.toml", {.set = {{"B", "6"}}}).structure[1], 3);
    const Method method = build_method(model, parse_methods("gauss")[0]);
    Stepper<double> stepper(model, method), other(model, method);
    Tangent<double> tangent(model, method);
    Report report;
    ASSERT_TRUE(stepper.start(report) && other.start(report));
    ASSERT_TRUE(tangent.advance(stepper, 0, 0.1, report));
    EXPECT_TRUE(std::isfinite(tangent.parameters()(0, 0)));
    EXPECT_NE(tangent.parameters()(0, 0), 0);            // k is a parameter like any other
    EXPECT_TRUE(std::isnan(tangent.parameters()(0, 1))); // B: no answer, and not 0
    other.set_parameters({3, 2});
    try {
        other.set_parameters({1, 3});
        FAIL();
    } catch (const BadRun& e) {
        EXPECT_STREQ(e.what(), "the parameter 'B' is part of the structure, which is fixed once the model is read\n"
                               "  read the model again with another value: --set B=VALUE, or LoadOptions::set");
    }
}

} // namespace
} // namespace rattleback
