"""The discrete problems of type2, each minimised by SciPy; exit 1 if one fails.

Sum of h L_d is least with q_{k+1} = q_k + h Gamma_d, where L_d and Gamma_d are quadratures between q_k and q_{k+1}, with
an input at every node of them or one for the whole step. The problem is typed again here; SLSQP finds the least cost over
all states and inputs at once, with gradients by complex steps: no costate, no Hamiltonian. The path and the cost that
`solve -m type2:...` finds must be the same, and so must costates: p_0 is how the least cost changes with q_0.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import minimize

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

# A unicycle that a wind moves, and that pays for its place.
MODEL = """coordinates = ["x", "y", "a"]
[control]
inputs   = ["v", "w"]
dynamics = {{ x = "v*cos(a)", y = "v*sin(a) + x^2/4 + sin(t)/5", a = "w" }}
cost     = "(v^2 + w^2)/2 + v*w/4 + y^2*(1 + t)/3"
[boundary]
from = {start}
to   = [1, 0.5, -0.3]
time = 2
"""
START, END, TIME, STEPS = np.array([0, 0, 0.2]), np.array([1, 0.5, -0.3]), 2, 6


def gamma(t, q, u):
    return np.array([u[0] * np.cos(q[2]), u[0] * np.sin(q[2]) + q[0]**2 / 4 + np.sin(t) / 5, u[1]])


def cost(t, q, u):
    return (u[0]**2 + u[1]**2) / 2 + u[0] * u[1] / 4 + q[1]**2 * (1 + t) / 3


LEFT, RIGHT, MIDDLE, ENDS, THIRD = [(0, 1)], [(1, 1)], [(0.5, 1)], [(0, 0.5), (1, 0.5)], [(1 / 3, 1)]  # (place, weight)
CASES = [  # options; nodes of the cost and of the dynamics; one input a step
    ("", LEFT, LEFT, False),
    (":quadrature=right", RIGHT, RIGHT, False),
    (":quadrature=midpoint", MIDDLE, MIDDLE, False),
    (":quadrature=trapezoid", ENDS, ENDS, False),
    (":quadrature=trapezoid:inputs=step", ENDS, ENDS, True),
    (":quadrature=alpha:alpha=1/3", THIRD, THIRD, False),
    (":cost=trapezoid", ENDS, LEFT, True),
    (":cost=midpoint:dynamics=trapezoid", MIDDLE, ENDS, True),
    (":cost=right:dynamics=midpoint", RIGHT, MIDDLE, True),
    (":cost=alpha:alpha=1/3:dynamics=right", THIRD, RIGHT, True),
]


class Discrete:
    """All states between the ends, then the inputs: STEPS times as many as there are nodes, or as steps."""

    def __init__(self, of_cost, of_dynamics, one_input, start):
        self.cost_nodes, self.dynamics_nodes, self.one_input, self.start = of_cost, of_dynamics, one_input, start
        self.inputs = 1 if one_input else len(of_cost)
        self.size = 3 * (STEPS - 1) + 2 * STEPS * self.inputs

    def parts(self, z):
        q = np.vstack([self.start, z[:3 * (STEPS - 1)].reshape(-1, 3), END])
        return q, z[3 * (STEPS - 1):].reshape(STEPS, self.inputs, 2)

    def sampled(self, f, nodes, k, q, u):
        h = TIME / STEPS
        return h * sum(w * f((k + c) * h, (1 - c) * q[k] + c * q[k + 1], u[k][0 if self.one_input else i])
                       for i, (c, w) in enumerate(nodes))

    def value(self, z):
        q, u = self.parts(z)
        return sum(self.sampled(cost, self.cost_nodes, k, q, u) for k in range(STEPS))

    def defects(self, z):
        q, u = self.parts(z)
        return np.concatenate(
            [q[k] + self.sampled(gamma, self.dynamics_nodes, k, q, u) - q[k + 1] for k in range(STEPS)])

    def slope(self, f, z):
        rows = [np.imag(f(z + 1e-30j * np.eye(self.size)[i])) / 1e-30 for i in range(self.size)]
        return np.array(rows).T

    def least(self, guess):
        found = minimize(self.value, guess, jac=lambda z: self.slope(self.value, z), method="SLSQP",
                         constraints={"type": "eq", "fun": self.defects, "jac": lambda z: self.slope(self.defects, z)},
                         options={"ftol": 1e-15, "maxiter": 500})
        return found.x, found.fun, np.max(np.abs(self.defects(found.x)))


def solve(options):
    with tempfile.TemporaryDirectory() as folder:
        file, out = os.path.join(folder, "model.toml"), os.path.join(folder, "path.csv")
        with open(file, "w", encoding="utf-8") as f:
            f.write(MODEL.format(start=START.tolist()))
        done = subprocess.run([PROGRAM, "solve", file, "-m", "type2" + options, "--steps", str(STEPS), "--json",
                               "-o", out], capture_output=True, text=True, check=False, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        with open(out, encoding="utf-8") as f:
            rows = list(csv.DictReader(io.StringIO(f.read())))
    return json.loads(done.stdout), np.array([[float(r[n]) for n in ("x", "y", "a")] for r in rows])


def main():
    failed = 0

    def expect(what, off, limit):
        nonlocal failed
        good = bool(off <= limit)
        failed += not good
        print(f"{what:52} {'ok' if good else 'WRONG'}  off by {off:.1e}, limit {limit:.0e}")

    costs = {}
    for options, of_cost, of_dynamics, one_input in CASES:
        name = "type2" + options
        said, path = solve(options)
        problem = Discrete(of_cost, of_dynamics, one_input, START)
        line = np.linspace(START, END, STEPS + 1)[1:-1].ravel()
        guess = np.concatenate([line, np.full(2 * STEPS * problem.inputs, 0.3)])
        best, least, off = problem.least(guess)
        expect(f"{name}: SciPy keeps the dynamics", off, 3e-16)
        q, u = problem.parts(best)
        expect(f"{name}: path", np.max(np.abs(path - q)), 2.2e-8)
        expect(f"{name}: cost", abs(said["cost"] - least), 2e-15)
        inputs = np.concatenate([said["u_first"], said["u_last"]])
        expect(f"{name}: inputs", np.max(np.abs(inputs - np.concatenate([u[0][0], u[-1][-1]]))), 7e-8)
        slope = []
        for i in range(3):
            ends = [Discrete(of_cost, of_dynamics, one_input, START + s * 1e-3 * np.eye(3)[i]).least(best)[1]
                    for s in (1, -1)]
            slope.append((ends[0] - ends[1]) / 2e-3)
        expect(f"{name}: costates at the start", np.max(np.abs(slope - np.array(said["p0"]))), 3.2e-6)
        expect(f"{name}: a minimum", 0 if said["verdict"] == "minimum" else np.inf, 0)
        costs[name] = least
    apart = np.diff(sorted(costs.values()))
    expect("discrete problems differ", 0 if np.min(apart) > 1e-4 else np.inf, 0)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
