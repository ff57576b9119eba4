"""Cases of groups.py: bodies with constraints on velocities."""

import numpy as np

from _bodies import E3, cross, end_of, quaternion, quaternion_rate, rolling, rotx, rotz, suslov, turn
from _groups import IDENTITY, bound_methods, case, compare, extrapolated, near, run, turned


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


@case
def plate_and_ball():
    """The variational principle: the sphere of the gallery that is written in Euler angles."""
    model = """coordinates = ["R in SO(3)", "x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + dot(body(R), body(R)))/2"
[constraints]
velocity = ["x' - space(R)[2]", "y' + space(R)[1]", "space(R)[3]"]
principle = "variational"
[initial]
q = { R = "rotx(pi/2)", x = 0, y = 0 }
v = { R = [0, 0, -0.5], x = 0.5, y = 0 }
lambda = [0.4, 0.2, 0.5]
"""
    steps = ["--step", "0.05", "--until", "6"]
    angles = run("rolling_sphere_geodesic", "-m", "gauss:stages=4", *steps)
    off = 0.0
    for method in ("gauss:stages=4", "lobatto:stages=4", "compose:base=dvak:order=6"):
        got = run(model, "-m", method, *steps)
        here, there = got["q"][9:] + got["v"][3:] + got["lambda"], angles["q"][:2] + angles["v"][:2] + angles["lambda"]
        off = max(off, near(method, here, there, 1e-12))
    return f"off by {off:.1e}"
