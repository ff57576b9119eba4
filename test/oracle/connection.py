"""The constrained connection that check --equations prints, beside tensors derived here; exit 1 if one differs.

SymPy derives the metric, the Christoffel symbols, the projector Q and nabla-bar = nabla + (nabla Q) as they are defined in de
Leon, Martin de Diego and Santamaria (2004), section 5; the reaction comes from the equations with multipliers. Printed formulas
are compared at random points, and what is not printed must vanish there. Geodesics of the printed connection, integrated by RK4,
must be the nonholonomic motion that the program integrates.
"""

import json
import math
import os
import re
import subprocess
import sys

import numpy as np
import sympy as sp

PROGRAM = os.environ.get("RATTLEBACK", "build/rattleback")
TOLERANCE = 7e-16  # twice the largest that was measured, of formulas at five points each
GEODESIC_TOLERANCE = 8e-12  # likewise; the step of RK4 leaves that

P = {s: sp.Symbol(s) for s in "m I J R a g slope w".split()}
x, y, z, th, ph = sp.symbols("x y z theta phi")
dx, dy, dz, dth, dph = sp.symbols("x_dot y_dot z_dot theta_dot phi_dot")
m, I, J, R, a, g, slope = (P[s] for s in "m I J R a g slope".split())
VALUES = {m: 1.3, I: 0.7, J: 0.4, R: 0.6, a: 0.45, g: 9.81, slope: 0.5, P["w"]: 2.0}
CENTRE = (dx - a * sp.sin(th) * dth, dy + a * sp.cos(th) * dth)
BLADE = dx * sp.sin(th) - dy * sp.cos(th)
SYSTEMS = {
    "nonholonomic_particle": ((x, y, z), (dx, dy, dz), (dx**2 + dy**2 + dz**2) / 2, x**2 + y**2, [dz - y * dx]),
    "chaplygin_sleigh": ((x, y, th), (dx, dy, dth), m / 2 * (CENTRE[0] ** 2 + CENTRE[1] ** 2) + I / 2 * dth**2, 0, [BLADE]),
    "rolling_disk": ((x, y, th, ph), (dx, dy, dth, dph), m / 2 * (dx**2 + dy**2) + I / 2 * dth**2 + J / 2 * dph**2, 0,
                     [dx - R * sp.cos(ph) * dth, dy - R * sp.sin(ph) * dth]),
    "knife_edge": ((x, y, th), (dx, dy, dth), m / 2 * (dx**2 + dy**2) + I / 2 * dth**2, -m * g * sp.sin(slope) * x, [BLADE]),
}  # fmt: skip


def derived(q, v, T, V, phi):
    """By name: what each tensor's components must be. Names as they are printed."""
    n, name = len(q), [str(c) for c in q]
    G = sp.Matrix([T]).jacobian(v).jacobian(v)
    mu = sp.Matrix(phi).jacobian(v)
    inverse = G.inv()
    Q = inverse * mu.T * (mu * inverse * mu.T).inv() * mu
    gamma = lambda i, j, k: sum(
        inverse[i, l] * (G[l, j].diff(q[k]) + G[l, k].diff(q[j]) - G[j, k].diff(q[l])) for l in range(n)
    ) / 2
    symbols = [[[gamma(i, j, k) for k in range(n)] for j in range(n)] for i in range(n)]
    slope_of_Q = lambda i, j, k: Q[i, k].diff(q[j]) + sum(
        symbols[i][j][l] * Q[l, k] - symbols[l][j][k] * Q[i, l] for l in range(n)
    )
    out = {}
    for i in range(n):
        for j in range(n):
            out[f"Q^{name[i]}_{name[j]}"] = Q[i, j]
            if i <= j:
                out[f"g_{{{name[i]} {name[j]}}}"] = G[i, j]
            for k in range(n):
                if j <= k:
                    out[f"Gamma^{name[i]}_{{{name[j]} {name[k]}}}"] = symbols[i][j][k]
                out[f"Gammabar^{name[i]}_{{{name[j]} {name[k]}}}"] = symbols[i][j][k] + slope_of_Q(i, j, k)
    V = sp.sympify(V)
    push = inverse * -sp.Matrix([V]).jacobian(q).T
    # Equations with multipliers: G acc + (dG/dt) v - T_q + V_q = -mu^T l, d/dt (mu v) = 0. lambda = -G^-1 mu^T l.
    rate = lambda f: sum((f.diff(c) * w for c, w in zip(q, v)), sp.Integer(0))
    bias = G.applyfunc(rate) * sp.Matrix(v) - sp.Matrix([T - V]).jacobian(q).T
    l = (mu * inverse * mu.T).inv() * (mu * inverse * -bias + mu.applyfunc(rate) * sp.Matrix(v))
    reaction = -inverse * mu.T * l
    for i in range(n):
        out[f"lambda^{name[i]}"] = reaction[i]
        out[f"W^{name[i]}"] = (push - Q * push)[i]
    return out


def printed(model):
    words = [PROGRAM, "check", model, "--equations"]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^  ((?:g|Q|Gamma|Gammabar|lambda|W)[_^][^=]*) = (.*)$", text, re.M)
    return {left: right.replace("'", "_dot").replace("^", "**") for left, right in lines}


def compare(model):
    q, v, T, V, phi = SYSTEMS[model]
    want, got = derived(q, v, T, V, phi), printed(model)
    unknown = set(got) - set(want)
    worst, names = 0, [str(s) for s in (*q, *v, *P.values())]
    random = np.random.default_rng(4)
    functions = {key: (sp.lambdify(names, e), eval(f"lambda {', '.join(names)}: " + got.get(key, "0"), vars(math).copy()))
                 for key, e in want.items()}  # fmt: skip
    for _ in range(5):
        at = [*random.uniform(-0.9, 0.9, 2 * len(q)), *(VALUES[s] for s in P.values())]
        for key, (ours, theirs) in functions.items():
            worst = max(worst, abs(ours(*at) - theirs(*at)) / max(1, abs(ours(*at))))
    if unknown or not worst <= TOLERANCE:
        print(f"{model}: formulas off by {worst:.2g}, unknown {sorted(unknown)}")
        return False, worst, len(got)
    return True, worst, len(got)


def geodesic(model, until):
    """q'' = -Gammabar q' q' + W by RK4 with the printed formulas, and the program's run."""
    words = [PROGRAM, "run", model, "-m", "dop853:tol=1e-14", "--until", str(until), "-s", str(until / 10)]
    run = json.loads(subprocess.run([*words, "--json"], check=True, capture_output=True, text=True).stdout)
    first = subprocess.run([*words, "-o", "-"], check=True, capture_output=True, text=True).stdout.splitlines()
    start = dict(zip(first[0].split(","), map(float, first[1].split(","))))
    q, _, _, _, _ = SYSTEMS[model]
    names, got = [str(c) for c in q], printed(model)
    parameters = defaults(model)
    symbols = []
    for key, text in got.items():
        if key.startswith(("Gammabar", "W^")):
            i, *jk = re.findall(r"[a-z]+", key.removeprefix("Gammabar").removeprefix("W"))
            function = eval(f"lambda {', '.join(names)}: " + text, vars(math) | parameters)
            symbols.append((names.index(i), [names.index(c) for c in jk], function))

    def slope_of(state):
        position, velocity = state[: len(q)], state[len(q) :]
        force = np.zeros(len(q))
        for i, jk, function in symbols:
            force[i] += (-1 if jk else 1) * function(*position) * np.prod([velocity[c] for c in jk])
        return np.concatenate([velocity, force])

    state = np.array([start[c] for c in names] + [start[c + "'"] for c in names])
    steps = 1000
    h = until / steps
    for _ in range(steps):
        k1 = slope_of(state)
        k2 = slope_of(state + h / 2 * k1)
        k3 = slope_of(state + h / 2 * k2)
        k4 = slope_of(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.max(np.abs(state - np.array(run["q"] + run["v"])))


def defaults(model):
    text = subprocess.run([PROGRAM, "gallery", model], check=True, capture_output=True, text=True).stdout
    values = {}
    block = re.search(r"\[parameters\](.*?)\n\[", text, re.S)
    for name, value in re.findall(r"^(\w+)\s*=\s*([^#\n]+)", block[1] if block else "", re.M):
        values[name] = eval(value.strip().strip('"').replace("^", "**"), vars(math) | values)
    return values


def main():
    good = True
    for model in SYSTEMS:
        ok, formulas, count = compare(model)
        off = geodesic(model, 1.0)
        if not off <= GEODESIC_TOLERANCE:
            print(f"{model}: geodesics off by {off:.2g}")
        good &= ok and off <= GEODESIC_TOLERANCE
        print(f"{model}: {count} components, largest difference {formulas:.2g}; geodesic and run differ by {off:.2g}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
