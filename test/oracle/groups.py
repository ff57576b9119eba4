"""Coordinates on groups against a second derivation: every such model of the gallery, and others that are written here.

Newton's and Euler's equations are in _bodies.py; besides, there are elliptic functions, a Gudermannian, Euler angles,
and models of the gallery that describe the same bodies by angles. One line a case; exit 1 if one fails. RATTLEBACK is
the program (default build/rattleback); names of cases after the script's name run only those.
"""

import json
import os
import subprocess
import sys
import tempfile
from multiprocessing import Pool

import numpy as np
import sympy as sp
from scipy.special import ellipj, ellipkinc

from _bodies import E3, cross, end_of, held, joined, kirchhoff, quaternion, quaternion_rate, rolling, rotx, rotz
from _bodies import suslov, turn
from _gallery import PROGRAM, ROOT, lagrangian, on_groups

CASES = {}
IDENTITY = [1, 0, 0, 0]


def case(make):
    CASES[make.__name__] = make
    return make


# --- the program -----------------------------------------------------------------------------------------------------


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


# --- bodies that turn about a point ----------------------------------------------------------------------------------


def elliptic(I, w0, t):
    """omega(t) of a free body, I1 < I2 < I3: Landau and Lifshitz, section 37, where M^2 > 2 E I2."""
    I1, I2, I3 = I
    E2, M2 = sum(i * w * w for i, w in zip(I, w0)), sum((i * w) ** 2 for i, w in zip(I, w0))
    assert M2 > E2 * I2
    a1, a2 = np.sqrt((E2 * I3 - M2) / (I1 * (I3 - I1))), np.sqrt((E2 * I3 - M2) / (I2 * (I3 - I2)))
    a3 = np.sqrt((M2 - E2 * I1) / (I3 * (I3 - I1)))
    k2 = (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1))
    rate = np.sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3))
    amplitude = np.arctan2(w0[1] / a2, w0[0] / a1)  # sn = sin, cn = cos; omega3 > 0
    assert w0[2] > 0
    sn, cn, dn, _ = ellipj(ellipkinc(amplitude, k2) + rate * t, k2)
    return np.array([a1 * cn, a2 * sn, a3 * dn])


@case
def free_rigid_body():
    rate = held(np.diag([1.0, 2, 3]))
    want = turned(end_of(rate, IDENTITY + [0.01, 2, 0.01], 4))
    text = compare("free_rigid_body", want, 4, free_methods(0.1))
    model = """[group]
name = "SO(3)"
inertia = [[1, 0, 0], [0, 1.8, 0], [0, 0, 2.5]]
[initial]
g = [1, 0, 0, 0, 1, 0, 0, 0, 1]
xi = [0.7, -0.4, 1.1]
"""
    I, w0 = (1, 1.8, 2.5), (0.7, -0.4, 1.1)
    got = run(model, "-m", "gauss:stages=4", "--step", "0.1", "--until", "10")
    near("omega against elliptic functions", got["xi"], elliptic(I, w0, 10), 1e-11)
    want = turned(end_of(held(np.diag(I)), [*IDENTITY, *w0], 10))
    fourth = [("compose:base=lie_del:order=8", 0.05, 1e-10), ("compose:base=lie_del:order=6", 0.02, 1e-9)]
    compare(model, want, 10, free_methods(0.1) + fourth)
    near("lie_del, extrapolated", extrapolated(model, "lie_del", 0.01, 10), want, 1e-6)
    return text


@case
def heavy_top():
    """It starts where Euler angles are singular, and comes back there."""
    I, mgl = np.diag([1, 1, 0.5]), 1.0

    def torque(t, R, omega):
        return -mgl * cross(E3, R[2])

    want = turned(end_of(held(I, torque), IDENTITY + [0.1, 0, 2], 12))
    # Substeps of compositions are taken in the same chart: measured 2.9e-9. Where charts changed between them: 3.2e-4.
    composed = [("compose:base=lie_del:order=8", 0.05, 1e-10), ("compose:base=midpoint:order=6", 0.05, 6e-9)]
    return compare("heavy_top", want, 12, free_methods(0.05) + composed)


@case
def upside_down():
    """A top that starts hanging and swings through its poles, with torques: as [group] and as a coordinate."""
    I, c, mg = np.array([[1.1, 0.1, 0], [0.1, 0.9, -0.05], [0, -0.05, 0.6]]), np.array([0, 0, 1.0]), 1.3
    text = """[group]
name = "SO(3)"
inertia = [[1.1, 0.1, 0], [0.1, 0.9, -0.05], [0, -0.05, 0.6]]
potential = "1.3*g_33"
force = ["-0.05*body(g)[1]", "0.02*sin(t)", "0.3 - 0.1*body(g)[3]"]
[initial]
g = [1, 0, 0, 0, -1, 0, 0, 0, -1]
xi = [3, 0.2, 0]
"""

    def torque(t, R, w):
        return -mg * cross(c, R[2]) + np.array([-0.05 * w[0], 0.02 * np.sin(t), 0.3 - 0.1 * w[2]])

    want = turned(end_of(held(I, torque), [0, 1, 0, 0, 3, 0.2, 0], 8))
    said = compare(text, want, 8, free_methods(0.04))
    mechanics = """coordinates = ["R in SO(3)"]
[definitions]
inertia = [["1.1", "0.1", "0"], ["0.1", "0.9", "-0.05"], ["0", "-0.05", "0.6"]]
[mechanics]
kinetic = "dot(body(R), inertia*body(R))/2"
potential = "1.3*dot(R*[0, 0, 1], [0, 0, 1])"
force = { R = ["-0.05*body(R)[1]", "0.02*sin(t)", "0.3 - 0.1*body(R)[3]"] }
[initial]
q = { R = "rotx(pi)" }
v = { R = [3, 0.2, 0] }
"""
    compare(mechanics, want, 8, free_methods(0.04) + [("compose:base=lie_del:order=8", 0.02, 1e-9)])
    return said


@case
def euler_angles():
    """The symmetric top of the gallery that is written in Euler angles."""
    R = rotx(0.6)  # phi = psi = 0, theta = 0.6 about the first axis
    model = f"""coordinates = ["R in SO(3)"]
[mechanics]
kinetic = "(body(R)[1]^2 + body(R)[2]^2)/2 + body(R)[3]^2/4"
potential = "dot(R*[0, 0, 1], [0, 0, 1])"
[initial]
q = {{ R = {[float(x) for x in R.ravel()]} }}
v = {{ R = [0, 0, 6] }}
"""
    angles = run("heavy_symmetric_top", "-m", "gauss:stages=4", "--step", "0.02", "--until", "10")
    theta, phi, psi = angles["q"]
    dtheta, dphi, dpsi = angles["v"]
    want = [*(rotz(phi) @ rotx(theta) @ rotz(psi)).ravel()]
    s, c = np.sin(psi), np.cos(psi)
    across = dphi * np.sin(theta)
    want += [dtheta * c + across * s, across * c - dtheta * s, dpsi + dphi * np.cos(theta)]
    return compare(model, want, 10, free_methods(0.05))


@case
def asymmetric_top():
    I = np.array([[0.06, 0.004, 0], [0.004, 0.045, -0.003], [0, -0.003, 0.02]])
    centre, weight = np.array([0.05, 0.02, 0.12]), 9.81
    start = [*quaternion(rotz(0.3) @ rotx(0.6)), 3, -1, 12]
    want = turned(end_of(held(I, lambda t, R, w: -weight * cross(centre, R[2])), start, 1))
    return compare("asymmetric_top", want, 1, free_methods(0.01))


@case
def satellite_with_rotors():
    I, J, k = np.array([3.0, 2.2, 1.5]), 0.2, 0.3

    def rate(t, y):  # quaternion, momentum of all, momenta of the rotors, their angles
        momentum, rotors = y[4:7], y[7:10]
        omega = (momentum - rotors) / I
        motors = k * np.array([np.cos(t), np.sin(t), np.cos(t / 2)])
        return np.concatenate([quaternion_rate(y[:4], omega), cross(momentum, omega), motors, rotors / J - omega])

    def rates(y):
        omega = (y[4:7] - y[7:10]) / I
        return [*turn(y[:4]).ravel(), *y[10:13], *omega, *(y[7:10] / J - omega)]

    want = rates(end_of(rate, IDENTITY + 9 * [0], 10))
    text = compare("satellite_with_rotors", want, 10, free_methods(0.1))
    spin = np.array([0.3, -0.2, 0.5])  # and one that turns from the start
    y0 = [*IDENTITY, *(I * spin + J * (spin + [4, 0, -2])), *(J * (spin + [4, 0, -2])), 0, 0, 0]
    start = ["--v", "a=4", "--v", "c=-2", "--v", "R=[0.3, -0.2, 0.5]"]
    compare("satellite_with_rotors", rates(end_of(rate, y0, 5)), 5, free_methods(0.05), *start)
    return text


# --- with constraints on velocities ----------------------------------------------------------------------------------


@case
def suslov_problem():
    """phi' = K cos(phi - phi0): a Gudermannian."""
    I1, I2, a, b, w0, until = 2, 1.5, 0.3, -0.2, (0.8, -0.5), 8.0
    root = np.sqrt(I1 * w0[0] ** 2 + I2 * w0[1] ** 2)
    A, B = a * root / np.sqrt(I1), b * root / np.sqrt(I2)
    K, phi0 = np.hypot(A, B) / np.sqrt(I1 * I2), np.arctan2(B, A)
    start = np.arctan2(w0[1] * np.sqrt(I2), w0[0] * np.sqrt(I1)) - phi0
    phi = phi0 + 2 * np.arctan(np.tanh((K * until + 2 * np.arctanh(np.tan(start / 2))) / 2))
    got = run("suslov", "-m", "nh_gauss:stages=4", "--step", "0.1", "--until", until)
    off = near("omega", got["xi"], [root * np.cos(phi) / np.sqrt(I1), root * np.sin(phi) / np.sqrt(I2), 0], 1e-11)
    return f"off by {off:.1e}"


def suslov_inertia(a, b):
    return np.array([[2, 0, a], [0, 1.5, b], [a, b, 1.0]])


@case
def suslov_():
    rate = suslov(suslov_inertia(0.3, -0.2), lambda R: E3, lambda R, dR: np.zeros(3))
    want = turned(end_of(rate, IDENTITY + [0.8, -0.5, 0], 8))
    text = compare("suslov", want, 8, bound_methods(0.1))
    near("lie_gni, extrapolated", extrapolated("suslov", "lie_gni", 0.01, 8), want, 1e-6)
    near("lie_eps, extrapolated", extrapolated("suslov", "lie_eps", 0.01, 8), want, 1e-5)
    return text


@case
def suslov_principal():
    rate = suslov(suslov_inertia(0, 0), lambda R: E3, lambda R, dR: np.zeros(3))
    return compare("suslov_principal", turned(end_of(rate, IDENTITY + [0.8, -0.5, 0], 8)), 8, bound_methods(0.1))


@case
def suslov_sphere():
    def row(R):
        return np.array([0.6 * R[0, 0], 0.6 * R[1, 2], 0])

    rate = suslov(np.eye(3), lambda R: row(R) + E3, lambda R, dR: row(dR))
    return compare("suslov_sphere", turned(end_of(rate, IDENTITY + [0.8, -0.5, -0.48], 8)), 8, bound_methods(0.05))


@case
def veselova():
    I = np.diag([1, 1.6, 2.3])
    rate = suslov(I, lambda R: R[2], lambda R, dR: dR[2], lambda R: -0.5 * cross(I @ R[2], R[2]))
    start = [np.cos(0.35), np.sin(0.35), 0, 0, 1.1, 0.8 * np.cos(0.7), -0.8 * np.sin(0.7)]
    return compare("veselova", turned(end_of(rate, start, 8)), 8, bound_methods(0.05))


@case
def chaplygin_ball():
    I, m, r = np.diag([0.06, 0.1, 0.14]), 1.0, 0.5
    R0, w0 = rotz(0.4) @ rotx(1.0), np.array([0.3, 6, 0.2])

    def about_contact(up):
        return I + m * r**2 * (np.eye(3) - np.outer(up, up))

    def rate(t, y):  # Chaplygin: the momentum about the point that touches is constant in space
        up = turn(y[:4])[2]
        omega = np.linalg.solve(about_contact(up), y[4:7])
        space = turn(y[:4]) @ omega
        return np.concatenate([quaternion_rate(y[:4], omega), cross(y[4:7], omega), [r * space[1], -r * space[0]]])

    y = end_of(rate, [*quaternion(R0), *(about_contact(R0[2]) @ w0), 0, 0], 3)
    R = turn(y[:4])
    omega = np.linalg.solve(about_contact(R[2]), y[4:7])
    space = R @ omega
    want = [*R.ravel(), *y[7:9], *omega, r * space[1], -r * space[0]]
    other, shown = rolling(I, m, 9.81, lambda up, d: (-r * up, -r * d))
    near("the two derivations", shown(end_of(other, [*quaternion(R0), *w0, 0, 0], 3)), want, 1e-11)
    text = compare("chaplygin_ball", want, 3, bound_methods(0.02))
    near("lie_gni, extrapolated", extrapolated("chaplygin_ball", "lie_gni", 0.002, 3), want, 1e-5)
    return text


def disk():
    r = 0.5

    def contact(up, d):
        u, du = np.array([up[0], up[1], 0]), np.array([d[0], d[1], 0])
        size = np.hypot(up[0], up[1])
        return -r * u / size, -r * (du / size - u * (u @ du) / size**3)

    return rolling(np.diag([1, 1, 2]) * r**2 / 4, 1.0, 9.81, contact)


@case
def falling_disk_on_group():
    rate, shown = disk()
    want = shown(end_of(rate, [*quaternion(rotx(np.pi / 2 - 0.1)), 0, 0, 8, 0, 0], 3))
    text = compare("falling_disk_on_group", want, 3, bound_methods(0.02))
    other = run("falling_disk", "-m", "nh_gauss:stages=4", "--step", "0.02", "--until", 3)
    x, y, phi, theta, psi = other["q"]
    near("the disk with Euler angles", (rotz(phi) @ rotx(theta) @ rotz(psi)).ravel(), want[:9], 1e-10)
    near("its centre", [x, y], want[9:11], 1e-10)
    return text


@case
def disk_through_the_poles():
    """A disk that rolls so that its first axis points straight up and down: the angles of aircraft are singular there.
    And a disk that falls until it nearly lies flat, where those of Euler nearly are, and gets up again."""
    rate, shown = disk()
    start = [*quaternion(rotx(np.pi / 2)), 0, 0, 8, 0, 0]
    options = ["--q", "R=rotx(pi/2)"]
    want = shown(end_of(rate, start, 3))
    assert abs(want[6]) < 1  # it has passed 3 poles
    compare("falling_disk_on_group", want, 3, bound_methods(0.02), *options)
    w = [0.0, 0.35, 0.2]
    y = end_of(rate, [*quaternion(rotx(np.pi / 2 - 0.3)), *w, 0, 0], 1)
    speed = cross(np.array([0, -0.5, 0]), np.array(w))  # where the second axis points up
    there = rotx(np.pi / 2 - 0.3) @ speed
    options = ["--q", "R=rotx(pi/2 - 0.3)", "--v", "R=[0, 0.35, 0.2]"]
    options += ["--v", f"x={float(there[0])!r}", "--v", f"y={float(there[1])!r}"]
    methods = [("nh_gauss:stages=6", 0.0005, 1e-9), ("dop853:tol=1e-13", 0.01, 1e-9)]
    return compare("falling_disk_on_group", shown(y), 1, methods, *options)


@case
def rattleback_on_group():
    squares, h = np.array([0.2, 0.03, 0.02]) ** 2, 0.01
    I = np.array([[2e-4, 2e-5, 0], [2e-5, 16e-4, 0], [0, 0, 17e-4]])

    def contact(up, d):
        reach = np.sqrt(squares @ up**2)
        return -squares * up / reach + h * E3, -squares * d / reach + squares * up * (squares @ (up * d)) / reach**3

    rate, shown = rolling(I, 1.0, 9.81, contact)
    s = np.pi / 360
    roty = np.array([[np.cos(s), 0, np.sin(s)], [0, 1, 0], [-np.sin(s), 0, np.cos(s)]])
    R = rotx(s) @ roty
    want = shown(end_of(rate, [*quaternion(R), *(5 * R[2]), 0, 0], 1))
    text = compare("rattleback_on_group", want, 1, bound_methods(0.0005))
    other = run("rattleback", "-m", "nh_gauss:stages=4", "--step", "0.0005", "--until", 1)
    near("the rattleback with angles", other["q"][:2] + other["v"][:2], want[9:11] + want[14:], 1e-10)
    return text


# --- in the plane ----------------------------------------------------------------------------------------------------


@case
def sleigh_on_group():
    m, I, a = 1, 1, 0.5

    def rate(_, y):
        th, u, w = y[2:]
        return np.array([u * np.cos(th), u * np.sin(th), w, a * w**2, -m * a * u * w / (I + m * a**2)])

    y = end_of(rate, [0, 0, 0, 0.5, 2], 5)
    want = [*y[:3], y[4], y[3], 0]
    text = compare("sleigh_on_group", want, 5, bound_methods(0.05))
    steps = ["--step", "0.02", "--until", "2"]
    same = run("sleigh_on_group", "-m", "lie_gni", *steps)["q"]
    near("lie_gni against gni", same, run("chaplygin_sleigh", "-m", "gni", *steps)["q"], 1e-13)
    return text


@case
def snakeboard_on_group():
    other = run("snakeboard", "-m", "nh_gauss:stages=4", "--step", "0.02", "--until", "3")
    x, y, theta, psi, phi = other["q"]
    dx, dy, dtheta, dpsi, dphi = other["v"]
    c, s = np.cos(theta), np.sin(theta)
    want = [x, y, theta, psi, phi, dtheta, c * dx + s * dy, c * dy - s * dx, dpsi, dphi]
    text = compare("snakeboard_on_group", want, 3, bound_methods(0.02))
    steps = ["--step", "0.02", "--until", "3"]
    board, same = run("snakeboard", "-m", "gni", *steps)["q"], run("snakeboard_on_group", "-m", "lie_gni", *steps)["q"]
    near("lie_gni against gni", same, board, 1e-12)
    return text


@case
def products():
    """SE(2) x R^2 in [group], and a pendulum on SO(2)."""
    text = """[group]
name = "SE(2) x R^2"
inertia = [[1.2, 0, 0.3, 0.1, 0], [0, 1, 0, 0, 0], [0.3, 0, 1, 0, 0], [0.1, 0, 0, 2, 0], [0, 0, 0, 0, 3]]
constraints = [[0, 0, 1, 0, 0], [0, "g1_x", 0, 0, "-1"]]
potential = "g2_1^2 + g1_x*g2_2"
[initial]
g = [0.4, 0.2, 0.1, 0.5, -0.3]
xi = [0.7, 0.9, 0, 0.2, 0.36]
"""
    I = np.diag([1.2, 1, 1, 2, 3])
    I[0, 2] = I[2, 0] = 0.3
    I[0, 3] = I[3, 0] = 0.1
    inverse = np.linalg.inv(I)

    def rate(_, y):
        x, _, theta, r1, r2 = y[:5]
        xi = y[5:]
        w, u1, u2 = xi[:3]
        p = I @ xi
        c, s = np.cos(theta), np.sin(theta)
        Vx = r2  # and V_y = 0, V_theta = 0
        f = np.array([-u1 * p[2] + u2 * p[1], w * p[2] - c * Vx, -w * p[1] + s * Vx, -2 * r1, -x])
        dx, dy = c * u1 - s * u2, s * u1 + c * u2
        A = np.array([[0, 0, 1, 0, 0], [0, x, 0, 0, -1.0]])
        b = -np.array([0, dx * u1])
        l = np.linalg.solve(A @ inverse @ A.T, b - A @ inverse @ f)
        return np.concatenate([[dx, dy, w, xi[3], xi[4]], inverse @ (f + A.T @ l)])

    y = end_of(rate, [0.4, 0.2, 0.1, 0.5, -0.3, 0.7, 0.9, 0, 0.2, 0.36], 4)
    said = compare(text, y, 4, bound_methods(0.05))
    near("lie_gni, extrapolated", extrapolated(text, "lie_gni", 0.01, 4), y, 1e-4)
    pendulum = '[group]\nname = "SO(2)"\ninertia = [[2]]\npotential = "-3*cos(g_theta)"\n'
    pendulum += "[initial]\ng = [2]\nxi = [0.1]\n"
    y = end_of(lambda _, y: np.array([y[1], -1.5 * np.sin(y[0])]), [2, 0.1], 10)
    compare(pendulum, y, 10, free_methods(0.1) + [("compose:base=lie_del:order=8", 0.05, 1e-10)])
    return said


# --- in space, and joined --------------------------------------------------------------------------------------------


@case
def kirchhoff_body():
    random = np.random.default_rng(7).normal(size=(6, 6))
    I = np.round(random @ random.T / 4 + np.diag([1, 1.4, 2, 1.5, 1.8, 2.2]), 3)
    I = (I + I.T) / 2
    rows = ", ".join("[" + ", ".join(repr(float(x)) for x in row) + "]" for row in I)
    R = rotz(0.3) @ rotx(0.6)
    place, xi = [0.3, -0.2, 0.5], [0.5, -0.3, 0.8, 0.4, 0.1, -0.6]
    numbers = [*R.ravel(), *place]
    text = f"""[group]
name = "SE(3)"
inertia = [{rows}]
potential = "0.7*g_z + 0.4*g_31 + 0.2*g_x^2"
[initial]
g = {[float(x) for x in numbers]}
xi = {xi}
"""

    def wrench(R, x):
        force = -np.array([0.4 * x[0], 0, 0.7])
        return np.concatenate([-0.4 * cross(np.array([1.0, 0, 0]), R[2]), R.T @ force])

    free = text.replace('potential = "0.7*g_z + 0.4*g_31 + 0.2*g_x^2"\n', "")
    said = ""
    for model, w in ((text, wrench), (free, lambda R, x: np.zeros(6))):
        y = end_of(kirchhoff(I, w), [*quaternion(R), *place, *xi], 6)
        want = [*turn(y[:4]).ravel(), *y[4:7], *y[7:]]
        said = compare(model, want, 6, free_methods(0.05) + [("compose:base=lie_del:order=8", 0.03, 1e-9)])
    return said


@case
def gyroscope_in_gimbals():
    A, C, Ao, B1, B2, B3 = 0.02, 0.03, 0.01, 0.004, 0.003, 0.005

    def L(q, v):
        b, (da, db, dp) = q[1], v
        rotor = A * (db**2 + (da * sp.cos(b)) ** 2) + C * (dp + da * sp.sin(b)) ** 2
        return (rotor + Ao * da**2 + B1 * db**2 + (B2 * sp.sin(b) ** 2 + B3 * sp.cos(b) ** 2) * da**2) / 2

    a, b, psi, da, db, dpsi = end_of(lagrangian(3, L), [0, 0.6, 0, 0, 3, 30], 1)
    bearing = [np.cos(a), np.sin(a), 0]
    across = [np.sin(a) * np.sin(b), -np.cos(a) * np.sin(b), np.cos(b)]
    along = [-np.sin(a) * np.cos(b), np.cos(a) * np.cos(b), np.sin(b)]
    ring = np.array([bearing, np.negative(across), along]).T
    omega = rotz(psi).T @ [db, -da * np.cos(b), dpsi + da * np.sin(b)]
    want = [*(ring @ rotz(psi)).ravel(), a, b, *omega, da, db]
    return compare("gyroscope_in_gimbals", want, 1, joint_methods(0.005, 0.002))


@case
def ball_joint():
    I = [np.diag([0.1, 0.16, 0.2]), np.array([[0.3, 0.02, 0], [0.02, 0.25, 0], [0, 0, 0.12]])]
    rate = joined([1, 1.5], I, [(0, np.array([0.5, 0, 0]), 1, np.array([-0.6, 0.1, 0]))])
    y0 = [*IDENTITY, -0.5, 0, 0, 0, 1, 4, 0, -2, 0.5, *IDENTITY, 0.6, -0.1, 0, 0.5, 0, -1, -0.1, -0.6, -0.05]
    y = end_of(rate, y0, 3).reshape(2, 13)
    places = [x for b in y for x in (*turn(b[:4]).ravel(), *b[4:7])]
    twists = [x for b in y for x in (*b[7:10], *(turn(b[:4]).T @ b[10:]))]
    return compare("ball_joint", places + twists, 3, joint_methods(0.02, 0.03))


@case
def projected_start():
    """--project moves a start off a holonomic constraint: (theta - 0.3, x - 0.25) is along the normal of sin(theta) = x."""
    model = """coordinates = ["R in SO(3)", "x"]
[mechanics]
kinetic = "dot(body(R), body(R))/2 + x'^2/2"
potential = "0"
[constraints]
holonomic = ["R[1,3] - x"]
[initial]
q = { R = "roty(0.3)", x = 0.25 }
v = { R = [0, 1, 0], x = 1 }
"""
    q = run(model, "-m", "lie_rattle", "--step", "0.01", "--steps", "0", "--project")["q"]
    theta, x = np.arctan2(q[2], q[0]), q[9]
    off = near("the start", [np.sin(theta) - x, theta - 0.3 + np.cos(theta) * (x - 0.25)], [0, 0], 1e-14)
    return f"off by {off:.1e}"


@case
def chain_of_bodies():
    n, m, l, s, c = 3, 0.2, 0.2, np.sin(0.8), np.cos(0.8)
    I = m * l**2 * np.diag([1 / 12, 1 / 12, 1 / 60])
    top, bottom = np.array([0, 0, l / 2]), np.array([0, 0, -l / 2])
    joints = [(0, top, None, None)] + [(i, top, i - 1, bottom) for i in range(1, n)]
    y0 = []
    for i in range(n):
        d = (i + 0.5) * l
        y0 += [np.cos(0.4), np.sin(0.4), 0, 0, 0, d * s, -d * c, 0, 1.5 * s, 1.5 * c + 20, -1.5 * d * s, 0, 0]
    y = end_of(joined(n * [m], n * [I], joints, 9.81), y0, 1).reshape(n, 13)
    turns = np.array([turn(b[:4]).ravel() for b in y])
    want = [*turns.T.ravel(), *y[:, 4:7].T.ravel(), *y[:, 7:10].T.ravel(), *y[:, 10:].T.ravel()]
    return compare("chain_of_bodies", want, 1, joint_methods(0.005, 0.005, 1e-8), "--set", "n=3")


# --- what is asked of each -------------------------------------------------------------------------------------------


def line(name):
    try:
        said = CASES[name]()
        if (ROOT / "models" / f"{name.rstrip('_')}.toml").exists():
            proposed = run(name.rstrip("_"))
            assert proposed["status"] == "finished"
            for kind in ("constraint_max", "holonomic_max"):
                assert (proposed.get(kind) or 0) < 1e-12, f"{kind} is {proposed[kind]:.2g} in the proposed run"
        return True, f"{name:26} ok      {said}"
    except Exception as e:  # whatever it is, the other cases are still checked
        return False, f"{name:26} FAILED  {type(e).__name__ if not isinstance(e, AssertionError) else ''} {e}"


def main():
    models = {f.stem for f in (ROOT / "models").glob("*.toml") if on_groups(f.read_text())}
    covered = {name.rstrip("_") for name in CASES}
    good = True
    with Pool(os.cpu_count()) as pool:
        for ok, text in pool.imap(line, sys.argv[1:] or sorted(CASES)):
            print(text, flush=True)
            good &= ok
    for name in sorted(models - covered):
        print(f"{name:26} FAILED  has no case")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
