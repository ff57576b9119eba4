"""Optimal control from costates, against equations written by hand; exit 1 if one fails.

The unicycle: type2 and type2_sym with the inputs put in by hand, and the motion by SciPy. The double integrator has the
closed form u = 6 - 12 t, which leads from rest at 0 to rest at 1.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

UNICYCLE = """coordinates = ["x", "y", "theta"]
[control]
inputs = ["v", "w"]
dynamics = { x = "v*cos(theta)", y = "v*sin(theta)", theta = "w" }
cost = "(v^2 + w^2)/2 + v*w/4"
[initial]
q = [0, 0, 0.2]
p = [-1, -0.5, 0.3]
"""
INTEGRATOR = """coordinates = ["x", "v"]
[control]
inputs = ["u"]
dynamics = { x = "v", v = "u" }
cost = "u^2/2"
[initial]
q = [0, 0]
p = [-12, -6]
"""
START = np.array([0, 0, 0.2, -1, -0.5, 0.3])
WEIGHTS = np.array([[1, 0.25], [0.25, 1]])  # of the cost


def inputs(q, p):
    return -np.linalg.solve(WEIGHTS, [p[0] * np.cos(q[2]) + p[1] * np.sin(q[2]), p[2]])


def rates(q, p):
    """H_p and -H_q, with u from H_u = 0."""
    v, w = inputs(q, p)
    c, s = np.cos(q[2]), np.sin(q[2])
    return np.array([v * c, v * s, w]), np.array([0, 0, v * (p[0] * s - p[1] * c)])


def type2(q, p, h):
    p1 = fsolve(lambda z: z - p - h * rates(q, z)[1], p, xtol=1e-14)
    return q + h * rates(q, p1)[0], p1


def adjoint(q, p, h):
    q1 = fsolve(lambda z: z - q - h * rates(z, p)[0], q, xtol=1e-14)
    return q1, p + h * rates(q1, p)[1]


def run(text, method, step, steps):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.toml")
        with open(file, "w", encoding="utf-8") as f:
            f.write(text)
        out = subprocess.run([PROGRAM, "run", file, "-m", method, "-s", repr(step), "--steps", str(steps), "--json"],
                             capture_output=True, text=True, check=False, timeout=120)
    if out.returncode != 0:
        raise RuntimeError(out.stderr)
    end = json.loads(out.stdout)
    return np.array(end["q"] + end["p"]), np.array(end["u"])


def main():
    failed = 0

    def expect(what, got, wanted, limit):
        nonlocal failed
        off = float(np.max(np.abs(np.asarray(got) - np.asarray(wanted))))
        good = off <= limit
        failed += not good
        print(f"{what:40} {'ok' if good else 'WRONG'}  off by {off:.1e}, limit {limit:.0e}")

    h, steps = 0.1, 20
    q, p = START[:3], START[3:]
    for _ in range(steps):
        q, p = type2(q, p, h)
    z, u = run(UNICYCLE, "type2", h, steps)
    expect("unicycle, type2", z, np.concatenate([q, p]), 1e-13)  # measured 4e-16
    expect("unicycle, inputs", u, inputs(q, p), 1e-13)
    q, p = START[:3], START[3:]
    for _ in range(steps):
        q, p = adjoint(*type2(q, p, h / 2), h / 2)
    expect("unicycle, type2_sym", run(UNICYCLE, "type2_sym", h, steps)[0], np.concatenate([q, p]), 1e-13)
    motion = solve_ivp(lambda t, z: np.concatenate(rates(z[:3], z[3:])), (0, 2), START, "DOP853", rtol=1e-13, atol=1e-13)
    expect("unicycle, gauss:stages=4", run(UNICYCLE, "gauss:stages=4", 0.05, 40)[0], motion.y[:, -1], 1e-11)
    z, u = run(INTEGRATOR, "gauss:stages=3", 0.1, 10)
    expect("double integrator, gauss:stages=3", np.append(z, u), [1, 0, -12, 6, -6], 1e-12)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
