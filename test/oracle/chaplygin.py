"""Chaplygin systems: the motion on the shape space is that of the whole system; exit 1 if one differs.

Continuous: check --reduced writes a model; its run, the unreduced run and the rates of the group coordinates must agree.
Discrete: the discrete Lagrange-d'Alembert equations of Cortes and Martinez (2001) on Q, as dla solves them, against their
reduction to Q/G, which is derived here by SymPy and solved by Newton's method with r alone:

    D1 L*_d(r1, r2) + D2 L*_d(r0, r1) = F-(r1, r2) + F+(r0, r1)
    L*_d(r0, r1) = L_d with s1 - s0 = a(r0, r1), which the discrete constraint gives; s' = X(r) r' on D, pi = D_{s1} L_d
    F-(r0, r1) = pi . (D1 a + X(r0)),   F+(r0, r1) = pi . (D2 a - X(r1))
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

PROGRAM = os.environ.get("RATTLEBACK", "build/rattleback")
CONTINUOUS = 6e-14  # twice the largest that was measured
DISCRETE = 9e-16  # likewise

FLAT_ROBOT = """
name = "two-wheeled robot on the plane"
coordinates = ["x", "y", "theta", "right", "left"]
[parameters]
m = 2.0
I = 0.05
Iw = 0.02
a = 0.1
b = 0.15
R = 0.08
[definitions]
centre = ["x + a*cos(theta)", "y + a*sin(theta)"]
[mechanics]
kinetic = "m/2*dot(centre', centre') + I/2*theta'^2 + Iw/2*(right'^2 + left'^2)"
potential = "0.3*cos(right) + 0.2*left^2*right"
force = { right = "0.1 - 0.02*left'" }
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)",
            "x'*cos(theta) + y'*sin(theta) + b*theta' - R*right'",
            "x'*cos(theta) + y'*sin(theta) - b*theta' - R*left'"]
[symmetries]
along_x = { x = "1" }
along_y = { y = "1" }
rotation = { x = "-y", y = "x", theta = "1" }
[initial]
q = { x = 0.4, y = -0.3, theta = 1, right = 0, left = 0 }
v = { x = "0.5*cos(1)", y = "0.5*sin(1)", theta = 0.4, right = "(0.5 + 0.4*b)/R", left = "(0.5 - 0.4*b)/R" }
"""


def program(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return dict(zip(rows[0], np.array(rows[1:], dtype=float).T))


def continuous(model, shape, group, until, turning=False):
    """The largest difference of shape coordinates, their velocities, energies and rates of group coordinates."""
    with tempfile.TemporaryDirectory() as folder:
        reduced = os.path.join(folder, "reduced.toml")
        program("check", model, "--reduced", reduced)
        options = ["-m", "dop853:tol=1e-14", "-s", until / 40, "--until", until, "-o", "-"]
        whole, small = table(program("run", model, *options)), table(program("run", reduced, *options))
    assert [c for c in small if c + "'" in small] == shape, list(small)
    off = 0
    for name in [c + d for c in shape for d in ("", "'")] + ["energy"]:
        off = max(off, np.max(np.abs(whole[name] - small[name]) / np.maximum(1, np.abs(whole[name]))))
    rates = {c: small["rate_of_" + c] for c in group}
    if turning:  # the rates at the origin of SE(2): turned to where the group coordinates are
        c, s = np.cos(whole["theta"]), np.sin(whole["theta"])
        rates["x"], rates["y"] = c * rates["x"] - s * rates["y"], s * rates["x"] + c * rates["y"]
    for name, rate in rates.items():
        off = max(off, np.max(np.abs(whole[name + "'"] - rate)))
    return off


WIDE = np.longdouble  # differences of nearby points lose digits that the program keeps


def newton(f, u):
    for _ in range(30):
        J = np.array([(f(u + 1e-7 * e) - f(u - 1e-7 * e)) / 2e-7 for e in np.eye(len(u))], dtype=float).T
        step = np.linalg.solve(J, f(u).astype(float))
        u = u - step
        if np.max(np.abs(step)) < 1e-18 * max(1, np.max(np.abs(u))):
            break
    return u


class Reduced:
    """L(r, r', s') with constraints s' = X(r) r'; formulas over symbols r, dr, ds."""

    def __init__(self, r, dr, ds, L, X, forces=1):
        k, h = len(r), sp.Symbol("h")
        r0, r1 = sp.symbols(f"u:{k}"), sp.symbols(f"w:{k}")
        X = sp.Matrix(X)
        middle = {c: (a + b) / 2 for c, a, b in zip(r, r0, r1)}
        step = sp.Matrix([b - a for a, b in zip(r0, r1)])
        a = X.subs(middle) * step  # s1 - s0
        at = {**middle, **{c: e / h for c, e in zip(dr, step)}, **{c: e / h for c, e in zip(ds, a)}}
        action = h * L.subs(at, simultaneous=True)
        pi = sp.Matrix([[L.diff(c).subs(at, simultaneous=True) for c in ds]])
        minus = forces * pi * (a.jacobian(r0) + X.subs(dict(zip(r, r0))))
        plus = forces * pi * (a.jacobian(r1) - X.subs(dict(zip(r, r1))))
        flat = lambda e: array_of(e, (r0, r1, h))
        self.left = flat(minus - sp.Matrix([action]).jacobian(r0))  # -D1 L*_d + F-
        self.right = flat(sp.Matrix([action]).jacobian(r1) - plus)  # D2 L*_d - F+
        self.shift = flat(a)
        star = L.subs(dict(zip(ds, X * sp.Matrix(dr))), simultaneous=True)
        self.momentum = array_of(sp.Matrix([star]).jacobian(dr), (r, dr))

    def run(self, r, v, s, h, steps):
        P, path = self.momentum(r, v), []
        for _ in range(steps):
            r1 = newton(lambda u: self.left(r, u, h) - P, r + h * v)
            P, s, v, r = self.right(r, r1, h), s + self.shift(r, r1, h), (r1 - r) / h, r1
            path.append(np.concatenate([r, s]))
        return np.array(path)


def array_of(formulas, arguments):
    f = sp.lambdify(arguments, formulas, "numpy")
    return lambda *at: np.array(f(*at), dtype=WIDE).ravel()


def discrete(model, names, system, r, v, s, h, steps):
    path = system.run(np.array(r, WIDE), np.array(v, WIDE), np.array(s, WIDE), WIDE(h), steps)
    whole = table(program("run", model, "-m", "dla", "-s", h, "--steps", steps, "-o", "-"))
    return max(np.max(np.abs(whole[c][1:] - path[:, i])) for i, c in enumerate(names))


def discrete_cases(h):
    x, y, th, ph, dx, dy, dz, dth, dph = sp.symbols("x y th ph dx dy dz dth dph")
    particle = Reduced((x, y), (dx, dy), (dz,), (dx**2 + dy**2 + dz**2) / 2 - x**2 - y**2, [[y, 0]])
    yield "nonholonomic_particle", discrete("nonholonomic_particle", ["x", "y", "z"], particle, [1, 1], [1, 1], [0], h, 100)
    R, I, J = sp.Rational(1, 2), sp.Rational(1, 8), sp.Rational(1, 16)
    disk = Reduced((th, ph), (dth, dph), (dx, dy), (dx**2 + dy**2) / 2 + I * dth**2 / 2 + J * dph**2 / 2,
                   [[R * sp.cos(ph), 0], [R * sp.sin(ph), 0]])  # fmt: skip
    yield "rolling_disk", discrete("rolling_disk", ["theta", "phi", "x", "y"], disk, [0, 0], [2, 0.7], [0, 0], h, 100)
    G = 9.81 * np.sin(np.pi / 6)
    edge = Reduced((x, th), (dx, dth), (dy,), (dx**2 + dy**2 + dth**2) / 2 + G * x, [[sp.tan(th), 0]])
    yield "knife_edge", discrete("knife_edge", ["x", "theta", "y"], edge, [0, 0], [0, 2], [0], h, 20)
    free = Reduced((x, y), (dx, dy), (dz,), (dx**2 + dy**2 + dz**2) / 2 - x**2 - y**2, [[y, 0]], forces=0)
    off = discrete("nonholonomic_particle", ["x", "y", "z"], free, [1, 1], [1, 1], [0], h, 100)
    assert off > 0.1, f"without F- and F+ the comparison must fail, and it differs by {off:.2g}"  # 0.33


def main():
    good = True
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as flat:
        flat.write(FLAT_ROBOT)
        flat.flush()
        cases = [
            ("nonholonomic_particle", ["x", "y"], ["z"], 3),
            ("rolling_disk", ["theta", "phi"], ["x", "y"], 3),
            ("knife_edge", ["x", "theta"], ["y"], 0.6),
            ("chaplygin_sleigh", ["x", "theta"], ["y"], 0.5),
            ("two_wheeled_robot", ["x", "theta"], ["y", "right", "left"], 0.8),
            ("snakeboard", ["theta", "psi", "phi"], ["x", "y"], 2),
            (flat.name, ["right", "left"], ["x", "y", "theta"], 1, True),
        ]
        for model, *case in cases:
            off = continuous(model, *case)
            good &= off <= CONTINUOUS
            print(f"{os.path.basename(model)}: reduced and unreduced motion differ by {off:.2g}")
    for model, off in discrete_cases(0.02):
        good &= off <= DISCRETE
        print(f"{model}: reduced and unreduced dla differ by {off:.2g}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
