"""Paths of singular control problems against Pontryagin's equations written by hand; exit 1 if one fails.

SymPy differentiates H_u = 0 until the inputs appear and solves for them; from the start that `solve` prints, DOP853 must
follow these equations to the end, with the same cost, the conditions of the ends and H_u = 0 on the way. Linear-quadratic
problems also have their two ends solved by a matrix exponential, from nothing but the matrices.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.linalg import expm, null_space

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))
failed = False


def check(name, error, bound):
    global failed
    good = bool(error <= bound)
    failed |= not good
    print(f"{'ok  ' if good else 'FAIL'} {name}: {error:.2e} (bound {bound:.0e})")


def solve(text, *options, code=0):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "singular.toml")
        with open(file, "w") as to:
            to.write(text)
        done = subprocess.run([PROGRAM, "solve", file, "--json", *options], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"exit code {done.returncode} in place of {code}: {done.stderr}")
    return json.loads(done.stdout)


def table(values):
    return "{ " + ", ".join(f'{k} = "{v}"' for k, v in values.items()) + " }"


def model(q, u, dynamics, cost, start, end, time):
    return (
        f"coordinates = {json.dumps(q)}\n[control]\ninputs = {json.dumps(u)}\n"
        f"dynamics = {table(dict(zip(q, dynamics)))}\ncost = \"{cost}\"\n"
        f"[boundary]\nfrom = {table(start)}\nto = {table(end)}\ntime = {time}\n"
    )


class Pontryagin:
    """H = L + p . Gamma; constraints of (t, q, p) and u, by derivatives of H_u = 0."""

    def __init__(self, q, u, dynamics, cost):
        self.n = len(q)
        names = {name: sp.Symbol(name) for name in [*q, *u, "t"]}
        read = lambda text: sp.sympify(text.replace("^", "**"), locals=names)
        x, inputs, t = [names[k] for k in q], [names[k] for k in u], names["t"]
        p = [sp.Symbol("p_" + k) for k in q]
        L = read(cost)
        H = L + sum(a * read(b) for a, b in zip(p, dynamics))
        w = x + p
        flow = [sp.diff(H, a) for a in p] + [-sp.diff(H, a) for a in x]
        rate = lambda f: sp.diff(f, t) + sum(sp.diff(f, a) * b for a, b in zip(w, flow))
        self.phi, equations = [], []
        for a in inputs:
            f = sp.diff(H, a)
            while not f.has(*inputs):
                self.phi.append(f)
                f = sp.expand(rate(f))
            equations.append(f)
        found = sp.solve(equations, inputs, dict=True)[0]
        at = lambda f: sp.lambdify([t, *w], f.subs(found) if hasattr(f, "subs") else f, "numpy")
        self.flow = at(sp.Matrix(flow + [L]))
        self.constraints = at(sp.Matrix(self.phi))

    def follow(self, q0, p0, time):
        rhs = lambda t, y: np.array(self.flow(t, *y[:-1]), float).ravel()
        run = solve_ivp(rhs, (0, time), [*q0, *p0, 0.0], method="DOP853", rtol=1e-13, atol=1e-14)
        off = max(np.max(np.abs(self.constraints(t, *y[:-1]))) for t, y in zip(run.t, run.y.T))
        last = run.y[:, -1]
        return last[: self.n], last[self.n : -1], last[-1], off


def compare(name, q, u, dynamics, cost, start, end, time, bound=1e-13):
    path = solve(model(q, u, dynamics, cost, start, end, time), "--accuracy", "1e-11")
    q1, p1, spent, off = Pontryagin(q, u, dynamics, cost).follow(path["q0"], path["p0"], path["time"])
    misses = [abs(path["q0"][q.index(k)] - v) for k, v in start.items()]
    misses += [abs(q1[q.index(k)] - v) for k, v in end.items()]
    misses += [abs(path["p0"][i]) for i, k in enumerate(q) if k not in start]
    misses += [abs(p1[i]) for i, k in enumerate(q) if k not in end]
    check(f"{name}: the ends, by DOP853", max(misses), bound)
    check(f"{name}: H_u = 0 and what it hides", off, bound)
    check(f"{name}: the cost", abs(path["cost"] - spent), bound)
    if path["verdict"] != "minimum":
        check(f"{name}: the verdict is {path['verdict']}", 1, 0)


def linear_quadratic(seed):
    """x' = A x + b u, x^T Q x / 2: with c = b^T p and its rate, two conditions of (x, p); u from the next rate."""
    random = np.random.default_rng(seed)
    n = 3
    A, b = random.normal(size=(n, n)), np.array([[0.0], [0.0], [1.0]])
    Q = np.eye(n) + 0.3 * (lambda m: m + m.T)(random.normal(size=(n, n)) / 2)
    Z = np.block([[A, np.zeros((n, n))], [-Q, -A.T]])  # without u
    B = np.vstack([b, np.zeros((n, 1))])
    phi = np.hstack([np.zeros((1, n)), b.T])
    psi = phi @ Z
    closed = Z - B @ (psi @ Z) / (psi @ B)  # u = -psi Z w / (psi B)
    ends = np.zeros((2, 2 * n))
    ends[0, 0] = ends[1, 1] = 1  # the first two coordinates at either end
    time, x0, x1 = 1.0, np.array([1.0, -0.5]), np.array([0.2, 0.4])
    # On the set phi = psi = 0, of dimension 4: two conditions at each end.
    basis = null_space(np.vstack([phi, psi]))
    after = expm(closed * time) @ basis
    start = basis @ np.linalg.solve(np.vstack([ends @ basis, ends @ after]), np.concatenate([x0, x1]))
    names = ["x", "y", "z"]
    formula = lambda row: " + ".join(f"({float(a)!r})*{k}" for a, k in zip(row, names))
    dynamics = [formula(A[0]), formula(A[1]), formula(A[2]) + " + u"]
    cost = " + ".join(f"({float(Q[i, j])!r})*{names[i]}*{names[j]}/2" for i in range(n) for j in range(n))
    path = solve(model(names, ["u"], dynamics, cost, dict(zip(names, x0)), dict(zip(names, x1)), time))
    w = np.array(path["q0"] + path["p0"])
    check(f"linear-quadratic {seed}: the start", np.max(np.abs(w - start)) / np.max(np.abs(start)), 4e-14)
    grid = np.linspace(0, time, 401)
    states = np.array([expm(closed * t) @ start for t in grid])
    L = np.einsum("ki,ij,kj->k", states[:, :n], Q, states[:, :n]) / 2
    simpson = (L[0] + L[-1] + 4 * L[1:-1:2].sum() + 2 * L[2:-1:2].sum()) * time / 400 / 3
    check(f"linear-quadratic {seed}: the cost", abs(path["cost"] - simpson) / abs(simpson), 1e-10)


def what_the_program_says():
    text = model(["x", "y"], ["u"], ["y", "u"], "(x^2 + y^2)/2", {"x": 1}, {"x": 0.5}, 2)
    path = solve(text)
    check("kelley in --json", abs(path["kelley"]["smallest"] - 1), 1e-13)
    check("last_set in --json", abs(path["last_set"] - 2), 0)
    check("no legendre in --json", float("legendre" in path), 0)
    lost = solve(model(["x", "y"], ["u"], ["y", "u"], "(x^2 + y^2)/2", {"x": 1, "y": -1}, {"x": 0.5}, 2), code=1)
    check("too many ends", float(lost["verdict"] != "infeasible"), 0)
    with tempfile.TemporaryDirectory() as folder:
        file, csv, page = (os.path.join(folder, k) for k in ("singular.toml", "path.csv", "page.html"))
        with open(file, "w") as to:
            to.write(text)
        subprocess.run([PROGRAM, "solve", file, "-o", csv, "--report", page], stdout=subprocess.DEVNULL, check=True)
        with open(csv) as rows:
            header = rows.readline().strip().split(",")
            first = dict(zip(header, map(float, rows.readline().split(","))))
        check("u in the CSV", abs(first["u"] - first["x"]), 1e-13)
        check("a page", float(os.path.getsize(page) < 1000), 0)


compare("oscillator", ["x", "y"], ["u"], ["y + x^2/3", "-sin(x) + (1 + y^2/4)*u"], "(x^2 + y^2)/2 + x^4/8", {"x": 1},
        {"x": -0.5}, 2)
compare("driven", ["x", "y"], ["u"], ["y", "u"], "(y^2 + (x - sin(t))^2)/2 + x^4/4", {"x": 1}, {}, 2)
compare("both kinds", ["x", "y", "z"], ["w", "u"], ["y", "u + z", "w + x*y/5"], "(x^2 + y^2 + w^2 + z^2)/2",
        {"x": 1, "z": 0}, {"x": 0.5, "z": 1}, 2)
compare("two inputs", ["x", "y", "a", "b"], ["u", "w"], ["a + b/2", "b + x*y/3", "u + w/2", "w - a"],
        "(x^2 + y^2 + a^2 + b^2 + a*b)/2", {"x": 1, "y": 0}, {"x": 0.5, "y": 1}, 2)
compare("longer chain", ["x", "y", "z"], ["u"], ["sin(y)", "z", "u - y"], "x^2/2 + y^2/2", {"x": 0.6}, {"x": 0.2}, 1)
for number in range(4):
    linear_quadratic(number)
what_the_program_says()
sys.exit(failed)
