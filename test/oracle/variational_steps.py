"""Steps of variational methods on systems with random numbers, beside the same equations
solved here; exit 1 if one differs.

The equations are those of McLachlan, Modin, Verdier and Wilkins, Propositions 2, 3 and 7, with derivatives by SymPy and
Newton's method with differences: nothing is shared with the program but the paper.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp

PROGRAM = os.environ.get("RATTLEBACK", "build/rattleback")
TOLERANCE = 2e-15  # twice the largest that was measured
ROOT = np.sqrt(3) / 6
GAUSS = {1: ([[0.5]], [1.0]), 2: ([[0.25, 0.25 - ROOT], [0.25 + ROOT, 0.25]], [0.5, 0.5])}
IIIA = np.array([[0, 0, 0], [5, 8, -1], [4, 16, 4]]) / 24, np.array([1, 4, 1]) / 6
IIIB = np.array([[1, -1, 0], [1, 2, 0], [1, 5, 0]]) / 6


def newton(f, x):
    for _ in range(50):
        r = f(x)
        J = np.column_stack([(f(x + d) - f(x - d)) / 2e-6 for d in 1e-6 * np.eye(x.size)])
        step = np.linalg.solve(J, r)
        x = x - step
        if np.max(np.abs(step)) < 1e-14 * max(1, np.max(np.abs(x))):
            return x
    return x


def program(text, method, step, steps):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        words = [PROGRAM, "run", file.name, "-m", method, "--step", repr(step), "--steps", str(steps), "--json"]
        return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


class Problem:
    """F = L - lambda . phi, and g; formulas are spelt for both, with dx for x' and ^ for **."""

    def __init__(self, names, L, phi, g, q, v, lam):
        self.names, self.L, self.phi, self.g, self.q0, self.v0, self.lam0 = names, L, phi, g, q, v, lam
        x, w = sp.symbols(names), sp.symbols([f"d{n}" for n in names])
        l = sp.symbols(f"l:{len(phi)}")
        read = lambda s: sp.sympify(s.replace("^", "**"))
        F = read(L) - sum(a * read(f) for a, f in zip(l, phi))
        self.n, self.m, self.k = len(names), len(phi), len(g)
        make = lambda e: sp.lambdify((x, w, l), e, "numpy")
        F_q, F_v = make([F.diff(a) for a in x]), make([F.diff(a) for a in w])
        constraint, holonomic = make([read(f) for f in phi]), make([read(f) for f in g])
        normal = make([[read(f).diff(a) for a in x] for f in g])
        array = lambda f: lambda *a: np.array(f(*a), dtype=float)
        self.F_q, self.F_v, self.f, self.h = array(F_q), array(F_v), array(constraint), array(holonomic)
        self.G = lambda q: np.array(normal(q, q, self.lam0), dtype=float).reshape(self.k, self.n)

    def text(self):
        quoted = lambda s: '"' + self.primed(s) + '"'
        lines = [f"coordinates = {json.dumps(self.names)}", "[mechanics]", f"lagrangian = {quoted(self.L)}"]
        lines += ["[constraints]", 'principle = "variational"']
        lines += [f"velocity = [{', '.join(map(quoted, self.phi))}]"]
        lines += [f"holonomic = [{', '.join(map(quoted, self.g))}]"] if self.g else []
        lines += ["[initial]", f"q = {list(self.q0)}", f"v = {list(self.v0)}", f"lambda = {list(self.lam0)}"]
        return "\n".join(lines) + "\n"

    def primed(self, s):
        for name in self.names:
            s = s.replace("d" + name, name + "'")
        return s

    def node(self, q, p, v, lam):
        split = lambda x: (q, x[: self.n], x[self.n :])
        both = lambda x: np.concatenate([self.F_v(*split(x)) - p, self.f(*split(x))])
        return split(newton(both, np.concatenate([v, lam])))[1:]

    def runge_kutta(self, A, B, b, h, steps):
        """A for q, B for p."""
        s = len(b)
        n, q, p = self.n, np.array(self.q0), self.F_v(self.q0, self.v0, self.lam0)
        guess = np.concatenate([np.concatenate([self.v0, self.lam0])] * s)
        for _ in range(steps):
            def parts(x):
                V, lam = x.reshape(s, -1)[:, :n], x.reshape(s, -1)[:, n:]
                Q = q + h * A @ V
                return Q, V, lam, np.array([self.F_q(*z) for z in zip(Q, V, lam)])

            def residual(x):
                Q, V, lam, kp = parts(x)
                P = p + h * B @ kp
                stages = list(zip(Q, V, lam))
                return np.concatenate([f for z, P_i in zip(stages, P) for f in (self.F_v(*z) - P_i, self.f(*z))])

            guess = newton(residual, guess)
            _, V, _, kp = parts(guess)
            q, p = q + h * b @ V, p + h * b @ kp
        return q, p, *self.node(q, p, np.array(self.v0), np.array(self.lam0))

    def rattle_midpoint(self, h, steps):
        n, m, k = self.n, self.m, self.k
        q, p = np.array(self.q0), self.F_v(self.q0, self.v0, self.lam0)
        inner = np.concatenate([self.v0, self.lam0, np.zeros(k)])
        outer = np.concatenate([self.v0, self.lam0, np.zeros(k)])
        for _ in range(steps):
            def middle(x):
                v, lam, mu = x[:n], x[n : n + m], x[n + m :]
                p0, q1, qm = p - h / 2 * self.G(q).T @ mu, q + h * v, q + h / 2 * v
                return v, lam, p0, p0 + h * self.F_q(qm, v, lam), q1, qm

            def first(x):
                v, lam, p0, p1, q1, qm = middle(x)
                return np.concatenate([self.F_v(qm, v, lam) - (p0 + p1) / 2, self.f(qm, v, lam), self.h(q1, v, lam)])

            inner = newton(first, inner)
            _, _, _, kicked, q, _ = middle(inner)
            G = self.G(q)

            def second(x):
                v, lam, mu = x[:n], x[n : n + m], x[n + m :]
                return np.concatenate([self.F_v(q, v, lam) - kicked + h / 2 * G.T @ mu, self.f(q, v, lam), G @ v])

            outer = newton(second, outer)
            p = kicked - h / 2 * G.T @ outer[n + m :]
        return q, p, outer[:n], outer[n : n + m]


def verdict(name, method, off):
    print(f"{name:32} {method:18} off by {off:.1e}", "" if off < TOLERANCE else "FAILED")
    return off < TOLERANCE


def compare(name, problem, method, expected, h, steps):
    s = program(problem.text(), method, h, steps)
    off = max(np.max(np.abs(np.array(s[key]) - want)) for key, want in zip(("q", "p", "v", "lambda"), expected))
    return verdict(name, method, off)


def mechanical(random):
    """A vehicle, a metric that depends on q, a nonlinear constraint, Heisenberg's on an ellipsoid."""
    a, b, c = (round(x, 3) for x in random.uniform(0.5, 1.5, 3))
    th, ph, u = (round(x, 3) for x in random.uniform(0.2, 0.9, 3))
    ph += 0.6
    v = [u * np.cos(ph), u * np.sin(ph), u * np.sin(ph - th) / a, 0.3]
    wheels = ["dx*sin(r) - dy*cos(r)", f"dx*sin(s) - dy*cos(s) + {a}*ds"]
    yield "vehicle", Problem(["x", "y", "s", "r"], f"(dx^2 + dy^2 + {b}*ds^2 + {c}*dr^2)/2 - cos(x*y)", wheels, [],
                             [0.1, 0.2, th, ph], v, [0.3, -0.2])
    yield "metric of q", Problem(["x", "y", "z"], f"(dx^2*(1 + {a}*y^2) + {b}*dy^2 + dz^2 + dx*dz/3)/2 - {c}*z*x",
                                 ["dz - y*dx + x*dy"], [], [0.4, 0.1, 0.0], [u, th, 0.1 * u - 0.4 * th], [0.7])
    yield "nonlinear", Problem(["x", "y", "z"], f"(dx^2 + {a}*dy^2*(1 + x^2/4) + dz^2)/2 - {b}*z*x",
                               [f"dz - y*dx - {c}*dy^2/4 - 1/10"], [], [0.3, 0.1, 0.0],
                               [0.5, 0.4, 0.05 + c * 0.04 + 0.1], [0.4])
    z = -0.5
    x = np.sqrt(1 - a * z**2)
    w = [a * z * th, th, -x * th]
    yield "on an ellipsoid", Problem(["x", "y", "z"], f"(dx^2 + {b}*dy^2 + dz^2)/2 - {c}*z", ["dz - y*dx + x*dy"],
                                     [f"(x^2 + y^2 + {a}*z^2 - 1)/2"], [x, 0.0, z], w, [0.5])


def skewed(random, s, h, steps):
    """J z' = grad H with a kernel, in a random basis: Proposition 3 in z itself."""
    n = 5
    S = np.round(random.uniform(-1, 1, (n, n)) + 2 * np.eye(n), 2)
    x = sp.symbols("x:5")
    canonical = np.zeros((n, n))
    canonical[0, 2] = canonical[1, 3] = -1
    canonical -= canonical.T
    q, r, p, s_, u = x
    H = (p**2 + s_**2) / 2 + q**2 / 2 + r**2 + q**4 / 4 + u**2 + u**4 / 4 - u * p * r
    inverse = np.linalg.inv(S)
    J, N = inverse.T @ canonical @ inverse, S[:, 4] # H and J of z = S x; the kernel is S e_5
    J = (J - J.T) / 2
    grad_x = sp.lambdify((x,), [H.diff(a) for a in x], "numpy")
    grad = lambda z: inverse.T @ np.array(grad_x(inverse @ z), dtype=float)
    start = np.array([0.3, -0.2, 0.1, 0.4, 0.0])
    start[4] = newton(lambda u: np.array(grad_x([*start[:4], u[0]]), dtype=float)[4:], np.zeros(1))[0]
    A, b = (np.array(t) for t in GAUSS[s])
    z = S @ start
    first = z.copy()
    for _ in range(steps):
        def residual(y, z=z):
            Z = y.reshape(s, n)
            G = np.array([grad(row) for row in Z])
            return ((Z - z) @ J.T - h * A @ G).ravel()

        Z = newton(residual, np.tile(z, s)).reshape(s, n)
        right = J @ z + h * b @ np.array([grad(row) for row in Z])
        z = newton(lambda y: J @ y - right + N * (N @ grad(y)), z)
    formulas = [" + ".join(f"({repr(float(c))})*z{j}" for j, c in enumerate(row)) for row in inverse]
    text = 'variables = ["z0", "z1", "z2", "z3", "z4"]\n[definitions]\n'
    text += "".join(f'x{i} = "{f}"\n' for i, f in enumerate(formulas))
    text += f'[hamiltonian]\nformula = "{str(H).replace("**", "^")}"\nstructure = {json.dumps(J.tolist())}\n'
    text += f"[initial]\nz = {first.tolist()}\n"
    off = np.max(np.abs(np.array(program(text, f"gauss:stages={s}", h, steps)["z"]) - z))
    return verdict("a kernel, in a skewed basis", f"gauss:stages={s}", off)


def main():
    good = True
    for seed in range(3):
        random = np.random.default_rng(seed)
        for name, problem in mechanical(random):
            if problem.k:
                good &= compare(name, problem, "rattle_midpoint", problem.rattle_midpoint(0.02, 20), 0.02, 20)
                continue
            for s, (A, b) in GAUSS.items():
                A, b = np.array(A), np.array(b)
                good &= compare(name, problem, f"gauss:stages={s}", problem.runge_kutta(A, A, b, 0.05, 20), 0.05, 20)
            expected = problem.runge_kutta(IIIA[0], IIIB, IIIA[1], 0.05, 20)
            good &= compare(name, problem, "lobatto:stages=3", expected, 0.05, 20)
        for s in (1, 2):
            good &= skewed(random, s, 0.1, 20)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
