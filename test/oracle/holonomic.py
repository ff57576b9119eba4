"""Every holonomic model of the gallery against a second derivation; one line a model, exit 1 if one fails."""

import math
import sys

import numpy as np
import sympy as sp

from _constrained import Case, case, cos, dalembert, end_of, half_square, main, sin, sqrt, turned
from _gallery import columns, near, run, t

METHODS = ("lobatto:stages=4", "dop853:tol=1e-12", "rattle extrapolated")


@case
def cartesian_pendulum():
    rate = dalembert(2, lambda q, v: half_square(v) - 9.81 * q[1], None, lambda q: [half_square(q)])

    def closed():
        period = 2.367841947576237
        s = run("cartesian_pendulum", "-m", "dop853:tol=1e-13", "--step", period / 200, "--until", period)
        near("the place after a period", s["q"] + s["v"], [1, 0, 0, 0], 1e-9)

    return Case(rate, [1, 0, 0, 0], 3, 0.01, METHODS, closed=closed)


@case
def cartesian_spherical_pendulum():
    rate = dalembert(3, lambda q, v: half_square(v) - 9.81 * q[2], None, lambda q: [half_square(q)])
    s, c = math.sin(1), math.cos(1)
    return Case(rate, [s, 0, -c, 0, 1.5 * s, 0], 3, 0.01, METHODS)


@case
def cartesian_double_pendulum():
    def closed():  # the same motion in angles
        a, b = run("double_pendulum", "-m", "gauss:stages=4", "--until", "2")["q"]
        s = run("cartesian_double_pendulum", "-m", "lobatto:stages=4", "--until", "2")
        near("the bobs", s["q"][:2], [math.sin(a), -math.cos(a)], 1e-8)
        near("the bobs", s["q"][2:], [math.sin(a) + math.sin(b), -math.cos(a) - math.cos(b)], 1e-8)

    L = lambda q, v: half_square(v) - 9.81 * (q[1] + q[3])
    rods = lambda q: [q[0] ** 2 + q[1] ** 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2]
    s, c = math.sin(1.2), math.cos(1.2)
    y0 = [s, -c, s + math.sin(0.7), -c - math.cos(0.7), 0, 0, 0, 0]
    return Case(dalembert(4, L, None, rods), y0, 2, 0.01, METHODS, closed=closed)


@case
def chain():
    n = 4

    def L(q, v):
        return half_square(v) / n - 9.81 * sum(q[n:]) / n

    def links(q):
        x, y = [0, *q[:n]], [0, *q[n:]]
        return [(x[i + 1] - x[i]) ** 2 + (y[i + 1] - y[i]) ** 2 for i in range(n)]

    i = np.arange(1, n + 1) / n
    y0 = [*(i * math.sin(0.5)), *(-i * math.cos(0.5)), *([0] * 2 * n)]
    return Case(dalembert(2 * n, L, None, links), y0, 1, 0.005, METHODS, set=("--set", "n=4"))


@case
def shortest_way_on_sphere():
    rate = dalembert(3, lambda q, v: half_square(v), None, lambda q: [q[0] ** 2 + q[1] ** 2 + q[2] ** 2])
    angle = math.acos(-0.6)

    def closed():
        end = columns("shortest_way_on_sphere", ["x", "y", "z"])[:, -1]
        near("the other end", end, [-0.6, 0.64, 0.48], 1e-10)

    return Case(rate, [1, 0, 0, 0, 0.4 * angle, 0.3 * angle], 2, 0.02, METHODS, closed=closed)


@case
def bead_on_ellipsoid():
    rate = dalembert(3, lambda q, v: half_square(v), None, lambda q: [q[0] ** 2 / 4 + q[1] ** 2 / 2.25 + q[2] ** 2])
    (c, s), (C, S) = (math.cos(0.4), math.sin(0.4)), (math.cos(0.6), math.sin(0.6))
    q0 = [2 * c * C, 1.5 * c * S, s]
    v0 = [-2 * c * S * 0.8 - 2 * s * C * 0.5, 1.5 * c * C * 0.8 - 1.5 * s * S * 0.5, c * 0.5]

    def closed():
        kept = columns("bead_on_ellipsoid", ["joachimsthal"], "-m", "lobatto:stages=4")
        near("Joachimsthal's integral", kept, kept[0, 0], 1e-8)

    return Case(rate, [*q0, *v0], 5, 0.02, METHODS, closed=closed)


def rod(a, b, mass):
    """Kinetic energy of a uniform rod from the velocities of its ends: integrated along it."""
    s = sp.Symbol("s")
    square = sum(((1 - s) * x + s * y) ** 2 for x, y in zip(a, b))
    return mass * sp.integrate(sp.expand(square), (s, 0, 1)) / 2


@case
def four_bar():
    a, b, c, d, w = 0.4, 1.2, 0.9, 1.0, 6.0

    def L(q, v):
        kinetic = rod((0, 0), v[:2], a) + rod(v[:2], v[2:], b) + rod(v[2:], (0, 0), c)
        return kinetic - 9.81 / 2 * (a * q[1] + b * (q[1] + q[3]) + c * q[3])

    def bars(q):
        return [q[0] ** 2 + q[1] ** 2, (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2, (q[2] - d) ** 2 + q[3] ** 2]

    base = d + a
    X = (base**2 + b**2 - c**2) / (2 * base)
    Y = math.sqrt(b**2 - X**2)
    joint = np.array([X - a, Y])
    # The coupler and the rocker keep their lengths.
    speed = np.linalg.solve([joint - [-a, 0], joint - [d, 0]], [(joint - [-a, 0]) @ [0, -a * w], 0])
    return Case(dalembert(4, L, None, bars), [-a, 0, *joint, 0, -a * w, *speed], 1, 0.005, METHODS)


@case
def double_four_bar():
    def L(q, v):
        ends = list(zip(v[:3], v[3:]))
        kinetic = sum(rod((0, 0), e, 1) for e in ends) + rod(ends[0], ends[1], 1) + rod(ends[1], ends[2], 1)
        return kinetic - 9.81 * (q[3] + 1.5 * q[4] + q[5])

    def bars(q):
        x, y = q[:3], q[3:]
        up = [(x[i] - i) ** 2 + y[i] ** 2 for i in range(3)]
        return up + [(x[i + 1] - x[i]) ** 2 + (y[i + 1] - y[i]) ** 2 for i in range(2)]

    y0 = [0, 1, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    return Case(dalembert(6, L, None, bars), y0, 0.4, 0.004, METHODS)


@case
def slider_crank():
    r, l = 0.3, 0.8

    def L(q, v):
        crank = (-r * sin(q[0]) * v[0], r * cos(q[0]) * v[0])
        end = (crank[0] - l * sin(q[1]) * v[1], crank[1] + l * cos(q[1]) * v[1])
        kinetic = rod((0, 0), crank, 1) + rod(crank, end, 2) + 0.75 * v[2] ** 2
        return kinetic - 9.81 * (r / 2 * sin(q[0]) + 2 * (r * sin(q[0]) + l / 2 * sin(q[1])))

    loop = lambda q: [r * cos(q[0]) + l * cos(q[1]) - q[2], r * sin(q[0]) + l * sin(q[1])]
    y0 = [math.pi / 2, -math.asin(r / l), math.sqrt(l**2 - r**2), 5, 0, -r * 5]
    return Case(dalembert(3, L, None, loop), y0, 1, 0.005, METHODS)


@case
def flyball_governor():
    def L(q, v):
        phi, r, z, s = q
        kinetic = 0
        for side in (1, -1):  # both balls, in space
            place = sp.Matrix([side * r * cos(phi), side * r * sin(phi), z])
            rate = sum((place.diff(x) * dx for x, dx in zip(q, v)), sp.zeros(3, 1))
            kinetic += 5 * sp.simplify(rate.dot(rate)) / 2
        kinetic += v[3] ** 2 + v[0] ** 2 / 20
        return kinetic - 9.81 * (10 * z + 2 * s) - 400 * (s + 0.5) ** 2

    rods = lambda q: [q[1] ** 2 + q[2] ** 2, (q[1] / 2) ** 2 + (q[2] / 2 - q[3]) ** 2]
    a = math.pi / 6
    z0 = -math.cos(a)
    y0 = [0, math.sin(a), z0, z0 / 2 - math.sqrt(0.25 - 0.0625), 2 * math.pi, 0, 0, 0]
    return Case(dalembert(4, L, None, rods), y0, 1, 0.005, METHODS)


@case
def andrews_squeezer():
    def closed():  # published values at t = 0.03
        want = [15.8107711951537, -15.7563710584118, 0.0408222401196484, -0.534730116342074, 0.524409965879954]
        want += [0.534730116342074, 1.04808074104194]
        s = run("andrews_squeezer", "-m", "dop853:tol=1e-13")
        near("the end of the test set", s["q"], want, 5e-9)

    return Case(None, None, 0.03, 2e-5, (), closed=closed)


@case
def bricard():
    m, g = 1, 9.81

    def joints(q):  # rods turn about hinges that are square to one another, in turns to the left and to the right
        place, frame, places = sp.zeros(3, 1), sp.eye(3), []
        for i, angle in enumerate(q):
            frame = frame * turned("z", angle)
            place = place + frame * sp.Matrix([1, 0, 0])
            places.append(place)
            frame = frame * turned("x", sp.pi / 2 if i % 2 == 0 else -sp.pi / 2)
        return places, frame * sp.Matrix([0, 0, 1])

    def L(q, v):
        places, _ = joints(q)
        rates = [sum((p.diff(x) * dx for x, dx in zip(q, v)), sp.zeros(3, 1)) for p in places]
        kinetic, last = 0, sp.zeros(3, 1)
        for r in rates:
            kinetic += m * (last.dot(last) + last.dot(r) + r.dot(r)) / 6
            last = r
        return kinetic - m * g * (sum(p[1] for p in places) - places[-1][1] / 2)

    def loop(q):  # all five conditions: the oracle takes them by least squares
        places, hinge = joints(q)
        return [places[-1][0] + 1, places[-1][1], places[-1][2], hinge[0], hinge[2]]

    return Case(dalembert(5, L, None, loop), [math.pi / 2] * 5 + [0] * 5, 0.5, 0.005, METHODS)


@case
def car_axis():
    yb = sin(10 * t) / 10
    xb = sqrt(1 - yb**2)
    k = 10 * 1e-4 / 2

    def L(q, v):
        left, right = sqrt(q[0] ** 2 + q[1] ** 2), sqrt((q[2] - xb) ** 2 + (q[3] - yb) ** 2)
        return k * half_square(v) - k * (q[1] + q[3]) - (left - 0.5) ** 2 / 2 - (right - 0.5) ** 2 / 2

    rods = lambda q: [q[0] * xb + q[1] * yb, (q[0] - q[2]) ** 2 + (q[1] - q[3]) ** 2]
    rate = dalembert(4, L, None, rods)
    return Case(rate, [0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0], 1, 0.002, METHODS, conserves=False)


@case
def water_molecule():
    masses, charges = [15.9994, 1.008, 1.008], [-0.82, 0.41, 0.41]
    b, c = 1.0, 2 * math.sqrt(2 / 3)
    arm = math.sqrt(b**2 - c**2 / 4)

    def L(q, v):
        kinetic = sum(m * (v[i] ** 2 + v[3 + i] ** 2 + v[6 + i] ** 2) / 2 for i, m in enumerate(masses))
        return kinetic + 500 * sum(e * q[6 + i] for i, e in enumerate(charges))

    def bonds(q):
        return [sum((q[k + i] - q[k + j]) ** 2 for k in (0, 3, 6)) for i, j in ((0, 1), (0, 2), (1, 2))]

    x, y = [0, arm, arm], [0, c / 2, -c / 2]
    y0 = [*x, *y, 0, 0, 0, *(-5 * a for a in y), *(5 * a for a in x), *(10 * a for a in y)]
    return Case(dalembert(9, L, None, bonds), y0, 0.5, 0.002, METHODS)


@case
def butane():
    masses, b, a, s, speed = [15.035, 14.027, 14.027, 15.035], 1.53, math.radians(111), 1.2, 6.0

    def at(q, i):
        return sp.Matrix([q[i], q[4 + i], q[8 + i]])

    def L(q, v):
        kinetic = sum(m * at(v, i).dot(at(v, i)) / 2 for i, m in enumerate(masses))
        p = [at(q, i) for i in range(4)]
        bend = 0
        for i in (1, 2):
            bend += 26500 * ((p[i - 1] - p[i]).dot(p[i + 1] - p[i]) / b**2 - math.cos(a)) ** 2
        # The torsion from the parts of the outer bonds across the middle one: parallel and opposite at trans.
        middle = p[2] - p[1]
        across = [x - middle * x.dot(middle) / middle.dot(middle) for x in (p[0] - p[1], p[3] - p[2])]
        turn = -across[0].dot(across[1]) / sqrt(across[0].dot(across[0]) * across[1].dot(across[1]))
        series = (9.2789, 12.1557, -13.1202, -3.0597, 26.2403, -31.4950)
        return kinetic - bend - 100 * sum(c * turn**n for n, c in enumerate(series))

    def bonds(q):
        return [(at(q, i) - at(q, i + 1)).dot(at(q, i) - at(q, i + 1)) for i in range(3)]

    x = [b * math.cos(a), 0, b, b - b * math.cos(a)]
    y = [b * math.sin(a), 0, 0, -b * math.sin(a) * math.cos(s)]
    z = [0, 0, 0, b * math.sin(a) * math.sin(s)]
    y0 = [*x, *y, *z, 0, 0, 0, 0, 0, 0, 0, speed * math.sin(s), 0, 0, 0, speed * math.cos(s)]
    return Case(dalembert(12, L, None, bonds), y0, 0.2, 0.002, METHODS)


@case
def rigid_body_quaternion():
    def rate(_, y):  # Euler's equations with the torque of gravity, and e' = e w/2
        e, w = y[:4], y[4:]
        I = np.array([1, 1.2, 0.5])
        side = [e[1] * e[3] - e[0] * e[2], e[2] * e[3] + e[0] * e[1]]
        up = np.array([2 * side[0], 2 * side[1], 1 - 2 * (e[1] ** 2 + e[2] ** 2)])
        torque = np.cross([0, 0, 1], -up)  # the centre of mass is up the axis, the force -up
        dw = (torque - np.cross(w, I * w)) / I
        turn = [-e[1:] @ w, *(e[0] * w + np.cross(e[1:], w))]
        return np.concatenate([np.array(turn) / 2, dw])

    def closed():
        end = end_of(rate, [math.cos(0.3), math.sin(0.3), 0, 0, 0, 0, 4], 3)
        s = run("rigid_body_quaternion", "-m", "lobatto:stages=4", "--until", "3")
        near("Euler's equations", s["q"], end[:4], 1e-8)

    return Case(None, None, 3, 0.01, (), closed=closed)


if __name__ == "__main__":
    sys.exit(main(lambda text: "\nholonomic = [" in text and "\nvelocity " not in text))
