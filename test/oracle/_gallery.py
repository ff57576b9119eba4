"""What the cases of the gallery are written with: the program, a second derivation, a table of cases."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("RATTLEBACK", str(ROOT / "build" / "rattleback"))

t = sp.Symbol("t")
sin, cos, exp, sqrt, log, pi = sp.sin, sp.cos, sp.exp, sp.sqrt, sp.log, sp.pi


# --- the program -----------------------------------------------------------------------------------------------------


def rattleback(verb, name, *options):
    model = str(ROOT / "models" / f"{name}.toml")
    done = subprocess.run([PROGRAM, verb, model, *map(str, options)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{verb} {' '.join(map(str, options))}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def run(name, *options):
    return json.loads(rattleback("run", name, "--json", *options))


def columns(name, wanted, *options):
    lines = rattleback("run", name, "--quiet", "-o", "-", "--columns", ",".join(wanted), *options).splitlines()
    return np.array([[float(x) for x in line.split(",")] for line in lines[1:]]).T


def on_groups(text):
    """Models that groups.py checks."""
    return "[group]" in text or " in SO(" in text or " in SE(" in text


def state(summary):
    return np.array(summary.get("z") or summary["q"] + summary["v"])


# --- the other derivation --------------------------------------------------------------------------------------------


def lagrangian(count, formula, force=None):
    """y' of y = (q, v) from L(q, v) and F(q, v), by d/dt L_v = L_q + F."""
    q, v = sp.symbols(f"q:{count}"), sp.symbols(f"v:{count}")
    L = sp.sympify(formula(q, v))
    momentum = sp.Matrix([L]).jacobian(v).T
    metric = momentum.jacobian(v)
    rest = sp.Matrix([L]).jacobian(q).T - momentum.jacobian(q) * sp.Matrix(v) - momentum.diff(t)
    if force:
        rest += sp.Matrix(force(q, v))
    both = sp.lambdify((t, *q, *v), [metric, rest], "numpy", cse=True)

    def rate(time, y):
        M, f = both(time, *y)
        return np.concatenate([y[count:], np.linalg.solve(M, f).ravel()])

    return rate


def hamiltonian(count, formula):
    """y' of y = (q, p)."""
    q, p = sp.symbols(f"q:{count}"), sp.symbols(f"p:{count}")
    H = sp.sympify(formula(q, p))
    rate = sp.lambdify((t, *q, *p), [H.diff(x) for x in p] + [-H.diff(x) for x in q], "numpy", cse=True)
    return lambda time, y: np.array(rate(time, *y), dtype=float)


def first_order(count, formula):
    """y' given by formulas."""
    y = sp.symbols(f"y:{count}")
    rate = sp.lambdify(y, formula(y), "numpy", cse=True)
    return lambda time, values: np.array(rate(*values), dtype=float)


def end_of(rate, y0, until):
    found = solve_ivp(rate, (0, until), y0, method="DOP853", rtol=1e-13, atol=1e-14)
    assert found.success, found.message
    return found.y[:, -1]


# --- the models ------------------------------------------------------------------------------------------------------


class Case:
    """rate and y0 = (q, v), (q, p) or z, typed here; until and step of the comparison; a check of closed forms."""

    def __init__(self, rate, y0, until, step, momenta=False, conserves=True, to_state=None, closed=None):
        self.rate, self.y0, self.until, self.step, self.momenta = rate, y0, until, step, momenta
        self.conserves, self.closed = conserves, closed
        self.to_state = to_state or (lambda y: y)


CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def near(what, got, want, tolerance):
    error = float(np.max(np.abs(np.asarray(got, dtype=float) - np.asarray(want, dtype=float))))
    assert error <= tolerance, f"{what} is off by {error:.2g}, at most {tolerance:.0e} is allowed"
