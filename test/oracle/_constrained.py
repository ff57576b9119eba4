"""A second derivation of constrained mechanics.

SymPy derives the equations of d'Alembert and Chetaev, index-reduced: M a + A^T lambda = f, A a = -(phi_q v + phi_t),
with phi the velocity constraints and the rates of the holonomic ones; or those of the variational principle in (q, v,
lambda): d/dt F_v = F_q of F = L - lambda . phi, a route on which no momentum occurs. SciPy integrates them.

The models themselves are in nonholonomic.py, variational.py and holonomic.py.
"""

import os
import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from _gallery import rattleback as program
from _gallery import on_groups, run, t

ROOT = Path(__file__).resolve().parents[2]
sin, cos, tan, sqrt = sp.sin, sp.cos, sp.tan, sp.sqrt


# --- the other derivation --------------------------------------------------------------------------------------------


def along(f, q, v):
    """The rate of formulas of (q, t)."""
    return f.jacobian(q) * sp.Matrix(v) + f.diff(t)


def derivatives(count, L, velocity, holonomic, force):
    q, v = sp.symbols(f"q:{count}"), sp.symbols(f"v:{count}")
    L = sp.sympify(L(q, v))
    phi = sp.Matrix(velocity(q, v)) if velocity else sp.zeros(0, 1)
    if holonomic:
        phi = phi.col_join(along(sp.Matrix(holonomic(q)), q, v))
    p = sp.Matrix([L]).jacobian(v).T
    f = sp.Matrix([L]).jacobian(q).T - along(p, q, v)
    if force:
        f += sp.Matrix(force(q, v))
    return q, v, p.jacobian(v), f, phi, phi.jacobian(v), -along(phi, q, v)


def dalembert(count, L, velocity=None, holonomic=None, force=None):
    """y' of y = (q, v)."""
    q, v, M, f, _, A, b = derivatives(count, L, velocity, holonomic, force)
    return solved(count, (q, v, M, f, A, b))


def solved(count, parts):
    """M a + A^T lambda = f, A a = b."""
    q, v, M, f, A, b = parts
    both = sp.lambdify((t, *q, *v), [M, f, A, b], "numpy", cse=True)

    def rate(time, y):
        M, f, A, b = both(time, *y)
        m = len(A)
        left = np.block([[M, A.T], [A, np.zeros((m, m))]])
        solution = np.linalg.lstsq(left, np.concatenate([f, b]), rcond=1e-13)[0]
        return np.concatenate([y[count:], solution[:count].ravel()])

    return rate


def newton_euler(count, bodies, gravity, velocity, holonomic):
    """y' of y = (q, v) by virtual power, on which route no Lagrangian occurs: each body is (mass, inertia in its own axes,
    position, angular velocity in space, rotation), of (q, v)."""
    q, v = sp.symbols(f"q:{count}"), sp.symbols(f"v:{count}")
    M, f = sp.zeros(count, count), sp.zeros(count, 1)
    for mass, inertia, place, omega, R in (b(q, v) for b in bodies):
        space = R * inertia * R.T
        moves, turns = place.jacobian(q), omega.jacobian(v)
        M += mass * moves.T * moves + turns.T * space * turns
        rest = moves * sp.Matrix(v)
        f += mass * moves.T * (gravity - rest.jacobian(q) * sp.Matrix(v))
        f -= turns.T * (space * omega.jacobian(q) * sp.Matrix(v) + omega.cross(space * omega))
    phi = sp.Matrix(velocity(q, v)).col_join(along(sp.Matrix(holonomic(q)), q, v))
    return solved(count, (q, v, M, f, phi.jacobian(v), -along(phi, q, v)))


def vakonomic(count, L, phi):
    """y' of y = (q, v, lambda)."""
    q, v, M, f, phi, A, b = derivatives(count, L, phi, None, None)
    l = sp.symbols(f"l:{len(phi)}")
    # d/dt(L_v - A^T l) = L_q - phi_q^T l, so M a - (A^T l)_v a - A^T l' = f - phi_q^T l + (A^T l)_q v + (A^T l)_t
    pull = A.T * sp.Matrix(l)
    metric = M - pull.jacobian(v)
    rest = f - phi.jacobian(q).T * sp.Matrix(l) + along(pull, q, v)
    both = sp.lambdify((t, *q, *v, *l), [metric, rest, A, b], "numpy", cse=True)

    def rate(time, y):
        M, f, A, b = both(time, *y)
        m = len(A)
        x = np.linalg.solve(np.block([[M, -A.T], [A, np.zeros((m, m))]]), np.concatenate([f, b])).ravel()
        return np.concatenate([y[count : 2 * count], x])

    return rate


def end_of(rate, y0, until):
    found = solve_ivp(rate, (0, until), np.array(y0, dtype=float), method="DOP853", rtol=1e-12, atol=1e-13)
    assert found.success, found.message
    return found.y[:, -1]


# --- cases -----------------------------------------------------------------------------------------------------------


class Case:
    """y0 = (q, v) or (q, v, lambda); until and step of the comparison; the methods compared."""

    tolerance = (1e-8, 1e-8, 1e-5, 1e-5)  # of the methods, in order

    def __init__(self, rate, y0, until, step, methods, conserves=True, closed=None, set=(), energy=0.02):
        self.rate, self.y0, self.until, self.step, self.methods = rate, y0, until, step, methods
        self.conserves, self.closed, self.set, self.energy = conserves, closed, set, energy


CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def half_square(v):
    return sum(x**2 for x in v) / 2


# --- bodies -----------------------------------------------------------------------------------------------------------


def disk(q, v):
    return (v[0] ** 2 + v[1] ** 2) / 2 + v[2] ** 2 / 16 + v[3] ** 2 / 32


def disk_rolls(q, v):
    return [v[0] - cos(q[3]) * v[2] / 2, v[1] - sin(q[3]) * v[2] / 2]


def space_rate(R, q, v):
    """Angular velocity in space from a rotation matrix: R' R^T."""
    rate = sum((R.diff(x) * dx for x, dx in zip(q, v)), sp.zeros(3, 3))
    hat = rate * R.T
    return sp.Matrix([hat[2, 1], hat[0, 2], hat[1, 0]])


def turned(axis, angle):
    c, s = cos(angle), sin(angle)
    return {
        "x": sp.Matrix([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": sp.Matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": sp.Matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


# --- what is asked of each -------------------------------------------------------------------------------------------


def end_by(name, method, c):
    """Where the program's run ends. Methods of even order: two steps, extrapolated, are of order 4."""
    method, extrapolated, _ = method.partition(" extrapolated")
    ends = []
    for parts in (1, 2) if extrapolated else (1,):
        step = c.step / parts / (4 if extrapolated else 1)
        s = run(name, "-m", method, "--step", step, "--until", c.until, *c.set)
        ends.append(np.array(s["q"] + s["v"]))
    return (4 * ends[1] - ends[0]) / 3 if extrapolated else ends[0]


def check(name):
    c = CASES[name]()
    error = 0.0 if not c.methods else 1.0
    for i, method in enumerate(c.methods):
        got = end_by(name, method, c)
        if i == 0:
            want = end_of(c.rate, c.y0, c.until)[: got.size]
        off = float(np.max(np.abs(got - want)) / max(1, np.max(np.abs(want))))
        assert off <= c.tolerance[i], f"{method} is off by {off:.2g} after {c.until:g}"
        error = min(error, off)
    proposed = run(name)
    assert proposed["status"] == "finished"
    for kind in ("constraint_max", "holonomic_max"):
        worst = proposed.get(kind) or 0
        assert worst < 1e-9, f"{kind} is {worst:.2g} in the proposed run"
    if c.conserves:
        scale = abs(proposed["energy_initial"]) or 1
        assert proposed["energy_error_max"] < c.energy * scale, f"energy error {proposed['energy_error_max']:.2g}"
    if c.closed:
        c.closed()
    program("check", name)
    return f"off by {error:.1e}  setup {1e3 * proposed['seconds_setup']:.1f} ms"


def line(name):
    try:
        return True, f"{name:30} ok      {check(name)}"
    except Exception as e:  # whatever it is, the other models are still checked
        return False, f"{name:30} FAILED  {type(e).__name__ if not isinstance(e, AssertionError) else ''} {e}"


def main(belongs):
    """Checks the cases typed so far, and that every model of this kind has one."""
    texts = {f.stem: f.read_text() for f in (ROOT / "models").glob("*.toml")}
    names = sys.argv[1:] or sorted({name for name, text in texts.items() if belongs(text) and not on_groups(text)} | set(CASES))
    good = True
    with Pool(os.cpu_count()) as pool:
        for ok, text in pool.imap(line, [name for name in names if name in CASES]):
            print(text, flush=True)
            good &= ok
    for name in names:
        if name not in CASES:
            print(f"{name:30} FAILED  has no case")
            good = False
    return 0 if good else 1
