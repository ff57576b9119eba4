// Models that were written to do harm, or that ask for what no mathematics gives.
#pragma once

#include <string>
#include <vector>

namespace attack {

// One coordinate x and a Lagrangian; `more` are further tables or keys of [mechanics].
inline std::string particle(const std::string& lagrangian, const std::string& more = "",
                            const std::string& initial = "q = [1]\nv = [0.5]\n") {
    return "coordinates = [\"x\"]\n[parameters]\na = 2\n[mechanics]\nlagrangian = \"" + lagrangian + "\"\n" + more +
           "[initial]\n" + initial + "[run]\nmethod = \"midpoint\"\nstep = 0.1\nsteps = 5\n";
}

inline std::string plane(const std::string& constraints, const std::string& initial = "q = [0.6, 0.8]\nv = [0, 0]\n") {
    return "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\n[constraints]\n" +
           constraints + "\n[initial]\n" + initial + "[run]\nmethod = \"rattle\"\nstep = 0.1\nsteps = 5\n";
}

inline const std::vector<std::string>& hostile_models() {
    static const std::vector<std::string> all = {
        // values that are none
        particle("x'^2/2 - 1/(x-1)"), particle("x'^2/2 - 0/0*x"), particle("x'^2/2 - log(x-2)"),
        particle("x'^2/2 - sqrt(x-2)"), particle("x'^2/2 - max(x, log(-1))"), particle("x'^2/2 - x/0"),
        particle("x'^2/2 - 1e308*1e308*x"), particle("x'^2/2 + 1e308*x^2"), particle("x'^2/2 - exp(exp(exp(10*x)))"),
        particle("x'^2/2 - x^x^x^x"), particle("x'^2/2 - (-x)^0.5"), particle("x'^2/2 - asin(2*x)"),
        particle("x'^2/2 - tan(pi/2*x)"), particle("x'^2/2 - if(x > 0, 1/0, x)"), particle("x'^2/2 - abs(x-1)"),
        particle("x'^2/2 - sign(x - 1)*x"), particle("1e-320*x'^2/2 - x^2"), particle("1e200*x'^2 - 1e-200*x^2"),
        particle("x'^2/2 - x^2", "", "q = [1e308]\nv = [1e308]\n"), particle("x'^2/2", "", "q = [nan]\nv = [0]\n"),
        particle("x'^2/2", "", "q = [inf]\nv = [0]\n"), particle("x'^2/2", "", "q = [\"1/0\"]\nv = [0]\n"),
        particle("x'^2/2", "", "q = [1, 2]\nv = [0]\n"), particle("x'^2/2", "", "q = []\nv = []\n"),
        particle("x'^2/2", "", "q = [\"x\"]\nv = [0]\n"), particle("x'^2/2", "", "t = 1e300\nq = [1]\nv = [1e300]\n"),
        // Lagrangians that determine nothing
        particle("0"), particle("1"), particle("x'"), particle("x"), particle("x'*x"), particle("x'^3"),
        particle("sqrt(x')"), particle("abs(x')"), particle("x'^2*x^2", "", "q = [0]\nv = [1]\n"), particle("x'^4"),
        particle("x'^2/2 - x^2", "force = { x = \"1/(x-1)\" }\n"), particle("x'^2/2", "force = { y = \"1\" }\n"),
        particle("x'^2/2", "force = { x = \"x''\" }\n"), particle("x'^2/2 - t^1e9"), particle("x'^2/(1 - t)"),
        particle("-x'^2/2 + x^2"), particle("log(x')"), particle("x'^2/2 - erf(1e300*x)*1e300"),
        // constraints that contradict each other, or hold nowhere
        plane("holonomic = [\"x^2 + y^2 + 1\"]"), plane("holonomic = [\"x^2 + y^2 - 1\", \"x^2 + y^2 - 1\"]"),
        plane("holonomic = [\"x^2 + y^2 - 1\", \"x^2 + y^2 - 2\"]"), plane("holonomic = [\"0\"]"),
        plane("holonomic = [\"1\"]"), plane("holonomic = [\"x\", \"y\", \"x + y\"]"),
        plane("holonomic = [\"sqrt(-x)\"]"), plane("holonomic = [\"(x - 0.6)^2 + (y - 0.8)^2\"]"),
        plane("holonomic = [\"x*y\"]", "q = [0, 0]\nv = [1, 0]\n"), plane("holonomic = [\"1e200*(x^2 + y^2 - 1)\"]"),
        plane("holonomic = [\"1e-200*(x^2 + y^2 - 1)\"]"), plane("holonomic = [\"abs(x^2 + y^2 - 1)\"]"),
        plane("holonomic = [\"x' - 1\"]"), plane("velocity = [\"1\"]"),
        plane("velocity = [\"x'\", \"y'\", \"x' + y'\"]"), plane("velocity = [\"x'/0\"]"),
        plane("velocity = [\"x'^2 + y'^2\"]"), plane("velocity = [\"x'^2 + y'^2 + 1\"]"),
        plane("velocity = [\"sqrt(x')\"]"), plane("principle = \"\\u001b[2J\""),
        plane("holonomic = [\"x^2 + y^2 - 1\"]", "q = [0, 0]\nv = [0, 0]\n"), plane("phase = [\"p_x*p_y - 1\"]"),
        plane("holonomic = [\"x^2 + y^2 - exp(t*1e300)\"]"), plane("holonomic = \"x\""), plane("holonomic = [[\"x\"]]"),
        // general Hamiltonians
        "variables = [\"a\", \"b\"]\n[hamiltonian]\nformula = \"a^2 + b^2\"\nstructure = [[0, 1], [1, "
        "0]]\n[initial]\nz = [1, 0]\n",
        "variables = [\"a\", \"b\"]\n[hamiltonian]\nformula = \"a^2 + b^2\"\nstructure = [[0, 0], [0, "
        "0]]\n[initial]\nz = [1, 0]\n",
        "variables = [\"a\", \"b\"]\n[hamiltonian]\nformula = \"1/a\"\nstructure = [[0, 1], [-1, 0]]\n[initial]\nz = "
        "[0, 0]\n",
        "variables = [\"a\"]\n[hamiltonian]\nformula = \"a\"\nstructure = [[0]]\n[initial]\nz = [1]\n",
        "variables = [\"a\", \"b\"]\n[hamiltonian]\nformula = \"a\"\nstructure = [[0, \"1/0\"], [-1, 0]]\n[initial]\nz "
        "= [1, 0]\n",
        // families
        "coordinates = [\"x[1..n]\"]\n[parameters]\nn = 0\n[mechanics]\nlagrangian = \"sum(i in 1..n: x[i]'^2)\"\n",
        "coordinates = [\"x[1..n]\"]\n[parameters]\nn = -5\n[mechanics]\nlagrangian = \"sum(i in 1..n: x[i]'^2)\"\n",
        "coordinates = [\"x[1..n]\"]\n[parameters]\nn = 2.5\n[mechanics]\nlagrangian = \"sum(i in 1..n: x[i]'^2)\"\n",
        "coordinates = [\"x[1..n]\"]\n[parameters]\nn = 1e300\n[mechanics]\nlagrangian = \"sum(i in 1..n: x[i]'^2)\"\n",
        "coordinates = [\"x[n..1]\"]\n[parameters]\nn = 9\n[mechanics]\nlagrangian = \"sum(i in 1..n: x[i+1]'^2)\"\n",
        "coordinates = [\"x[1..3]\"]\n[mechanics]\nlagrangian = \"sum(i in 1..3: x[i]'^2/2 - "
        "1/(i-1)*x[i])\"\n[initial]\nq = "
        "{ \"x[i]\" = \"1\" }\nv = { \"x[i]\" = 0 }\n",
        "coordinates = [\"x[1..3]\"]\n[mechanics]\nlagrangian = \"sum(i in 1..3: x[i]'^2/2 - x[10^9*i])\"\n",
        // texts that are no models
        "", "\n", "[", "]", "=", "\"", "\xff\xfe", std::string("\0", 1), "a = 1", "coordinates = 1", "coordinates = []",
        "coordinates = [\"\"]", "coordinates = [\"x\", \"x\"]", "coordinates = [\"t\"]", "coordinates = [\"x'\"]",
        "coordinates = [\"sin\"]\n[mechanics]\nlagrangian = \"sin'^2\"\n", "coordinates = [\"\\u202e\"]",
        "coordinates = [\"a b\"]", "coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"\"\n", "format = 99\n",
        "coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2\"\nhamiltonian = \"p_x^2\"\n",
        "coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"x\"\n[initial]\nq = [1]\np = [1]\n",
        "coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"1/p_x\"\n[initial]\nq = [1]\np = [0]\n",
        "name = \"\\u001b]0;owned\\u0007\"\n" + particle("x'^2/2")};
    return all;
}

} // namespace attack
