"""Wavefronts against SciPy; exit 1 if one fails.

Each geometry is typed again here. SymPy derives Hamilton's equations of H = |p|^2/2 and their linearisation; DOP853
follows geodesics with the first momenta that `solve --wavefront` names. They must be where the wavefront says, the
derivative of their ends by their first momenta must lose its rank at the conjugate times and not before, and the other
geodesic that is said to meet one at its cut must be there at that time. Points of the sphere must be no nearer than its
radius: `solve` looks for shorter ways to some of them, points beyond their cut must have one.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

# coordinates; dynamics with inputs u and v; start; options
GEOMETRIES = {
    "unicycle": ("x y a", ["u*cos(a)", "u*sin(a)", "v"], [0, 0, 0.3],
                 ["--at", "2.5", "--directions", "16", "--fan", "p_y=-4:4:9"]),
    "Engel": ("x y z w", ["u", "v", "x*v", "x**2*v/2"], [0.2, 0, 0, 0],
              ["--at", "2", "--directions", "12", "--fan", "p_z=-3:3:3", "--fan", "p_w=-5:5:4"]),
    "Grushin off the line": ("x y", ["u", "x*v"], [-1, 0], ["--at", "4", "--directions", "40"]),
    "surface of revolution": ("r a", ["u", "v/(2 + cos(r))"], [0.4, 0], ["--at", "5", "--directions", "40"]),
}


def model_text(names, dynamics, start, end=None):
    q = names.split()
    power = lambda f: f.replace("**", "^")
    table = lambda values: "{ " + ", ".join(f"{n} = {float(v)!r}" for n, v in zip(q, values)) + " }"
    lines = [f"coordinates = {json.dumps(q)}", "[control]", 'inputs = ["u", "v"]']
    lines.append("dynamics = { " + ", ".join(f'{n} = "{power(f)}"' for n, f in zip(q, dynamics)) + " }")
    lines += ['cost = "(u^2 + v^2)/2"', "[boundary]", "from = " + table(start)]
    if end is not None:
        lines += ["to = " + table(end)]
    return "\n".join(lines + ["time = 1"]) + "\n"


def solve(text, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as f:
        f.write(text)
        f.flush()
        done = subprocess.run([PROGRAM, "solve", f.name, "--json", *options], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def field(names, dynamics):
    """Hamilton's equations with costates of the minimum principle, and their linearisation."""
    q = sp.symbols(names)
    p = sp.symbols(" ".join("p_" + n for n in names.split()))
    u, v = sp.symbols("u v")
    rates = [sp.sympify(f, locals={str(s): s for s in (*q, u, v)}) for f in dynamics]
    H = (u**2 + v**2) / 2 + sum(a * b for a, b in zip(p, rates))
    best = sp.solve([sp.diff(H, u), sp.diff(H, v)], [u, v])
    H = H.subs(best)
    z = [*q, *p]
    flow = [sp.diff(H, b) for b in p] + [-sp.diff(H, a) for a in q]
    f = sp.lambdify(z, flow, cse=True)
    J = sp.lambdify(z, sp.Matrix(flow).jacobian(z), cse=True)
    n = len(q)

    def rhs(t, s):
        M = s[2 * n:].reshape(2 * n, n)
        return np.concatenate([f(*s[:2 * n]), (np.array(J(*s[:2 * n]), float) @ M).ravel()])
    return rhs, n


def follow(rhs, n, start, p0, times):
    M = np.vstack([np.zeros((n, n)), np.eye(n)])
    s = np.concatenate([start, p0, M.ravel()])
    r = solve_ivp(rhs, [0, max(times)], s, method="DOP853", rtol=1e-11, atol=1e-12, dense_output=True)
    return [(x[:n], x[2 * n:].reshape(2 * n, n)[:n]) for x in (r.sol(t) for t in times)]


def smallest(M):
    """The least singular value of dq/dp0, rows and columns scaled to the sizes they have at that time."""
    M = M / np.linalg.norm(M, axis=1, keepdims=True)
    return np.linalg.svd(M / np.linalg.norm(M, axis=0, keepdims=True), compute_uv=False)[-1]


def check(name, geometry, front, wrong=1.0):
    """What is off, as words; wrong: times that the wavefront names are multiplied by it (a mutant)."""
    names, dynamics, start, _ = geometry
    rhs, n = field(names, dynamics)
    T, faults, worst = front["times"][-1], [], [0.0, 0.0, 0.0]
    for g in front["geodesics"][::3]:
        c, k = g["conjugate"] and wrong * g["conjugate"], g["cut"] and wrong * g["cut"]
        scan = np.linspace(0.15 * T, min(T, 0.999 * c if c else T), 60)
        found = follow(rhs, n, start, g["p0"], [T, c or T, k or T, *scan])
        worst[0] = max(worst[0], np.abs(found[0][0] - g["q"][-1]).max())
        signs = [np.sign(np.linalg.det(M)) for _, M in found[3:]]
        if len(set(signs)) > 1:
            faults.append(f"{name}: a conjugate point of {g['p0']} before {c}")
        if c:
            worst[1] = max(worst[1], smallest(found[1][1]))
        if k and g["p0_other"]:
            other = follow(rhs, n, start, g["p0_other"], [k])[0][0]
            worst[2] = max(worst[2], np.abs(other - found[2][0]).max())
            if np.abs(np.subtract(g["p0_other"], g["p0"])).max() < 1e-3:
                faults.append(f"{name}: {g['p0']} meets itself")
    # Measured: places 3.7e-10, ranks 4.8e-9, meetings 3.4e-10.
    for what, value, limit in zip(("places", "ranks", "meetings"), worst, (8e-10, 1e-8, 8e-10)):
        if value > limit:
            faults.append(f"{name}: {what} are off by {value:.2g}")
    return faults, worst


def main():
    faults = []
    for name, geometry in GEOMETRIES.items():
        front = solve(model_text(*geometry[:3]), "--wavefront", *geometry[3])
        own, worst = check(name, geometry, front)
        print(f"{name}: {len(front['geodesics'])} geodesics, places {worst[0]:.1e}, ranks {worst[1]:.1e}, meetings {worst[2]:.1e}")
        faults += own
        if not any(g["cut"] for g in front["geodesics"]) and name != "surface of revolution":
            faults.append(f"{name}: no cut at all")
        if name == "unicycle":
            if not check(name, geometry, front, 0.99)[0]:
                faults.append("a mutant, times 1 % too short, is not seen")
            faults += distances(geometry, front)
    for f in faults:
        print("FAILED", f)
    print(f"{len(GEOMETRIES)} geometries, {len(faults)} faults")
    return 1 if faults else 0


def distances(geometry, front):
    """The least cost of a path in time 1 is half the square of the distance."""
    names, dynamics, start, _ = geometry
    T, faults, tried = front["times"][-1], [], [0, 0]
    for g in front["geodesics"][::9]:
        on = g["sphere"][-1]
        margin = (g["cut"] or 2 * T) / T
        if 0.85 < margin < 1.15 or tried[on] >= 4:
            continue
        tried[on] += 1
        length = (2 * solve(model_text(names, dynamics, start, g["q"][-1]), "--starts", "60")["cost"]) ** 0.5
        if on and abs(length - T) > 1e-6 or not on and length > T - 1e-4:
            faults.append(f"{g['p0']}: on the sphere {on}, distance {length} of {T}")
    print(f"distances of {tried[1]} points of the sphere, of {tried[0]} beyond their cut")
    return faults


sys.exit(main())
