"""Charges, photons and vortices: J z' = grad H with structures of their own, regular and singular."""

import math

import numpy as np
from scipy.optimize import brentq

from _gallery import Case, case, columns, near, run


@case
def charged_particle():
    B = np.array([0, 0, 3.0])

    def rate(_, y):
        (x, y_, z), v = y[:3], y[3:]
        rho2 = x**2 + y_**2
        across = -1 / 2 + 0.1 * (-6 * z**2 + 3 / 2 * rho2)  # potential' = across*(x, y), and along z
        gradient = np.array([across * x, across * y_, z + 0.1 * (4 * z**3 - 6 * z * rho2)])
        return np.concatenate([v, np.cross(v, B) - gradient])

    def closed():
        spin = columns("charged_particle", ["spin"])
        near("the spin", spin, spin[0, 0], 1e-13)

    return Case(rate, [0.5, 0, 0.3, 0, 0.6, 0], 10, 0.05, closed=closed)


@case
def charged_particle_lagrangian():
    def rate(_, y):
        x, _, u, v = y
        B = 1 + 0.2 * x
        return np.array([u, v, B * v + 0.1, -B * u])

    def closed():  # without gradient: a circle that drifts with E/B
        s = run("charged_particle_lagrangian", "-m", "gauss:stages=6", "--set", "s=0")
        drift, time = -0.1, s["t_end"]
        z = complex(0, 0.8 - drift) * (1 - np.exp(-1j * time)) / 1j + 1j * drift * time
        near("the cycloid", s["q"], [z.real, z.imag], 1e-11)

    return Case(rate, [0, 0, 0, 0.8], 20, 0.1, closed=closed)


@case
def stormer():
    def rate(_, y):
        r, v = y[:3], y[3:]
        d = np.linalg.norm(r)
        # A = (-y, x, 0)/r^3 is the potential of a unit dipole: B = (3 z r - r^2 e_z)/r^5
        B = (3 * r[2] * r - d**2 * np.array([0, 0, 1])) / d**5
        return np.concatenate([v, np.cross(v, B)])

    def closed():
        moment, r = columns("stormer", ["magnetic_moment", "latitude"], "-m", "gauss:stages=4")
        assert np.ptp(moment) < moment[0] and r.min() < -0.3 and r.max() > 0.3, "no mirror points"

    return Case(rate, [1, 0, 0, 0.02, 0, 0.03], 50, 0.2, closed=closed)


def photon_rate():
    k, m, g = 1.0, 1.2, 0.3

    def a_0(y):  # dH/da_0 = 0, the root that is small where the momentum is
        transverse = y[0] ** 2 + y[1] ** 2
        return brentq(lambda a: -k * y[2] - m**2 * a + g * (a**2 - transverse) * a, -1.2, 1.2, xtol=1e-16, rtol=1e-15)

    def rate(_, y):
        a = a_0(y)
        A = a**2 - y[0] ** 2 - y[1] ** 2
        mass = m**2 - g * A
        return np.array([y[2] - k * a, y[3], -mass * y[0], -(k**2 + mass) * y[1]])

    return rate, a_0


@case
def massive_photon():
    rate, a_0 = photon_rate()
    return Case(rate, [0.6, 0.4, 0.5, -0.2], 10, 0.1, to_state=lambda y: np.append(y, a_0(y)))


@case
def massive_photon_skewed():
    rate, a_0 = photon_rate()
    S = np.array([[1, 0, 0, 0, 2], [0, 1, 0, 0, -1], [1, 0, 1, 0, 0], [0, 0, 0, 1, 1], [0, 1, 0, 0, 1]])

    def z(w3):
        return S @ [0.5, 0.1, w3, -0.1, -0.2]

    w3 = brentq(lambda w: a_0(z(w)[:4]) - z(w)[4], -0.7, 0, xtol=1e-16, rtol=1e-15)
    return Case(rate, z(w3)[:4], 10, 0.1, to_state=lambda y: np.linalg.solve(S, np.append(y, a_0(y))))


@case
def guiding_center():
    def rate(_, y):
        x, y_, z, u = y
        B, s = 2.0, 0.3
        E = np.array([math.sin(x) + s / 2 * z**2 * math.sin(x), math.sin(y_), -z * (1 + s * math.cos(x))])
        drift = np.cross(E, [0, 0, B]) / B**2
        return np.array([drift[0], drift[1], u, E[2]])

    return Case(rate, [1, 0.5, 0.4, 0.3], 20, 0.1)


@case
def point_vortices():
    c = np.array([1, 1, 0.5])

    def rate(_, z):  # Biot and Savart: each turns about the others
        p = z[0::2] + 1j * z[1::2]
        w = [sum(c[j] * 1j * (p[i] - p[j]) / abs(p[i] - p[j]) ** 2 for j in range(3) if j != i) for i in range(3)]
        w = np.array(w) / (2 * np.pi)
        return np.stack([w.real, w.imag], 1).ravel()

    def closed():
        invariants = columns("point_vortices", ["impulse_x", "impulse_y", "spin"])
        near("impulses and spin", invariants - invariants[:, :1], 0, 1e-13)

    return Case(rate, [1, 0, -1, 0, 0.2, 1.2], 40, 0.2, closed=closed)
