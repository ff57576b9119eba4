"""Steps of nonholonomic methods on systems that no paper has, beside the same equations solved here; exit 1 if one differs.

The equations are those of de Leon, Martin de Diego and Santamaria (2004), Ferraro, Iglesias and Martin de Diego (2008) and
Cortes and Martinez (2001), written with D1 and D2 of generating functions, projectors and impulses as they stand there; SymPy
derives, Newton's method with differences solves. Nothing is shared with the program but the papers.
"""

import json
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp

from variational_steps import GAUSS, PROGRAM, newton, program

TOLERANCE = 6e-15  # twice the largest that was measured
STAGES_TOLERANCE = 7e-16  # likewise, of constraints at stages
ALPHA = {
    "gf": [(1, 0.5)],
    "gf:alpha=1/4": [(1, 0.25)],
    "gf_sym": [(0.5, 0), (0.5, 1)],
    "gf_sym:alpha=1/4": [(0.5, 0.25), (0.5, 0.75)],
}
ALPHA |= {"gf_proj": ALPHA["gf"], "gf_sym_proj": ALPHA["gf_sym"]}
MIDPOINT, VERLET = [(1, 0.5)], [(0.5, 0), (0.5, 1)]
BOX = {"gf_geometric": MIDPOINT, "gf_geometric:alpha=1/4": [(1, 0.25)]}
LEAPFROGS = {
    "gni": MIDPOINT,
    "gni:start=plain": MIDPOINT,
    "gni:ld=alpha:alpha=1/3": [(1, 1 / 3)],
    "gni:ld=verlet": VERLET,
    "nh_rattle": VERLET,
    "nh_shake": VERLET,
}


class System:
    """Formulas are spelt for both, with dx for x' and ^ for **."""

    def __init__(self, names, L, phi, force, q, v):
        self.names, self.L, self.phi_text, self.force_text = names, L, phi, force
        self.q0, self.v0, self.t0 = np.array(q), np.array(v), 0.3
        x, w, t = sp.symbols(names), sp.symbols([f"d{n}" for n in names]), sp.Symbol("t")
        read = lambda s: sp.sympify(s.replace("^", "**"))
        L, f = read(L), sp.Matrix([read(s) for s in phi])
        F = sp.Matrix([read(force.get(n, "0")) for n in names])
        p = sp.Matrix([L]).jacobian(w).T
        array = lambda e: (lambda g: lambda *a: np.array(g(*a), dtype=float))(sp.lambdify((x, w, t), e, "numpy"))
        flat = lambda e: (lambda g: lambda *a: g(*a).ravel())(array(e))
        self.L_q, self.L_v, self.F, self.phi = flat(sp.Matrix([L]).jacobian(x)), flat(p), flat(F), flat(f)
        self.M, self.A, self.phi_q = array(p.jacobian(w)), array(f.jacobian(w)), array(f.jacobian(x))
        self.terms = [flat(sp.Matrix(sp.Add.make_args(read(s)))) for s in phi]
        drift = p.jacobian(x) * sp.Matrix(w) + p.diff(t), f.jacobian(x) * sp.Matrix(w) + f.diff(t)
        self.p_drift, self.phi_drift = flat(drift[0]), flat(drift[1])

    def text(self):
        prime = lambda s: s.replace("dx", "x'").replace("dy", "y'").replace("dz", "z'")
        quoted = lambda s: f'"{prime(s)}"'
        lines = [f"coordinates = {list(self.names)}".replace("'", '"'), "[mechanics]", "lagrangian = " + quoted(self.L)]
        if self.force_text:
            lines.append("force = { " + ", ".join(f"{n} = {quoted(s)}" for n, s in self.force_text.items()) + " }")
        lines += ["[constraints]", "velocity = [" + ", ".join(map(quoted, self.phi_text)) + "]", "[initial]"]
        lines += [f"q = {self.q0.tolist()}", f"v = {self.v0.tolist()}", f"t = {self.t0}"]
        return "\n".join(lines) + "\n"

    def reaction(self, q, v, t):
        """A^T lambda, lambda the continuous multiplier off the constraint as well as on it."""
        A, M = self.A(q, v, t), self.M(q, v, t)
        free = self.L_q(q, v, t) + self.F(q, v, t) - self.p_drift(q, v, t)
        right = A @ np.linalg.solve(M, free) + self.phi_drift(q, v, t)
        return A.T @ np.linalg.solve(A @ np.linalg.solve(M, A.T), right)

    def size(self, q, v, t):
        """What a residual of each constraint is compared with: its largest term, or what changes of the state's size do."""
        slopes = lambda J, x: np.abs(J(q, v, t)).sum(axis=1) * np.max(np.abs(x))
        return np.max([[np.max(np.abs(g(q, v, t))) for g in self.terms], slopes(self.A, v), slopes(self.phi_q, q)], axis=0)

    def velocity(self, q, p, t, guess):
        return newton(lambda v: self.L_v(q, v, t) - p, guess)

    def reflected(self, q, p, t, guess):
        """(kappa A^T, v) with phi(q, v) = 0, L_v = p - A^T kappa."""
        n = len(q)

        def equations(u):
            v, kappa = u[:n], u[n:]
            return np.concatenate([self.L_v(q, v, t) - p + self.A(q, v, t).T @ kappa, self.phi(q, v, t)])

        u = newton(equations, np.concatenate([guess, np.zeros(len(self.phi_text))]))
        return self.A(q, u[:n], t).T @ u[n:], u[:n]

    def slopes(self, points, q0, q1, t, h, force):
        """-D1 S and D2 S with forces at the points, force(q, v, t); or none."""
        left, right, w = 0, 0, (q1 - q0) / h
        for b, a in points:
            q, s = (1 - a) * q0 + a * q1, t + a * h
            Lq = self.L_q(q, w, s) + (force(q, w, s) if force else 0)
            left = left + b * (self.L_v(q, w, s) - h * (1 - a) * Lq)
            right = right + b * (self.L_v(q, w, s) + h * a * Lq)
        return left, right


def generating(s, method, h, steps):
    q, p, v, t = s.q0, s.L_v(s.q0, s.v0, s.t0), s.v0, s.t0
    force = lambda *at: s.F(*at) - s.reaction(*at)
    for k in range(steps):
        q1 = newton(lambda x: s.slopes(ALPHA[method], q, x, t, h, force)[0] - p, q + h * v)
        p = s.slopes(ALPHA[method], q, q1, t, h, force)[1]
        q, v, t = q1, (q1 - q) / h, s.t0 + (k + 1) * h
        if "proj" in method:
            p = p - s.reflected(q, p, t, v)[0]
    return q, s.velocity(q, p, t, v), p


def box(s, method, h, steps):
    """P(D2 S + D1 S) = 0, which says that D does not see D2 S + D1 S; Psi(q, -D1 S + alpha_0) = 0 besides."""
    q, plus, v, t, a = s.q0, s.L_v(s.q0, s.v0, s.t0), s.v0, s.t0, BOX[method][0][1]
    for k in range(steps):

        def ends(x):
            left, right = s.slopes(BOX[method], q, x, t, h, None)
            push = h / 2 * s.F((q + x) / 2, (x - q) / h, t + h / 2)
            return left - push, right + push

        def equations(x):
            A, left, at = s.A(q, v, t), ends(x)[0], ((1 - a) * q + a * x, (x - q) / h, t + a * h)
            D = np.linalg.svd(A)[2][len(A) :]
            multiplier = np.linalg.lstsq(s.A(*at).T, s.reaction(*at), rcond=None)[0]
            p = left + (1 - a) * h * A.T @ multiplier
            return np.concatenate([D @ (left - plus), s.phi(q, s.velocity(q, p, t, v), t)])

        q1 = newton(equations, q + h * v)
        plus = ends(q1)[1]
        q, v, t = q1, (q1 - q) / h, s.t0 + (k + 1) * h
    d, v = s.reflected(q, plus, t, v)
    return q, v, plus - d


def leapfrog(s, method, h, steps):
    q, p, v, t = s.q0, s.L_v(s.q0, s.v0, s.t0), s.v0, s.t0
    minus = p if "plain" in method else p - h / 2 * s.reaction(q, v, t)
    for k in range(steps):

        def ends(x):
            left, right = s.slopes(LEAPFROGS[method], q, x, t, h, None)
            push = h / 2 * s.F((q + x) / 2, (x - q) / h, t + h / 2)
            return left - push, right + push

        q1 = newton(lambda x: ends(x)[0] - minus, q + h * v)
        plus = ends(q1)[1]
        q, v, t = q1, (q1 - q) / h, s.t0 + (k + 1) * h
        d, v = s.reflected(q, plus, t, v)
        p, minus = plus - d, plus - 2 * d
    return q, v, p


def dalembert(s, method, h, steps):
    q, plus, v, t, n = s.q0, s.L_v(s.q0, s.v0, s.t0), s.v0, s.t0, len(s.q0)
    for k in range(steps):

        def ends(x):
            left, right = s.slopes(MIDPOINT, q, x, t, h, None)
            push = h / 2 * s.F((q + x) / 2, (x - q) / h, t + h / 2)
            return left - push, right + push

        def equations(u):
            x, impulse = u[:n], u[n:]
            meets = s.phi((q + x) / 2, (x - q) / h, t + h / 2)
            return np.concatenate([ends(x)[0] - plus + s.A(q, v, t).T @ impulse, meets])

        q1 = newton(equations, np.concatenate([q + h * v, np.zeros(len(s.phi_text))]))[:n]
        plus = ends(q1)[1]
        q, v, t = q1, (q1 - q) / h, s.t0 + (k + 1) * h
        d, v = s.reflected(q, plus, t, v)  # the node, at which the next impulse has its direction A(q, v)
    return q, v, plus - d


def gauss(s, method, h, steps, at_stages=None):
    """at_stages: a list that takes the constraints at all stages."""
    a, b = map(np.array, GAUSS[int(method[-1])])
    q, p, v, t, n, m = s.q0, s.L_v(s.q0, s.v0, s.t0), s.v0, s.t0, len(s.q0), len(s.phi_text)
    for k in range(steps):

        def ends(u):
            """Stage velocities V and pushes K, v0 and v1, nu: residuals and the end."""
            V, K = u[: n * len(b)].reshape(-1, n), u[n * len(b) : 2 * n * len(b)].reshape(-1, n)
            v1, nu = u[2 * n * len(b) : -m], u[-m:]
            start, r = p + s.A(q, v, t).T @ nu, []
            for i, c in enumerate(a.sum(axis=1)):
                at = (q + h * a[i] @ V, V[i], t + c * h)
                r += [s.L_v(*at) - start - h * a[i] @ K, K[i] - s.L_q(*at) - s.F(*at) + s.reaction(*at)]
            q1 = q + h * b @ V
            p1 = start + h * b @ K + s.A(q1, v1, t + h).T @ nu
            r += [s.L_v(q1, v1, t + h) - p1, s.phi(q1, v1, t + h)]
            return np.concatenate(r), q1, p1, v1

        guess = np.concatenate([np.tile(v, len(b)), np.zeros(n * len(b)), v, np.zeros(m)])
        u = newton(lambda u: ends(u)[0], guess)
        if at_stages is not None:
            V = u[: n * len(b)].reshape(-1, n)
            places = [(q + h * a[i] @ V, V[i], t + c * h) for i, c in enumerate(a.sum(axis=1))]
            at_stages.append([(s.phi(*at), s.size(*at)) for at in places])
        _, q, p, v = ends(u)
        t = s.t0 + (k + 1) * h
    return q, v, p


def stages_agree(s, method, h):
    """What verify measures at the stages of its 20 steps, where the constraints do not hold."""
    seen = []
    gauss(s, method, h, 20, seen)
    largest = np.max(np.abs(seen), axis=0)  # of each constraint at each stage: the residual and its size
    want = np.max(largest[:, 0] / largest[:, 1])
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(s.text())
        file.flush()
        words = [PROGRAM, "verify", file.name, "-m", method, "-s", str(h), "--steps", "100", "--json"]
        claims = json.loads(subprocess.run(words, capture_output=True, text=True).stdout)["claims"]
    got = next(c["measured"] for c in claims if c["name"] == "constraint_at_stages")
    if abs(got - want) <= STAGES_TOLERANCE and want > 1e-9:
        return True
    print(f"{method}: constraints at stages {got}, here {want}")
    return False


# Linear with a varying metric; affine and driven, with a magnetic term; pulled, two constraints; nonlinear.
XYZ = ("x", "y", "z")
AFFINE = [
    System(XYZ, "(1 + y^2/3)*dx^2/2 + dy^2 + dz^2/2 + x*dy*dz/4 - x^2 - y*z", ["dz - y*dx + x*dy/2"], {},
           [0.7, 0.4, -0.2], [0.5, -0.3, 0.275 + 0.03]),
    System(XYZ, "(2 + sin(z))*dx^2/2 + dy^2/2 + dz^2 + y*dx - x*dy/2 - cos(x)*y", ["dx + z*dy - sin(t)*x - 2/5"], {},
           [0.3, -0.5, 0.6], [0.4 + 0.3 * np.sin(0.3) - 0.12, 0.2, 0.7]),
    System(XYZ, "dx^2/2 + dy^2/2 + dz^2/2*(1 + x^2) - z^3", ["dx - (1 + z)*dy"], {"x": "z - dx/5", "z": "cos(t) + dy*x"},
           [0.2, 0.1, 0.5], [0.6, 0.4, -0.3]),
]  # fmt: skip
NONLINEAR = [
    System(XYZ, "dx^2/2 + dy^2/2*(1 + z^2) + dz^2/2 + dx^2*dy^2/8 - z", ["dx^2 + dy^2 - (1 + x^2/4)*dz^2"], {},
           [0, 0.2, 0.1], [0.6, 0.8, 1.0]),
]  # fmt: skip


def main():
    worst, count, good = 0, 0, True
    families = {
        generating: list(ALPHA),
        box: list(BOX),
        leapfrog: list(LEAPFROGS),
        dalembert: ["dla"],
        gauss: ["nh_gauss:stages=1", "nh_gauss:stages=2"],
    }
    for number, s in enumerate(AFFINE + NONLINEAR):
        assert np.max(np.abs(s.phi(s.q0, s.v0, s.t0))) < 1e-12, f"system {number} starts off its constraint"
        for solve, methods in families.items():
            for method in methods:
                if s in NONLINEAR and (solve is box or method in ("nh_rattle", "nh_shake")):
                    continue
                want = np.concatenate(solve(s, method, 0.1, 6))
                run = program(s.text(), method, 0.1, 6)
                off = np.max(np.abs(np.array(run["q"] + run["v"] + run["p"]) - want)) / max(1, np.max(np.abs(want)))
                worst, count = max(worst, off), count + 1
                if not off <= TOLERANCE:
                    print(f"system {number} {method}: off by {off:.2g}")
                    good = False
    for s in AFFINE[:2] + NONLINEAR:
        for method in ("nh_gauss:stages=1", "nh_gauss:stages=2"):
            good &= stages_agree(s, method, 0.05)
    print(f"{count} runs, largest difference {worst:.2g}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
