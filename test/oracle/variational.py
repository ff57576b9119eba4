"""Every variational model of the gallery against a second derivation; one line a model, exit 1 if one fails."""

import math
import sys

import numpy as np
import sympy as sp

from _constrained import Case, case, cos, disk, disk_rolls, half_square, main, sin, space_rate, sqrt, turned, vakonomic
from _gallery import columns, near, run

METHODS = ("gauss:stages=4", "dop853:tol=1e-12", "lobatto:stages=5", "partitioned:stages=5")


def vehicle(q, v):
    return [v[0] * sin(q[3]) - v[1] * cos(q[3]), v[0] * sin(q[2]) - v[1] * cos(q[2]) + 0.3 * v[2]]


START = [0.2, 0.7, 0.4 * math.cos(0.7), 0.4 * math.sin(0.7), 0.4 * math.sin(0.5) / 0.3, 0.3]


@case
def vehicle_free():
    return Case(vakonomic(4, lambda q, v: half_square(v), vehicle), [0, 0, *START, 0.2, -0.1], 5, 0.05, METHODS)


@case
def vehicle_bowl():
    def L(q, v):
        x, y = q[0] - 0.15 * cos(q[2]), q[1] - 0.15 * sin(q[2])
        return half_square(v) + cos(sqrt(x**2 + y**2))

    def closed():  # the lowest point of the bowl is no special place for the formulas
        s = run("vehicle_bowl", "--q", "x=L/2", "--q", "y=0", "--q", "theta=0", "--q", "phi=0", *REST, "--steps", "5")
        near("the rest", s["q"], [0.15, 0, 0, 0], 1e-15)

    return Case(vakonomic(4, L, vehicle), [0.5, 0.2, *START, 0, 0], 5, 0.05, METHODS, closed=closed)


REST = [word for x in ("x", "y", "theta", "phi") for word in ("--v", f"{x}=0")]


@case
def vehicle_circle():
    rate = vakonomic(4, lambda q, v: half_square(v), vehicle)
    y0 = [0.3, 0, 0, math.pi / 2, 0, 0.3, 1, 1, 0, -0.3]

    def closed():
        time, distance = columns("vehicle_circle", ["t", "distance"])
        near("the circle", distance[time < 60], 0, 1.3e-4)  # the method keeps a circle beside it, O(h^2) away
        assert np.max(np.abs(distance)) > 0.1, "the circle is not stable"

    return Case(rate, y0, 5, 0.05, METHODS, closed=closed, energy=0.1)


@case
def vehicle_line():
    rate = vakonomic(4, lambda q, v: half_square(v), vehicle)
    return Case(rate, [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], 5, 0.1, METHODS)


def heisenberg_form(q, v):
    return [v[2] + q[0] * v[1] - q[1] * v[0]]


@case
def heisenberg():
    rate = vakonomic(3, lambda q, v: half_square(v), heisenberg_form)
    return Case(rate, [0, 0, 0, 0.1, 0.3, 0, -1], 10, 0.1, METHODS)


@case
def heisenberg_potential():
    L = lambda q, v: half_square(v) - half_square(q[:2]) - q[2] ** 2
    return Case(vakonomic(3, L, heisenberg_form), [0.6, 0, 0.2, 0.2, 0.5, -0.3, 0.4], 10, 0.1, METHODS)


def regular(L, phi):
    """A metric that is regular, and the same where phi = 0: here with another weight than in the models."""
    return lambda q, v: L(q, v) + 3 * half_square(phi(q, v))


@case
def heisenberg_geodesic():
    phi = lambda q, v: [v[2] - (q[0] * v[1] - q[1] * v[0]) / 2]

    def closed():
        error = columns("heisenberg_geodesic", ["error"], "-m", "gauss:stages=6", "--until", "5")
        near("circle and area", error, 0, 1e-12)

    rate = vakonomic(3, regular(lambda q, v: half_square(v[:2]), phi), phi)
    return Case(rate, [0, 0, 0, 1, 0, 0, -1.5], 5, 0.1, METHODS, closed=closed)


@case
def martinet():
    phi = lambda q, v: [v[2] - q[1] ** 2 * v[0] / 2]
    rate = vakonomic(3, regular(lambda q, v: half_square(v[:2]), phi), phi)
    return Case(rate, [0, 0, 0, 0.6, 0.8, 0, -1.2], 5, 0.05, METHODS)


@case
def engel():
    phi = lambda q, v: [v[2] - q[0] * v[1], v[3] - q[0] ** 2 * v[1] / 2]
    rate = vakonomic(4, regular(lambda q, v: half_square(v[:2]), phi), phi)
    return Case(rate, [0, 0, 0, 0, 0.6, 0.8, 0, 0, 0.5, -1], 5, 0.05, METHODS)


@case
def grushin():
    phi = lambda q, v: [v[1] - q[0] * v[2]]

    def closed():
        near("the closed form", columns("grushin", ["error"], "-m", "gauss:stages=6", "--until", "10"), 0, 1e-12)

    rate = vakonomic(3, regular(lambda q, v: half_square([v[0], v[2]]), phi), phi)
    return Case(rate, [0, 0, 0, 1, 0, 0, -2], 5, 0.05, METHODS, closed=closed)


@case
def rolling_disk_variational():
    return Case(vakonomic(4, disk, disk_rolls), [0, 0, 0, 0, 1, 0, 2, 0.7, 0.3, 0.2], 5, 0.02, METHODS)


@case
def trailers_geodesic():
    def axles(q, v):
        rows, x, y = [], v[0], v[1]
        for a, da in zip(q[2:], v[2:]):
            rows.append(x * sin(a) - y * cos(a))
            x, y = x - sin(a) * da, y + cos(a) * da
        return rows

    rate = vakonomic(5, lambda q, v: half_square(v), axles)
    return Case(rate, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0.3, 0.1, 0.2, -0.3], 5, 0.02, METHODS)


@case
def rolling_sphere_geodesic():
    def spin(q, v):
        return space_rate(turned("z", q[2]) * turned("x", q[3]) * turned("z", q[4]), q, v)

    def phi(q, v):
        w = spin(q, v)
        slip = w.cross(sp.Matrix([0, 0, -1]))
        return [v[0] + slip[0], v[1] + slip[1], w[2]]

    L = lambda q, v: half_square(v[:2]) + spin(q, v).dot(spin(q, v)) / 2
    return Case(vakonomic(5, L, phi), [0, 0, 0, math.pi / 2, 0, 0.5, 0, 0, 0, -0.5, 0.4, 0.2, 0.5], 3, 0.02, METHODS)


@case
def magnetic_particle():
    def rate(_, y):  # Lorentz's force, charge -1 in the field 1 + 0.2 x; z gathers the flux
        x, _, _, u, v, _, l = y
        B, A = 1 + 0.2 * x, x + 0.1 * x**2
        return np.array([u, v, A * v, l * B * v, -l * B * u, B * u * v + A * (-l * B * u), 0])

    return Case(rate, [0, 0, 0, 0, 0.8, 0, -1], 10, 0.05, METHODS)


@case
def falling_cat():
    def spin(q, v):
        th, al, be = q
        # The links turn at th' + al', th', th' + be'; masses and half lengths are 1, moments 1/3.
        angles, rates = [th + al, th, th + be], [v[0] + v[1], v[0], v[0] + v[2]]
        e = [sp.Matrix([cos(a), sin(a)]) for a in angles]
        de = [sp.Matrix([-sin(a), cos(a)]) * r for a, r in zip(angles, rates)]
        r = [-e[1] - e[0], sp.zeros(2, 1), e[1] + e[2]]
        dr = [-de[1] - de[0], sp.zeros(2, 1), de[1] + de[2]]
        c, dc = sum(r, sp.zeros(2, 1)) / 3, sum(dr, sp.zeros(2, 1)) / 3
        turns = sum((a - c)[0] * (b - dc)[1] - (a - c)[1] * (b - dc)[0] for a, b in zip(r, dr))
        return [turns + sum(rates) / 3]

    rate = vakonomic(3, regular(lambda q, v: half_square(v[1:]), spin), spin)
    return Case(rate, [0, 1, -1, 0, 0.5, -0.5, 0.2], 5, 0.02, METHODS)


if __name__ == "__main__":
    sys.exit(main(lambda text: '"variational"' in text))
