"""Pendulums, oscillators and tops: Lagrangians, with forces and with time."""

import math

import numpy as np
import sympy as sp
from scipy.special import ellipk

from _gallery import Case, case, columns, cos, exp, hamiltonian, lagrangian, near, run, sin, state, t


@case
def pendulum():
    g = 9.81
    amplitude = 2 * math.pi / 3
    period = 4 * ellipk(math.sin(amplitude / 2) ** 2) / math.sqrt(g)

    def closed():
        s = run("pendulum", "-m", "gauss:stages=6", "--step", period / 64, "--until", period)
        near("the angle after a period", state(s), [amplitude, 0], 1e-10)

    return Case(lambda _, y: np.array([y[1], -g * math.sin(y[0])]), [amplitude, 0], 6, 0.05, closed=closed)


@case
def double_pendulum():
    def L(q, v):
        (a, b), (da, db) = q, v
        # m = l = 1
        return da**2 + db**2 / 2 + da * db * cos(a - b) + 9.81 * (2 * cos(a) + cos(b))

    return Case(lagrangian(2, L), [1.2, 0.7, 0, 0], 5, 0.02)


@case
def spherical_pendulum():
    def L(q, v):
        return (v[0] ** 2 + (sin(q[0]) * v[1]) ** 2) / 2 + 9.81 * cos(q[0])

    return Case(lagrangian(2, L), [1, 0, 0, 1.5], 6, 0.02)


@case
def elastic_pendulum():
    def rate(_, y):
        r = y[:3]
        length = np.linalg.norm(r)
        return np.concatenate([y[3:], -39.24 * (1 - 0.75 / length) * r - [0, 0, 9.81]])

    return Case(rate, [0.04, 0, -1.08, 0, 0.034, 0], 10, 0.05)


@case
def stiff_spring():
    def rate(_, z):
        x, y, dx, dy = z
        return np.array([dx, dy, -(x**3) - x * y / 5, -2500 * y - x**2 / 10])

    return Case(rate, [1, 0.01, 0, 0.5], 10, 0.01)


@case
def spring_pendulum():
    def L(q, v):
        (r, a), (dr, da) = q, v
        return (dr**2 + r**2 * da**2) / 2 - 20 * (r - 1) ** 2 + 9.81 * r * cos(a)

    return Case(lagrangian(2, L), [1.3, 0.9, 0, 0], 6, 0.02)


@case
def henon_heiles():
    def H(q, p):
        (x, y), (px, py) = q, p
        return (px**2 + py**2 + x**2 + y**2) / 2 + x**2 * y - y**3 / 3

    return Case(hamiltonian(2, H), [0, -0.25, 0.42, 0], 20, 0.1, momenta=True)


@case
def duffing_driven():
    def rate(time, y):
        return np.array([y[1], y[0] - y[0] ** 3 + 0.5 * math.cos(1.2 * time) - 0.3 * y[1]])

    return Case(rate, [1, 0], 20, 0.1, conserves=False)


def damped(time):
    rate, freq = 0.15, math.sqrt(4 - 0.15**2)
    fade, c, s = math.exp(-rate * time), math.cos(freq * time), math.sin(freq * time)
    return [fade * (c + rate / freq * s), -fade * (rate**2 / freq + freq) * s]


@case
def damped_oscillator():
    def closed():
        s = run("damped_oscillator", "-m", "gauss:stages=6", "--step", "0.1")
        near("the closed form", state(s), damped(s["t_end"]), 1e-12)
        near("its observable", columns("damped_oscillator", ["error"], "-m", "gauss:stages=6"), 0, 1e-12)

    return Case(lambda _, y: np.array([y[1], -4 * y[0] - 0.3 * y[1]]), [1, 0], 10, 0.1, conserves=False, closed=closed)


@case
def caldirola_kanai():
    def closed():
        s = run("caldirola_kanai", "-m", "gauss:stages=6", "--step", "0.1")
        near("the closed form", state(s), damped(s["t_end"]), 1e-12)
        kept = columns("caldirola_kanai", ["invariant"], "-m", "gauss:stages=6")
        near("the invariant", kept, 2, 1e-11)

    L = lambda q, v: exp(sp.Rational(3, 10) * t) * (v[0] ** 2 / 2 - 2 * q[0] ** 2)
    return Case(lagrangian(1, L), [1, 0], 10, 0.1, conserves=False, closed=closed)


@case
def kapitza_pendulum():
    def L(q, v):
        x, y = sin(q[0]), sp.Rational(1, 10) * cos(60 * t) - cos(q[0])
        speed = [x.diff(q[0]) * v[0], y.diff(q[0]) * v[0] + y.diff(t)]
        return (speed[0] ** 2 + speed[1] ** 2) / 2 - 9.81 * y

    def closed():  # it stays up, and falls when the shaking is too slow
        up = columns("kapitza_pendulum", ["theta"])
        down = columns("kapitza_pendulum", ["theta"], "--set", "w=30")
        assert np.max(np.abs(up - np.pi)) < 0.5 < 1.5 < np.max(np.abs(down - np.pi)), "stability upside down"

    return Case(lagrangian(1, L), [math.pi - 0.3, 0], 1, 0.005, conserves=False, closed=closed)


@case
def particle_on_rotating_hoop():
    def rate(_, y):
        return np.array([y[1], 16 * math.sin(y[0]) * math.cos(y[0]) - 9.81 * math.sin(y[0])])

    def closed():
        s = run("particle_on_rotating_hoop", "--q", "theta=acos(g/(r*w^2))")
        near("the place of rest", state(s), [math.acos(9.81 / 16), 0], 1e-13)

    return Case(rate, [0.1, 0], 5, 0.05, closed=closed)


@case
def torus_geodesic():
    def L(q, v):
        return ((2 + 0.8 * cos(q[0])) ** 2 * v[1] ** 2 + (0.8 * v[0]) ** 2) / 2

    def closed():
        speed, axis = columns("torus_geodesic", ["speed", "axis"], "-m", "gauss:stages=4")
        near("the speed", speed, math.sqrt(0.7**2 + 0.8**2), 1e-12)
        near("Clairaut's constant", axis, 2.8**2 * 0.25, 1e-13)

    return Case(lagrangian(2, L), [0, 0, 1, 0.25], 10, 0.05, closed=closed)


@case
def heavy_symmetric_top():
    def L(q, v):
        # Angular velocity in the frame of the axis: (theta', phi' sin theta, psi' + phi' cos theta).
        w = (v[0], v[1] * sin(q[0]), v[2] + v[1] * cos(q[0]))
        return (w[0] ** 2 + w[1] ** 2) / 2 + w[2] ** 2 / 4 - cos(q[0])

    return Case(lagrangian(3, L), [0.6, 0, 0, 0, 0, 6], 10, 0.05)


@case
def double_well():
    def H(q, p):
        return p[0] ** 2 / 2 - q[0] ** 2 / 2 + q[0] ** 4 / 4

    return Case(hamiltonian(1, H), [1.42, 0], 10, 0.05, momenta=True)


@case
def foucault_pendulum():
    turn, w2 = 2 * math.pi / 2000 * math.sin(math.radians(48.85)), 9.81 / 67

    def closed():
        s = run("foucault_pendulum", "-m", "gauss:stages=6")
        time, fast = s["t_end"], math.sqrt(w2 + turn**2)
        z = np.exp(-1j * turn * time) * (3 * math.cos(fast * time) + 3j * turn / fast * math.sin(fast * time))
        near("the closed form", s["q"], [z.real, z.imag], 1e-10)

    def rate(_, y):
        return np.array([y[2], y[3], 2 * turn * y[3] - w2 * y[0], -2 * turn * y[2] - w2 * y[1]])

    return Case(rate, [3, 0, 0, 0], 50, 0.5, closed=closed)


@case
def swinging_atwood():
    def rate(_, y):
        r, a, dr, da = y
        return np.array([dr, da, (r * da**2 + math.cos(a) - 3) / 4, (-2 * dr * da - math.sin(a)) / r])

    def closed():
        kept = columns("swinging_atwood", ["integral"], "-m", "gauss:stages=6")
        near("Tufillaro's integral", kept, kept[0, 0], 1e-9)

    return Case(rate, [1, 1.2, 0, 0.5], 5, 0.01, closed=closed)
