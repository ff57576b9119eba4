"""What the cases of groups.py are written with: the program, comparisons, a table of cases."""

import json
import subprocess
import tempfile

import numpy as np

from _bodies import turn
from _gallery import PROGRAM, ROOT

CASES = {}
IDENTITY = [1, 0, 0, 0]


def case(make):
    CASES[make.__name__] = make
    return make




def program(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()}"
    return done.stdout


def run(model, *options):
    """model: a name of the gallery, or a text."""
    if "\n" not in model:
        return json.loads(program("run", ROOT / "models" / f"{model}.toml", "--json", *options))
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(model)
        file.flush()
        return json.loads(program("run", file.name, "--json", *options))


def state(summary):
    return np.array(summary["q"] + summary["v"])


def compare(model, want, until, methods, *options):
    """The largest difference of the ends, of (method, step, tolerance), relative to sizes above 1."""
    want = np.array(want, dtype=float)
    worst = 0.0
    for method, step, tolerance in methods:
        got = state(run(model, "-m", method, "--step", step, "--until", until, *options))
        assert got.size == want.size, f"{method}: {got.size} numbers, {want.size} expected"
        off = float(np.max(np.abs(got - want)) / max(1, np.max(np.abs(want))))
        assert off <= tolerance, f"{method} is off by {off:.2g} after {until:g}, at most {tolerance:.0e} is allowed"
        worst = max(worst, off)
    return f"off by {worst:.1e}"


def extrapolated(model, method, step, until, *options):
    """Two runs of a symmetric method of order 2."""
    ends = [state(run(model, "-m", method, "--step", step / k, "--until", until, *options)) for k in (1, 2)]
    return (4 * ends[1] - ends[0]) / 3


def near(what, got, want, tolerance):
    off = float(np.max(np.abs(np.asarray(got, dtype=float) - np.asarray(want, dtype=float))))
    assert off <= tolerance, f"{what} is off by {off:.2g}, at most {tolerance:.0e} is allowed"
    return off


def free_methods(step, tolerance=1e-10):
    return [(method, step, tolerance) for method in ("gauss:stages=4", "dop853:tol=1e-13", "lobatto:stages=5")]


def bound_methods(step, tolerance=1e-10):
    return [(method, step, tolerance) for method in ("nh_gauss:stages=4", "dop853:tol=1e-13")]


def joint_methods(step, lie_step, lie_tolerance=1e-9):
    exact = [(method, step, 1e-10) for method in ("lobatto:stages=5", "dop853:tol=1e-13")]
    return exact + [("compose:base=lie_rattle:order=8", lie_step, lie_tolerance)]


def turned(y):
    """(quaternion, omega) as results show it."""
    return [*turn(y[:4]).ravel(), *y[4:7]]
