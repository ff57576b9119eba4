// J z' = grad H(z) in any basis. In coordinates z = S x a canonical system stays what it is, and Runge-Kutta methods
// commute with S: so every trajectory in a skewed basis must be S times the canonical one, to round-off.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <random>

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
                double worst = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    quad expected = 0;
                    for (std::size_t j = 0; j < n; ++j) expected += b.S[i][j] * x[j];
                    worst = std::max(worst, static_cast<double>(real::abs(z[i] - expected)));
                }
                {double big=0; for(quad v:z) big=std::max(big,(double)real::abs(v)); printf("%s %u %g %g big %g\n",method,seed,worst,(double)residual,big);}
            }
        }
    }
}

} // namespace
} // namespace rattleback
