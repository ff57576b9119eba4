"""Control of mechanics with velocity constraints; exit 1 where `solve` finds something else.

`solve` works with the velocities that constraints leave. Here SymPy makes the equations of d'Alembert in all coordinates,
with the constraints and their multipliers, and SciPy integrates them with the inputs that `solve` found, between nodes
by splines: the body must move as `solve` says. Costs are compared with those of equations that were reduced by hand:
the gallery's snakeboard_gait, and a vehicle for the solver of _collocation.py.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp
from _collocation import Problem, optimum
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

# coordinates, Lagrangian, forces, inputs, constraints; cost, ends and time for `solve`
MODELS = {
    "snakeboard": {
        "q": "x y theta psi phi", "u": "torque twist",
        "L": "(x'^2 + y'^2)/2 + 0.1*theta'^2 + 0.1*psi'^2 + 0.05*phi'^2",
        "force": {"theta": "-torque", "psi": "torque", "phi": "twist"},
        "constraints": ["x'*sin(theta + phi) - y'*cos(theta + phi) + 0.3*theta'*cos(phi)",
                        "x'*sin(theta - phi) - y'*cos(theta - phi) - 0.3*theta'*cos(phi)"],
        "cost": "(torque^2 + twist^2)/2", "time": 4,
        "from": ({"x": 0, "y": 0, "theta": 0, "psi": 0, "phi": 0}, {"x": 0, "y": 0, "theta": 0, "psi": 0, "phi": 0}),
        "to": ({"x": 1, "y": 0, "theta": 0, "psi": 0, "phi": 0}, {"x": 0, "y": 0, "theta": 0, "psi": 0, "phi": 0})},
    "vehicle": {
        "q": "x y theta phi", "u": "F N",
        "L": "(x'^2 + y'^2)/2 + theta'^2/10 + phi'^2/40",
        "force": {"x": "F*cos(theta)", "y": "F*sin(theta)", "phi": "N"},
        "constraints": ["x'*sin(theta) - y'*cos(theta)",
                        "x'*sin(theta + phi) - y'*cos(theta + phi) - theta'*cos(phi)/2"],
        "cost": "(F^2 + 10*N^2)/2 + (x'^2 + y'^2)/20", "time": 3,
        "from": ({"x": 0, "y": 0, "theta": 0, "phi": 0}, {"x": 0, "y": 0, "theta": 0, "phi": 0}),
        "to": ({"x": 1, "y": 1, "theta": "pi/2", "phi": 0}, {"x": 0, "y": 0.5, "theta": 0, "phi": 0})},
    "a disk on a turntable": {
        "q": "x y theta psi", "u": "a b",
        "L": "(x'^2 + y'^2)/2 + theta'^2/8 + psi'^2/4",
        "force": {"theta": "a", "psi": "b"},
        "constraints": ["x' - psi'*cos(theta) + y/5", "y' - psi'*sin(theta) - x/5"],
        "cost": "(a^2 + b^2)/2", "time": 3,
        "from": ({"x": 0, "y": 0, "theta": 0, "psi": 0}, {"theta": 0, "psi": 0}),
        "to": ({"x": 1, "y": 0.5, "theta": 0}, {"theta": 0, "psi": 0})},
    "a sled with its mass behind the runner": {  # one constraint, each coefficient of three of (x, y, theta) but one moves
        "q": "x y theta", "u": "F N",
        "L": "(x'^2 + y'^2)/2 + theta'^2/4 + theta'*(y'*cos(theta) - x'*sin(theta))/5",
        "force": {"x": "F*cos(theta)", "y": "F*sin(theta)", "theta": "N"},
        "constraints": ["y'*cos(theta) - x'*sin(theta) + theta'/10"],
        "cost": "(F^2 + N^2)/2", "time": 2,
        "from": ({"x": 0, "y": 0, "theta": 0}, {"x": 0, "y": 0, "theta": 0}),
        "to": ({"x": 0.5, "y": 0.5, "theta": 0}, {"x": 0, "y": 0, "theta": 0})},
}
LIMIT = 1.1e-7  # splines through 400 nodes; the snakeboard, that of snakeboard_gait.py


def table(values):
    return "{ " + ", ".join(f'{k} = "{v}"' for k, v in values.items()) + " }"


def text(m):
    names = ", ".join(f'"{q}"' for q in m["q"].split())
    inputs = ", ".join(f'"{u}"' for u in m["u"].split())
    rows = ", ".join(f'"{c}"' for c in m["constraints"])
    ends = "".join(f'{end} = {{ q = {table(m[end][0])}, v = {table(m[end][1])} }}\n' for end in ("from", "to"))
    return (f'coordinates = [{names}]\n[mechanics]\nlagrangian = "{m["L"]}"\nforce = {table(m["force"])}\n'
            f'[constraints]\nvelocity = [{rows}]\n[control]\ninputs = [{inputs}]\ncost = "{m["cost"]}"\n'
            f'[boundary]\n{ends}time = {m["time"]}\n')


def run(*arguments):
    return subprocess.run([PROGRAM, "solve", *arguments], capture_output=True, text=True, check=True,
                          timeout=120).stdout


def accelerations(m):
    """Matrix and right-hand side of (q'', multipliers) = f(q, q', u)."""
    q, u = sp.symbols(m["q"]), sp.symbols(m["u"])
    v = [sp.Symbol("rate_" + a.name) for a in q]

    def read(formula):
        for a in q:
            formula = formula.replace(a.name + "'", "rate_" + a.name)
        return sp.sympify(formula.replace("^", "**"), locals={a.name: a for a in [*q, *u, *v]})

    L = read(m["L"])
    force = sp.Matrix([read(m["force"].get(a.name, "0")) for a in q])
    rows = sp.Matrix([read(c) for c in m["constraints"]])
    A, mass = rows.jacobian(v), sp.hessian(L, v)
    carried = sp.Matrix([L.diff(a) for a in v]).jacobian(q) * sp.Matrix(v)
    top = sp.Matrix([L.diff(a) for a in q]) + force - carried
    matrix = sp.Matrix(sp.BlockMatrix([[mass, A.T], [A, sp.zeros(len(rows), len(rows))]]))
    rhs = sp.Matrix([*top, *(-rows.jacobian(q) * sp.Matrix(v))])
    return sp.lambdify([q, v, u], [matrix, rhs], "numpy")


def motion_is_right(name, m, file):
    rows = list(csv.DictReader(io.StringIO(run(file, "--steps", "400", "--quiet", "-o", "-"))))
    seen = {c: np.array([float(r[c]) for r in rows]) for c in rows[0]}
    q, n = m["q"].split(), len(m["q"].split())
    inputs = [CubicSpline(seen["t"], seen[c]) for c in m["u"].split()]
    equations = accelerations(m)

    def rates(t, z):
        matrix, rhs = equations(z[:n], z[n:], [u(t) for u in inputs])
        return np.concatenate([z[n:], np.linalg.solve(matrix, rhs.ravel())[:n]])

    columns = [seen[c] for c in q] + [seen[c + "'"] for c in q]
    motion = solve_ivp(rates, (0, seen["t"][-1]), [c[0] for c in columns], "DOP853", t_eval=seen["t"], rtol=1e-11,
                       atol=1e-13)
    off = max(float(np.max(np.abs(a - b))) for a, b in zip(motion.y, columns))
    good = motion.success and off <= LIMIT
    print(f"{name:40} {'ok' if good else 'WRONG'}  the motion is off by {off:.1e}")
    return good


def cost_is_right(name, found, wanted, limit):
    off = abs(found - wanted)
    good = off <= limit
    print(f"{name:40} {'ok' if good else 'WRONG'}  cost {found:.13g}, off by {off:.1e}")
    return good


def cost(*arguments):
    return json.loads(run(*arguments, "--json", "--accuracy", "1e-11"))["cost"]


def vehicle_by_hand():
    """With the speed s and the steering rate w: x' = s cos(a), y' = s sin(a), a' = s tan(f)/l, l = 1/2."""
    pull = "(F - 4*s*w*tan(f)/(5*cos(f)**2))/(1 + 4*tan(f)**2/5)"
    p = Problem("x y a f s w", "F N", ["s*cos(a)", "s*sin(a)", "2*s*tan(f)", "w", pull, "20*N"],
                "(F**2 + 10*N**2)/2 + s**2/20", dict.fromkeys("x y a f s w".split(), 0),
                {"x": 1, "y": 1, "a": "pi/2", "f": 0, "s": 0.5, "w": 0}, 3)
    found, residual = optimum(p)
    assert residual < 1e-8
    return found


def main():
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, m in MODELS.items():
            file = os.path.join(folder, name.replace(" ", "_") + ".toml")
            with open(file, "w", encoding="utf-8") as f:
                f.write(text(m))
            good &= motion_is_right(name, m, file)
            if name == "snakeboard":
                good &= cost_is_right(name, cost(file), cost("snakeboard_gait"), 2e-11)
            if name == "vehicle":
                good &= cost_is_right(name, cost(file), vehicle_by_hand(), 1e-9)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
