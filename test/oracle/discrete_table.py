"""Steps with discrete Lagrangians, forces, reactions and constraints of a model's [discrete] table, beside the same
equations solved here; exit 1 if one differs.

No table is one that the program could have made from L: the weights of the ends differ, and terms of higher order in h are
added. The equations stand as in Marsden and West (2001), de Leon, Martin de Diego and Santamaria (2004, Remark 3.2), Cortes
and Martinez (2001), Ferraro, Iglesias and Martin de Diego (2008); SymPy derives, Newton's method with differences solves.
"""

import sys

import numpy as np
import sympy as sp

from variational_steps import newton, program

TOLERANCE = 2e-15  # twice the largest that was measured
STEP, STEPS, START = 0.1, 8, 0.3

PENDULUM = {
    "names": ["x", "y"],
    "L": "(dx^2 + (2 + sin(x))*dy^2)/2 + x*dy/3 - x^2*y - y^2 + x*sin(t)",
    "force": {"x": "-dx/5 + cos(t)", "y": "x/7"},
    "phi": [],
    "L_d": "((x_1 - x_0)^2 + (2 + sin(0.3*x_0 + 0.7*x_1))*(y_1 - y_0)^2)/(2*h) + (x_0 + x_1)*(y_1 - y_0)/6"
    " - h*(0.4*x_0^2*y_0 + 0.6*x_1^2*y_1 + y_0*y_1) + h*(x_0*sin(t_0) + 2*x_1*sin(t_1))/3 + h^3*x_0*y_1/5",
    "begin": {"x": "-(x_1 - x_0)/20 + h*cos(t_0)/4", "y": "h*x_0/14"},
    "end": {"x": "-3*(x_1 - x_0)/20 + 3*h*cos(t_1)/4 + h^2*y_0", "y": "h*x_1/14"},
    "q": [0.4, -0.2],
    "v": [0.3, 0.8],
}
PARTICLE = {
    "names": ["x", "y", "z"],
    "L": "(dx^2 + dy^2 + dz^2)/2 - (x^2 + y^2)",
    "force": {},
    "phi": ["dz - y*dx"],
    "L_d": "((x_1 - x_0)^2 + (y_1 - y_0)^2 + (z_1 - z_0)^2)/(2*h) - h*(0.3*(x_0^2 + y_0^2) + 0.7*(x_1^2 + y_1^2))"
    " + h^2*x_0*z_1/9",
    "multiplier": "(2*x_0*y_1 - (x_1 - x_0)*(y_1 - y_0)/h^2)/(1 + y_0*y_1)",
    "phi_d": ["z_1 - z_0 - (0.8*y_0 + 0.2*y_1)*(x_1 - x_0) + h^3*x_0"],
    "q": [1, 0.5, 0],
    "v": [0.4, 1, 0.2],
}
LAMBDA = PARTICLE["multiplier"]
PARTICLE["alpha_0"] = {"x": f"-0.4*h*y_0*{LAMBDA}", "z": f"0.4*h*{LAMBDA}"}
PARTICLE["alpha_1"] = {"x": f"-0.6*h*y_1*{LAMBDA}", "z": f"0.6*h*{LAMBDA}"}


class Table:
    def __init__(self, s):
        self.s, names = s, s["names"]
        a, b, h, t0 = sp.symbols([n + "_0" for n in names]), sp.symbols([n + "_1" for n in names]), *sp.symbols("h t_0")
        x, w, t = sp.symbols(names), sp.symbols(["d" + n for n in names]), sp.Symbol("t")
        t1 = {sp.Symbol("t_1"): t0 + h}
        read = lambda text: sp.sympify(text.replace("^", "**")).subs(t1)
        make = lambda where, e: (lambda g: lambda *v: np.array(g(*v), dtype=float).ravel())(sp.lambdify(where, e, "numpy"))
        ends, point = (a, b, h, t0), (x, w, t)
        by_name = lambda table: [read(table.get(n, "0")) for n in names]
        L_d, L = read(s["L_d"]), read(s["L"])
        self.D1, self.D2 = make(ends, [L_d.diff(c) for c in a]), make(ends, [L_d.diff(c) for c in b])
        self.begin, self.end = make(ends, by_name(s.get("begin", {}))), make(ends, by_name(s.get("end", {})))
        self.alpha = [make(ends, by_name(s.get(k, {}))) for k in ("alpha_0", "alpha_1")]
        self.phi_d = make(ends, [read(f) for f in s.get("phi_d", [])])
        self.L_v, self.phi = make(point, [L.diff(c) for c in w]), make(point, [read(f) for f in s["phi"]])
        rows = sp.Matrix([[read(f).diff(c) for c in w] for f in s["phi"]]) if s["phi"] else sp.zeros(0, len(names))
        A = sp.lambdify(point, rows, "numpy")
        self.A = lambda q, t: np.array(A(q, np.zeros(len(names)), t), dtype=float).reshape(len(s["phi"]), len(names))

    def text(self):
        s = self.s
        prime = lambda f: '"' + f.replace("dx", "x'").replace("dy", "y'").replace("dz", "z'") + '"'
        named = lambda table: "{ " + ", ".join(f"{n} = {prime(f)}" for n, f in table.items()) + " }"
        both = lambda key, begin, end: f"{key} = {{ begin = {named(s[begin])}, end = {named(s[end])} }}"
        lines = [f"coordinates = {s['names']}".replace("'", '"'), "[mechanics]", "lagrangian = " + prime(s["L"])]
        lines += ["force = " + named(s["force"])] if s["force"] else []
        lines += ["[constraints]", "velocity = [" + prime(s["phi"][0]) + "]"] if s["phi"] else []
        lines += ["[discrete]", f'lagrangian = "{s["L_d"]}"']
        lines += [both("forces", "begin", "end")] if "begin" in s else []
        lines += [both("reaction", "alpha_0", "alpha_1")] if "alpha_0" in s else []
        lines += [f'constraint = ["{s["phi_d"][0]}"]'] if "phi_d" in s else []
        return "\n".join(lines + ["[initial]", f"q = {s['q']}", f"v = {s['v']}", f"t = {START}"]) + "\n"


def steps(table, advance, state):
    for k in range(STEPS):
        state = advance(table, START + k * STEP, *state)
    return state


def del_step(s, t, q, p):
    """p0 = -D1 L_d - F_d^-, p1 = D2 L_d + F_d^+."""
    at = lambda q1: (q, q1, STEP, t)
    q1 = newton(lambda x: -s.D1(*at(x)) - s.begin(*at(x)) - p, q + STEP * p)
    return q1, s.D2(*at(q1)) + s.end(*at(q1))


def gf_step(s, t, q, p):
    """(17) of de Leon, Martin de Diego and Santamaria: p0 = -D1 S + alpha_0, p1 = D2 S - alpha_1."""
    at = lambda q1: (q, q1, STEP, t)
    q1 = newton(lambda x: -s.D1(*at(x)) + s.alpha[0](*at(x)) - p, q + STEP * p)
    return q1, s.D2(*at(q1)) - s.alpha[1](*at(q1))


def dla_step(s, t, q, p_plus):
    """D1 L_d(q1, q2) + D2 L_d(q0, q1) = h A^T lambda, phi_d(q1, q2) = 0."""
    n, A = q.size, s.A(q, t)
    f = lambda u: np.concatenate(
        [s.D1(q, u[:n], STEP, t) + p_plus - STEP * A.T @ u[n:], s.phi_d(q, u[:n], STEP, t) / STEP]
    )
    q1 = newton(f, np.concatenate([q + STEP * p_plus, np.zeros(len(A))]))[:n]
    return q1, s.D2(q, q1, STEP, t)


def gni_step(s, t, q, p, kappa):
    """p_minus = p - A^T kappa at each node, D2 L_d = p + A^T kappa, phi(q, p) = 0; L_v is the velocity itself."""
    A = s.A(q, t)
    q1 = newton(lambda x: s.D1(q, x, STEP, t) + p - A.T @ kappa, q + STEP * p)
    p_plus, A1 = s.D2(q, q1, STEP, t), s.A(q1, t + STEP)
    kappa1 = np.linalg.solve(A1 @ A1.T, A1 @ p_plus)
    return q1, p_plus - A1.T @ kappa1, kappa1


def main():
    pendulum, particle = Table(PENDULUM), Table(PARTICLE)
    q, v = np.array(PARTICLE["q"]), np.array(PARTICLE["v"])
    momentum = pendulum.L_v(PENDULUM["q"], PENDULUM["v"], START)
    runs = [
        ("del:ld=model", pendulum, steps(pendulum, del_step, (np.array(PENDULUM["q"]), momentum))),
        ("gf:ld=model", particle, steps(particle, gf_step, (q, v))),
        ("gni:ld=model:start=plain", particle, steps(particle, gni_step, (q, v, np.zeros(1)))[:2]),
        ("dla:ld=model", particle, steps(particle, dla_step, (q, v))[:1]),
    ]
    worst, good = 0, True
    for method, table, want in runs:
        run = program(table.text(), method, STEP, STEPS)
        found = np.array(run["q"] + (run["p"] if len(want) > 1 else []))
        off = np.max(np.abs(found - np.concatenate(want))) / max(1, np.max(np.abs(found)))
        worst = max(worst, off)
        if not off <= TOLERANCE:
            print(f"{method}: off by {off:.2g}")
            good = False
    print(f"{len(runs)} runs, largest difference {worst:.2g}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
