"""Cases of groups.py: bodies in the plane, in space, and joined."""

import numpy as np
import sympy as sp

from _bodies import cross, end_of, joined, kirchhoff, quaternion, rotx, rotz, turn
from _gallery import lagrangian
from _groups import IDENTITY, bound_methods, case, compare, extrapolated, free_methods, joint_methods, near, run


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
    """--project: where it moves a start, (theta - 0.3, x - 0.25) is along the normal of sin(theta) = x."""
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
