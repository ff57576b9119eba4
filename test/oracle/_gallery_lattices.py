"""Chains of particles: families of coordinates."""

import math

import numpy as np

from _gallery import Case, case, columns, end_of, near, run, state


def chain(n, spring, site=lambda u: 0 * u, mass=1.0, left=0.0, right=0.0):
    """u'' = (F(d_i) - F(d_i-1) - V'(u_i))/mass, with given ends."""

    def rate(_, y):
        pull = spring(np.diff(np.concatenate([[left], y[:n], [right]])))
        return np.concatenate([y[n:], (np.diff(pull) - site(y[:n])) / mass])

    return rate


@case
def toda():
    n = 8

    def rate(_, y):
        bond = np.exp(y[:n] - np.roll(y[:n], -1))  # of i and i+1, around
        return np.concatenate([y[n:], np.roll(bond, 1) - bond])

    i = np.arange(1, n + 1)
    v0 = 0.1 + 1.5 * np.sin(2 * np.pi * i / n) + 0.5 * np.cos(4 * np.pi * i / n)

    def closed():
        third = columns("toda", ["third"], "-m", "gauss:stages=6", "--step", "0.05")
        near("Henon's integral", third, third[0, 0], 1e-12)

    return Case(rate, np.concatenate([0 * v0, v0]), 10, 0.1, closed=closed)


@case
def fput():
    n = 32
    x0 = np.sin(np.pi * np.arange(1, n + 1) / (n + 1))

    def closed():
        s = run("fput", "-m", "gauss:stages=6", "--set", "alpha=0", "--set", "beta=0.4", "--until", "30")
        want = end_of(chain(n, lambda d: d + 0.4 * d**3), np.concatenate([x0, 0 * x0]), s["t_end"])
        near("the chain with beta", state(s), want, 1e-8)
        # As on the MANIAC: the energy leaves mode 1, and most of it comes back.
        time, first, energy = columns("fput", ["t", "mode_1", "energy"], "--every", "250")
        near("the energy of mode 1", first[0], energy[0], 1e-15)
        assert min(first) < 0.12 * energy[0], "the energy stays in mode 1"
        assert max(first[time > 9000]) > 0.95 * energy[0], "no recurrence"

    return Case(chain(n, lambda d: d + 0.25 * d**2), np.concatenate([x0, 0 * x0]), 30, 0.5, closed=closed)


@case
def sine_gordon():
    n, a, w = 80, 0.25, 0.6
    x = a * (np.arange(1, n + 1) - (n + 1) / 2)
    u0 = 4 * np.arctan(math.sqrt(1 - w**2) / w / np.cosh(math.sqrt(1 - w**2) * x))
    rate = chain(n, lambda d: d / a, lambda u: a * np.sin(u), a)
    return Case(rate, np.concatenate([u0, 0 * u0]), 4, 0.1)


@case
def lattice_phi4():
    n, a, c, s = 160, 0.25, 0.225, 7
    x = a * (np.arange(1, n + 1) - (n + 1) / 2)
    b = 1 / math.sqrt(2 * (1 - c**2))

    def kinks(time):
        return np.tanh(b * (x + s - c * time)) - np.tanh(b * (x - s + c * time)) - 1

    v0 = -c * b * (1 / np.cosh(b * (x + s)) ** 2 + 1 / np.cosh(b * (x - s)) ** 2)
    assert np.max(np.abs((kinks(1e-5) - kinks(-1e-5)) / 2e-5 - v0)) < 1e-9
    rate = chain(n, lambda d: d / a, lambda u: a * (u**3 - u), a, -1, -1)
    return Case(rate, np.concatenate([kinks(0), v0]), 4, 0.1)
