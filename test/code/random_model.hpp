// Random models of five shapes, all of which run: free ones, chains, an ellipsoid, rods, and rolling.
#pragma once

#include <initializer_list>
#include <random>
#include <sstream>
#include <string>

namespace rattleback::test {

// What they are made of. Members of a batch have k of their own.
class RandomModel {
  public:
    explicit RandomModel(unsigned seed) : random_(seed) {}

    // Up to three coordinates, a metric that is not constant, a potential of four terms.
    std::string free() {
        const char* const names[] = {"x", "y", "z"};
        const std::size_t n = 1 + pick(3);
        const auto name = [&] { return std::string(names[pick(n)]); };
        std::ostringstream coordinates, kinetic, potential, q, v;
        for (std::size_t i = 0; i < n; ++i) {
            const char* const comma = i ? ", " : "";
            coordinates << comma << '"' << names[i] << '"';
            kinetic << (i ? " + " : "") << names[i] << "'^2/2*(" << number() << " + 0.2*cos(" << name() << "))";
            q << comma << number(), v << comma << number();
            potential << (i ? " + " : "") << "k*" << names[i] << "^2/2";
        }
        for (int i = 0; i < 4; ++i) potential << " + " << number() << "*" << term(name, name);
        return text(coordinates.str(), "", kinetic.str(), potential.str(), "", "[" + q.str() + "]",
                    "[" + v.str() + "]");
    }

    // A chain of sites with neighbours: the same terms at all of them.
    std::string family(int n) {
        const auto site = [] { return std::string("x[i]"); };
        const auto neighbour = [] { return std::string("x[i+1]"); };
        const std::string metric = pick(2) ? "*(1 + x[i]^2/8)" : "",
                          coupling = pick(2) ? " + sum(i in 1..n-1: 0.1*x[i]'*x[i+1]')" : "";
        return text("\"x[1..n]\"", "n = " + std::to_string(n) + "\n",
                    "sum(i in 1..n: (0.3 + " + number() + ")*x[i]'^2/2" + metric + ")" + coupling,
                    "sum(i in 0..n: k*(x[i+1] - x[i])^2/2 + " + number() + "*" + term(site, neighbour) + ")", "",
                    "{ \"x[i]\" = \"sin(i/" + number() + ")/2\" }", "{ \"x[i]\" = \"cos(i)/5\" }",
                    "[definitions]\n\"x[0]\" = \"0\"\n\"x[n+1]\" = \"0.2\"\n");
    }

    // On an ellipsoid: RATTLE's equation for the multiplier is quadratic.
    std::string ellipsoid() {
        const std::string a = number(), b = number(), c = number();
        return text("\"x\", \"y\", \"z\"", "a = " + a + "\nb = " + b + "\nc = " + c + "\n",
                    number() + "*x'^2/2 + " + number() + "*y'^2/2 + " + number() + "*z'^2/2" +
                        (pick(2) ? " + 0.1*x'*y'" : ""),
                    "k*z + " + number() + "*" + term([] { return "x"; }, [] { return "y"; }),
                    "holonomic = [\"(a*x^2 + b*y^2 + c*z^2 - 1)/2\"]",
                    "{ x = \"0.6/sqrt(a)\", y = 0, z = \"-0.8/sqrt(c)\" }", "{ x = 0, y = 0.7, z = 0 }");
    }

    // Rods one after the other: tridiagonal equations for their multipliers.
    std::string rods(int n) {
        return text("\"x[1..n]\", \"y[1..n]\"", "n = " + std::to_string(n) + "\n",
                    "sum(i in 1..n: " + number() + "/n*(x[i]'^2 + y[i]'^2))",
                    "sum(i in 1..n: k/n*y[i] + " + number() + "/n*x[i]^2)",
                    "holonomic = [\"((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1/n^2)/2 for i in 1..n\"]",
                    "{ \"x[i]\" = \"i/n*sin(0.5)\", \"y[i]\" = \"-i/n*cos(0.5)\" }", "{ \"x[i]\" = 0, \"y[i]\" = 0 }",
                    "[definitions]\n\"x[0]\" = \"0\"\n\"y[0]\" = \"0\"\n");
    }

    // A constraint that cannot be integrated.
    std::string rolling() {
        const bool particle = pick(2) == 0;
        return text("\"x\", \"y\", \"z\"", "",
                    number() + "*x'^2/2 + " + number() + "*y'^2/2*(1 + 0.1*cos(x)) + " + number() + "*z'^2/2",
                    "k*(x^2 + y^2)/2 + " + number() + "*" + term([] { return "x"; }, [] { return "y"; }),
                    particle ? "velocity = [\"z' - y*x'\"]" : "velocity = [\"cos(x)*z' - sin(x)*y'\"]",
                    "{ x = 0, y = 0.5, z = 0.3 }",
                    std::string("{ x = 0.4, y = 0.8, z = ") + (particle ? "0.2" : "0") + " }");
    }

  private:
    std::size_t pick(std::size_t below) { return random_() % below; }
    std::string number() { return std::to_string(0.1 + static_cast<double>(pick(1000)) / 700); }
    template <class F, class G> std::string term(F first, G second) {
        const char* const shapes[] = {"sin(#)",  "cos(# + &)", "exp(-#^2)",       "#^2",
                                      "#^4/4",   "#*&",        "log(1 + #^2)",    "sqrt(1 + #^2)",
                                      "tanh(#)", "atan(#)",    "hypot(1, # - &)", "if(# < &, #^2, &^2)",
                                      "sinc(#)", "#^2*&^2/8",  "stumpff(2, #*&)"};
        std::string made = shapes[pick(std::size(shapes))], result;
        for (char c : made)
            result += c == '#' ? std::string(first()) : c == '&' ? std::string(second()) : std::string(1, c);
        return result;
    }
    std::string text(const std::string& coordinates, const std::string& parameters, const std::string& kinetic,
                     const std::string& potential, const std::string& constraints, const std::string& q,
                     const std::string& v, const std::string& definitions = "") {
        return "coordinates = [" + coordinates + "]\n[parameters]\nk = " + number() + "\n" + parameters + definitions +
               "[mechanics]\nkinetic = \"" + kinetic + "\"\npotential = \"" + potential + "\"\n" +
               (constraints.empty() ? "" : "[constraints]\n" + constraints + "\n") + "[initial]\nq = " + q +
               "\nv = " + v + "\n";
    }

    std::mt19937 random_;
};
// A model and a method that fits it.
struct ModelAndMethod {
    std::string model, method;
};
inline ModelAndMethod random_case(unsigned seed) {
    RandomModel random(seed);
    const auto one_of = [&](std::initializer_list<const char*> methods) {
        return std::string(methods.begin()[seed / 8 % methods.size()]);
    };
    const char* const for_springs[] = {"midpoint", "gauss:stages=2",  "del:ld=verlet",
                                       "rk4",      "compose:order=4", "gauss:stages=3"};
    constexpr int sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 26, 40};
    switch (seed % 8) {
    case 0: return {random.family(sizes[seed / 8 % std::size(sizes)]), one_of({"midpoint", "del:ld=verlet", "rk4"})};
    case 1: return {random.ellipsoid(), one_of({"rattle", "shake", "lobatto:stages=2", "lobatto:stages=3"})};
    case 2: return {random.rods(sizes[seed / 8 % std::size(sizes)]), one_of({"rattle", "shake"})};
    case 3: return {random.rolling(), one_of({"nh_rattle", "gni", "nh_gauss", "dla", "nh_gauss:stages=2"})};
    default: return {random.free(), for_springs[seed % std::size(for_springs)]};
    }
}

} // namespace rattleback::test
