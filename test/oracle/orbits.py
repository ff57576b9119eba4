"""Periodic orbits against SciPy and closed forms; exit 1 if one fails.

Each problem is typed again here, as Hamilton's equations; SymPy derives the variational equations. DOP853 follows the
orbit that `solve` found for its period, together with the fundamental matrix: the motion must come back, the matrix must
be the monodromy matrix, and its eigenvalues the multipliers. Periods are compared with elliptic integrals, with Kepler's
third law and with the literature.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.special import ellipk

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))


def solve(text):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "orbit.toml")
        with open(file, "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([PROGRAM, "solve", file, "--json"], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def model(names, hamiltonian, q, p, time, until):
    n = names.split()
    return (f"coordinates = {json.dumps(n)}\n[mechanics]\nhamiltonian = \"{hamiltonian.replace('**', '^')}\"\n[boundary]\n"
            f"periodic = true\ntime = {json.dumps(time)}\n[initial]\nq = {q}\np = {p}\n[run]\nuntil = {until}\n")


class Flow:
    """Hamilton's equations of H(q, p, t) and those of their variations."""

    def __init__(self, names, hamiltonian):
        q = [sp.Symbol(n) for n in names.split()]
        p = [sp.Symbol("p_" + n) for n in names.split()]
        t, x = sp.Symbol("t"), q + p
        H = sp.sympify(hamiltonian, locals={str(s): s for s in [*x, t]} | {"hypot": lambda a, b: sp.sqrt(a**2 + b**2)})
        rates = sp.Matrix([sp.diff(H, each) for each in p] + [-sp.diff(H, each) for each in q])
        self.n = len(x)
        self.rates = sp.lambdify((t, x), list(rates))
        self.slopes = sp.lambdify((t, x), rates.jacobian(x))

    def after(self, x0, time):
        n = self.n

        def rate(t, y):
            return np.concatenate([self.rates(t, y[:n]), (np.array(self.slopes(t, y[:n])) @ y[n:].reshape(n, n)).ravel()])

        end = solve_ivp(rate, (0, time), np.concatenate([x0, np.eye(n).ravel()]), "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
        return end[:n], end[n:].reshape(n, n)


MU = 0.012150585
BODIES = "x1 x2 x3 y1 y2 y3"
EIGHT = ("(p_x1**2 + p_x2**2 + p_x3**2 + p_y1**2 + p_y2**2 + p_y3**2)/2 - 1/hypot(x1 - x2, y1 - y2) - 1/hypot(x1 - x3, y1 - y3)"
         " - 1/hypot(x2 - x3, y2 - y3)")
# names, H, a guess of q and p, the period or "free", how far returns are looked for
ORBITS = {
    "pendulum": ("a", "p_a**2/2 - cos(a)", [2], [0.0], "free", 10),
    "pendulum of period 8": ("a", "p_a**2/2 - cos(a)", [2], [0.0], 8.0, 10),
    "Kepler, period 7": ("x y", "(p_x**2 + p_y**2)/2 - 1/hypot(x, y)", [1, 0], [0, 1.1], 7.0, 10),
    "Henon-Heiles": ("x y", "(p_x**2 + p_y**2)/2 + (x**2 + y**2)/2 + x**2*y - y**3/3", [0, 0.3], [0.42, 0], "free", 10),
    "Lyapunov orbit": ("x y", f"(p_x**2 + p_y**2)/2 + y*p_x - x*p_y - {1 - MU!r}/hypot(x + {MU}, y) - {MU}/hypot(x - {1 - MU!r}, y)",
                       [0.8226, 0], [0, 0.9566], 2.75, 3),
    "driven pendulum": ("a", "p_a**2/2 - cos(a) - a*cos(2*t)/5", [0.1], [0.0], 2 * math.pi / 2, 10),
    "figure eight": (BODIES, EIGHT, [0.97, -0.97, 0, -0.243, 0.243, 0], [0.466, 0.466, -0.932, 0.4325, 0.4325, -0.865], "free", 7),
}


def main():
    failed = 0

    def expect(what, off, limit):
        nonlocal failed
        good = bool(off <= limit)
        failed += not good
        print(f"{what:48} {'ok' if good else 'WRONG'}  off by {off:.1e}, limit {limit:.0e}")

    found = {}
    for name, (names, H, q, p, time, until) in ORBITS.items():
        s = found[name] = solve(model(names, H, q, p, time, until))
        x0 = np.array(s["q0"] + s["p0"])
        end, M = Flow(names, H).after(x0, s["period"])
        expect(f"{name}: comes back", np.max(np.abs(end - x0)), 2e-12)
        expect(f"{name}: monodromy matrix", np.max(np.abs(M - s["monodromy"])) / np.max(np.abs(M)), 4e-12)
        # Those of conserved quantities are 1 in blocks of Jordan's form, which rounding splits.
        own, theirs = np.linalg.eigvals(M), np.array([complex(*m) for m in s["multipliers"]])
        for m in own[np.abs(own - 1) > 1e-2]:
            expect(f"{name}: multiplier {m:.6g}", np.min(np.abs(theirs - m)) / abs(m), 2e-9)
        product = np.prod(theirs)
        expect(f"{name}: product of the multipliers", abs(product - 1), 2e-9)
    expect("pendulum: 4 K(sin 1)", abs(found["pendulum"]["period"] - 4 * ellipk(math.sin(1) ** 2)), 4e-14)
    s = found["pendulum of period 8"]
    amplitude = math.acos(-s["energy"])
    expect("pendulum of period 8: 4 K of its amplitude", abs(4 * ellipk(math.sin(amplitude / 2) ** 2) - 8), 4e-14)
    expect("Kepler: the third law", abs(found["Kepler, period 7"]["energy"] + (2 * math.pi / 7) ** (2 / 3) / 2), 1e-14)
    # Simo 2002: 6.32591398292621 at the energy -1.287141991...; periods go like |E|^(-3/2).
    s = found["figure eight"]
    a, b, vx, vy = 0.97000435669734, -0.24308753153583, -0.93240737144104, -0.86473146092102
    energy = 1.5 * (vx**2 + vy**2) / 2 - 2 / math.hypot(a, b) - 1 / (2 * math.hypot(a, b))
    expect("figure eight: Simo's period", abs(s["period"] * (s["energy"] / energy) ** 1.5 - 6.32591398292621), 2e-13)
    turns = sorted({round(abs(math.atan2(m[1], m[0])) / (2 * math.pi), 9) for m in s["multipliers"] if abs(m[1]) > 1e-3})
    expect("figure eight: Simo's multipliers", np.max(np.abs(np.subtract(turns, [0.008422724, 0.298092529]))), 1e-8)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
