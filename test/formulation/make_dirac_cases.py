"""Writes dirac_cases.inc: the Dirac family off the constraint manifold, by a second derivation.

Brackets by Prop. 3.1, {a, b} = a_q b_p^t - a_p b_q^t, in SymPy; multipliers by solving the matrix equations at a point;
Hamilton's equations of H + mu . g + eta . psi by central differences, in 60 digits, of the whole function. Nothing is
shared with the program but the models' text.
"""

import sympy as sp
from mpmath import mp, mpf

mp.dps = 60
STEP = mpf(10) ** -18


def partial(f, x, i):
    """Fourth-order central difference."""

    def at(k):
        y = list(x)
        y[i] += k * STEP
        return f(y)

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * STEP)


class System:
    """H and g as formulas of x = (q, p); psi = {g, H}."""

    def __init__(self, n, H, g):
        x = sp.symbols(f"x0:{2 * n}")
        q, p = x[:n], x[n:]
        H, g = sp.Matrix([H(x)]), sp.Matrix(g(x))
        bracket = lambda a, b: a.jacobian(q) * b.jacobian(p).T - a.jacobian(p) * b.jacobian(q).T
        psi = bracket(g, H)
        function = lambda f: (lambda at, call=sp.lambdify([x], f, "mpmath"): call(at))
        self.n, self.m = n, len(g)
        self.H = lambda at, call=function(H): call(at)[0]
        self.g, self.psi = function(g), function(psi)
        self.g_psi, self.psi_g, self.psi_psi = (function(bracket(*ab)) for ab in ((g, psi), (psi, g), (psi, psi)))
        self.psi_H = function(bracket(psi, H))

    def eta(self, x, alpha, whole):
        right = mp.matrix([alpha * c - (s if whole else 0) for c, s in zip(self.g(x), self.psi(x))])
        return mp.lu_solve(self.g_psi(x), right)

    def mu(self, x, eta):
        return mp.lu_solve(self.psi_g(x), -self.psi_H(x) - self.psi_psi(x) * eta)

    def total(self, x, alpha, whole):
        eta = self.eta(x, alpha, whole)
        mu = self.mu(x, eta)
        return self.H(x) + sum(mu[i] * self.g(x)[i] + eta[i] * self.psi(x)[i] for i in range(self.m))

    def hamiltonian(self, f, x):
        n = self.n
        return [partial(f, x, n + i) for i in range(n)] + [-partial(f, x, i) for i in range(n)]

    def frozen(self, x, mu, eta):
        def f(y):
            g, psi = self.g(y), self.psi(y)
            return self.H(y) + sum(mu[i] * g[i] + eta[i] * psi[i] for i in range(self.m))

        return self.hamiltonian(f, x)

    def fields(self, x):
        none = mp.matrix([0] * self.m)
        eta, pulled = self.eta(x, 0, True), self.eta(x, mpf(-0.75), True)
        return {
            "dirac": self.hamiltonian(lambda y: self.total(y, 0, True), x),
            "dirac:alpha=-3/4": self.hamiltonian(lambda y: self.total(y, mpf(-0.75), True), x),
            "dirac_simplified": self.hamiltonian(lambda y: self.total(y, 0, False), x),
            "dirac_simplified:alpha=-3/4": self.hamiltonian(lambda y: self.total(y, mpf(-0.75), False), x),
            "dirac_weak": self.frozen(x, self.mu(x, eta), eta),
            "dirac_weak:alpha=-3/4": self.frozen(x, self.mu(x, pulled), pulled),
            "underlying": self.frozen(x, self.mu(x, none), none),
        }


def two(x):
    q = x[:4]
    return [(q[0] ** 2 + q[1] ** 2 - 1) / 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - sp.Rational(1, 4) + q[0] * q[3] / 10]


def two_H(x):
    q, p = x[:4], x[4:]
    return p[0] ** 2 + p[1] ** 2 / 2 + (1 + q[0] ** 2) * p[2] ** 2 / 2 + p[3] ** 2 / 3 + 2 * q[1] + q[3] + q[2] ** 2 * q[3]


def three(x):
    q = x[:5]
    return [q[0] ** 2 + q[1] ** 2 + q[2] ** 2 - 2, q[2] * q[3] - q[4] + sp.sin(q[0]), q[1] + q[3] ** 2 + q[4] ** 3 - 1]


def three_H(x):
    q, p = x[:5], x[5:]
    kinetic = (p[0] ** 2 + 2 * p[1] ** 2 + p[2] ** 2 + p[3] ** 2 / 2 + p[4] ** 2 + p[0] * p[1] / 2) / 2
    return kinetic + q[1] + sp.cos(q[3]) + q[0] * q[4]


CASES = {
    "two": (
        System(4, two_H, two),
        'coordinates = ["a", "b", "c", "d"]\n[mechanics]\nhamiltonian = "p_a^2 + p_b^2/2 + (1 + a^2)*p_c^2/2 + p_d^2/3 + '
        '2*b + d + c^2*d"\n[constraints]\nholonomic = ["(a^2 + b^2 - 1)/2", "(c - a)^2 + (d - b)^2 - 1/4 + a*d/10"]\n',
        [0.7, -0.6, 1.1, -0.9, 0.4, 0.3, -0.5, 0.8],
    ),
    "three": (
        System(5, three_H, three),
        'coordinates = ["a", "b", "c", "d", "e"]\n[mechanics]\nhamiltonian = "(p_a^2 + 2*p_b^2 + p_c^2 + p_d^2/2 + p_e^2 + '
        'p_a*p_b/2)/2 + b + cos(d) + a*e"\n[constraints]\nholonomic = ["a^2 + b^2 + c^2 - 2", "c*d - e + sin(a)", '
        '"b + d^2 + e^3 - 1"]\n',
        [0.9, 0.5, -0.8, 0.6, 0.4, 0.3, -0.2, 0.5, 0.7, -0.4],
    ),
}


def main():
    print("// Made by make_dirac_cases.py: the Dirac family off the manifold, differentiated in 60 digits.")
    for name, (system, text, x) in CASES.items():
        exact = [mpf(str(a)) for a in x]
        n = system.n
        initial = f"[initial]\nq = {x[:n]}\np = {x[n:]}\n"
        print(f'{{"{name}", R"toml({text}{initial})toml", {{')
        for method, field in system.fields(exact).items():
            numbers = ", ".join(mp.nstr(f, 20) for f in field)
            print(f'    {{"{method}", {{{numbers}}}}},')
        print("}},")


main()
