"""Every model of the gallery against a second derivation.

The formulas are typed here again, from the physics and not from models/*.toml; SymPy derives the equations of motion
(or they are written down by hand), SciPy's DOP853 integrates them, and the end must agree with gauss:stages=6 and with
dop853 of the program. Then: the run that the model proposes, observed orders, and closed forms where there are any.

One line a model; exit 1 if one of them fails. RATTLEBACK is the program (default build/rattleback); names of models
after the script's name run only those.
"""

import json
import math
import os
import subprocess
import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("RATTLEBACK", str(ROOT / "build" / "rattleback"))

t = sp.Symbol("t")
sin, cos, exp, sqrt, log, pi = sp.sin, sp.cos, sp.exp, sp.sqrt, sp.log, sp.pi


# --- the program -----------------------------------------------------------------------------------------------------


def rattleback(verb, name, *options):
    model = str(ROOT / "models" / f"{name}.toml")
    done = subprocess.run([PROGRAM, verb, model, *map(str, options)], capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        raise AssertionError(f"{verb} {' '.join(map(str, options))}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def run(name, *options):
    return json.loads(rattleback("run", name, "--json", *options))


def columns(name, wanted, *options):
    lines = rattleback("run", name, "--quiet", "-o", "-", "--columns", ",".join(wanted), *options).splitlines()
    return np.array([[float(x) for x in line.split(",")] for line in lines[1:]]).T


def state(summary):
    return np.array(summary.get("z") or summary["q"] + summary["v"])


# --- the other derivation --------------------------------------------------------------------------------------------


def lagrangian(count, formula, force=None):
    """y' of y = (q, v) from L(q, v) and F(q, v), by d/dt L_v = L_q + F."""
    q, v = sp.symbols(f"q:{count}"), sp.symbols(f"v:{count}")
    L = sp.sympify(formula(q, v))
    momentum = sp.Matrix([L]).jacobian(v).T
    metric = momentum.jacobian(v)
    rest = sp.Matrix([L]).jacobian(q).T - momentum.jacobian(q) * sp.Matrix(v) - momentum.diff(t)
    if force:
        rest += sp.Matrix(force(q, v))
    both = sp.lambdify((t, *q, *v), [metric, rest], "numpy", cse=True)

    def rate(time, y):
        M, f = both(time, *y)
        return np.concatenate([y[count:], np.linalg.solve(M, f).ravel()])

    return rate


def hamiltonian(count, formula):
    """y' of y = (q, p)."""
    q, p = sp.symbols(f"q:{count}"), sp.symbols(f"p:{count}")
    H = sp.sympify(formula(q, p))
    rate = sp.lambdify((t, *q, *p), [H.diff(x) for x in p] + [-H.diff(x) for x in q], "numpy", cse=True)
    return lambda time, y: np.array(rate(time, *y), dtype=float)


def first_order(count, formula):
    """y' given by formulas."""
    y = sp.symbols(f"y:{count}")
    rate = sp.lambdify(y, formula(y), "numpy", cse=True)
    return lambda time, values: np.array(rate(*values), dtype=float)


def end_of(rate, y0, until):
    found = solve_ivp(rate, (0, until), y0, method="DOP853", rtol=1e-13, atol=1e-14)
    assert found.success, found.message
    return found.y[:, -1]


# --- the models ------------------------------------------------------------------------------------------------------


class Case:
    """rate and y0 = (q, v), (q, p) or z, typed here; until and step of the comparison; a check of closed forms."""

    def __init__(self, rate, y0, until, step, momenta=False, conserves=True, to_state=None, closed=None):
        self.rate, self.y0, self.until, self.step, self.momenta = rate, y0, until, step, momenta
        self.conserves, self.closed = conserves, closed
        self.to_state = to_state or (lambda y: y)


CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def near(what, got, want, tolerance):
    error = float(np.max(np.abs(np.asarray(got, dtype=float) - np.asarray(want, dtype=float))))
    assert error <= tolerance, f"{what} is off by {error:.2g}, at most {tolerance:.0e} is allowed"


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
def spring_pendulum():
    def L(q, v):
        (r, a), (dr, da) = q, v
        return (dr**2 + r**2 * da**2) / 2 - 20 * (r - 1) ** 2 + 9.81 * r * cos(a)

    return Case(lagrangian(2, L), [1.3, 0.9, 0, 0], 6, 0.02)


@case
def kepler():
    def rate(_, y):
        return np.concatenate([y[2:], -y[:2] / np.linalg.norm(y[:2]) ** 3])

    def closed():
        # Any half axis a has the period 2 pi a^(3/2): vis-viva v^2 = k (2/r - 1/a).
        r, v = 0.4, 1.9
        a = 1 / (2 / r - v**2)
        period = 2 * math.pi * a**1.5
        s = run("kepler", "-m", "gauss:stages=6", "--v", f"y={v}", "--step", period / 400, "--until", period)
        near("the place after a period", state(s), [r, 0, 0, v], 1e-10)
        lenz = columns("kepler", ["lenz_x", "lenz_y"], "-m", "gauss:stages=6")
        near("the Runge-Lenz vector", lenz - np.array([[0.6], [0]]), 0, 1e-10)

    return Case(rate, [0.4, 0, 0, 2], 10, 0.02, closed=closed)


@case
def two_body():
    def rate(_, y):
        d = y[3:6] - y[:3]
        f = d / np.linalg.norm(d) ** 3
        return np.concatenate([y[6:], 0.3 * f, -1.0 * f])

    y0 = [0, 0, 0, 1, 0, 0.2, 0.1, -0.2, 0, 0, 0.8, 0.3]

    def closed():
        time, centre = columns("two_body", ["t", "centre_x"])
        near("the centre of mass", centre, (0.3 + 0.1 * time) / 1.3, 1e-13)

    return Case(rate, y0, 10, 0.05, closed=closed)


@case
def relativistic_kepler():
    c = 4.0

    def L(q, v):
        return -(c**2) * sqrt(1 - (v[0] ** 2 + v[1] ** 2) / c**2) + 1 / sqrt(q[0] ** 2 + q[1] ** 2)

    def closed():
        # (d/dphi)^2 u + w^2 u = k E/(c^2 J^2), u = 1/r: a conic whose angle runs at the rate w.
        x, y = columns("relativistic_kepler", ["x", "y"], "-m", "gauss:stages=6")
        lorentz = 1 / math.sqrt(1 - 0.64 / c**2)
        J, E = lorentz * 0.8, lorentz * c**2 - 1
        w = math.sqrt(1 - 1 / (c * J) ** 2)
        mean = E / (c * J * w) ** 2
        phi = np.unwrap(np.arctan2(y, x))
        assert phi[-1] > 40
        near("the rosette", 1 / np.hypot(x, y), mean + (1 - mean) * np.cos(w * phi), 1e-11)

    return Case(lagrangian(2, L), [1, 0, 0, 0.8], 10, 0.05, closed=closed)


@case
def henon_heiles():
    def H(q, p):
        (x, y), (px, py) = q, p
        return (px**2 + py**2 + x**2 + y**2) / 2 + x**2 * y - y**3 / 3

    return Case(hamiltonian(2, H), [0, -0.25, 0.42, 0], 20, 0.1, momenta=True)


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


def gravity(G, masses):
    masses = np.array(masses)
    n = len(masses)

    def rate(_, y):
        r = y[: y.size // 2].reshape(n, -1)
        d = r[None, :, :] - r[:, None, :]
        cube = np.sum(d**2, axis=2) ** 1.5 + np.eye(n)
        return np.concatenate([y[y.size // 2 :], (G * (masses[None, :, None] * d / cube[:, :, None]).sum(1)).ravel()])

    return rate


@case
def three_body_figure_eight():
    a, b, vx, vy = 0.97000436, -0.24308753, -0.93240737, -0.86473146
    y0 = [a, b, -a, -b, 0, 0, -vx / 2, -vy / 2, -vx / 2, -vy / 2, vx, vy]  # body by body
    by_family = [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]

    def closed():
        s = run("three_body_figure_eight", "-m", "gauss:stages=6")
        near("the place after a period", state(s), np.array(y0)[by_family], 1e-6)
        third = run("three_body_figure_eight", "-m", "gauss:stages=6", "--steps", "300", "--step", s["t_end"] / 900)
        near("the next body's place after a third", sorted(third["q"]), sorted(s["q"]), 1e-6)

    rate = gravity(1, [1, 1, 1])
    return Case(rate, y0, 3, 0.02, to_state=lambda y: y[by_family], closed=closed)


@case
def outer_solar_system():
    bodies = """
        1.00000597682        0           0           0           0          0          0
        0.000954786104043   -3.5023653  -3.8169847  -1.5507963   0.00565429 -0.00412490 -0.00190589
        0.000285583733151    9.0755314  -3.0458353  -1.6483708   0.00168318  0.00483525  0.00192462
        0.0000437273164546   8.3101420 -16.2901086  -7.2521278   0.00354178  0.00137102  0.00055029
        0.0000517759138449  11.4707666 -25.7294829 -10.8169456   0.00288930  0.00114527  0.00039677
        7.692307692307692e-9 -15.5387357 -25.2225594 -3.1902382  0.00276725 -0.00170702 -0.00136504
    """
    table = np.array(bodies.split(), dtype=float).reshape(6, 7)
    y0 = np.concatenate([table[:, 1:4].ravel(), table[:, 4:].ravel()])

    def closed():  # Kepler's third law for Jupiter, whose year is 4333 days
        time, distance = columns("outer_solar_system", ["t", "jupiter_distance"], "--until", "20000", "--step", "20")
        nearest = [i for i in range(1, len(time) - 1) if distance[i] < min(distance[i - 1], distance[i + 1])]
        near("Jupiter's year", np.diff(time[nearest]), 4333, 40)

    return Case(gravity(2.95912208286e-4, table[:, 0]), y0, 5000, 50, closed=closed)


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


def restricted(mu):
    def rate(_, y):
        x, y_, u, v = y
        first, second = ((x + mu) ** 2 + y_**2) ** 1.5, ((x - 1 + mu) ** 2 + y_**2) ** 1.5
        return np.array(
            [
                u,
                v,
                x + 2 * v - (1 - mu) * (x + mu) / first - mu * (x - 1 + mu) / second,
                y_ - 2 * u - (1 - mu) * y_ / first - mu * y_ / second,
            ]
        )

    return rate


@case
def trojan():
    mu = 9.53875e-4

    def closed():  # the corner of the triangle is an equilibrium
        s = run("trojan", "--q", "y=sqrt(3)/2")
        near("the corner", state(s), [0.5 - mu, math.sqrt(3) / 2, 0, 0], 1e-12)

    return Case(restricted(mu), [0.5 - mu, math.sqrt(3) / 2 + 0.01, 0, 0], 20, 0.1, closed=closed)


@case
def arenstorf():
    mu, v = 0.012277471, -2.00158510637908252240537862224

    def closed():
        s = run("arenstorf", "-m", "dop853:tol=1e-14")
        near("the place after a period", s["q"], [0.994, 0], 1e-6)

    return Case(restricted(mu), [0.994, 0, 0, v], 1, 1e-3, closed=closed)


# --- what is asked of each -------------------------------------------------------------------------------------------

FEWER = {"fput": ("--set", "n=6"), "sine_gordon": ("--set", "n=6"), "lattice_phi4": ("--set", "n=6")}


def check(name):
    c = CASES[name]()
    error = 0.0
    for method in ("gauss:stages=6", "dop853"):  # implicit and explicit: two ways through the program
        s = run(name, "-m", method, "--step", c.step, "--until", c.until)
        if method == "gauss:stages=6":
            want = c.to_state(end_of(c.rate, np.array(c.y0, dtype=float), s["t_end"]))
        # Where the model is given by a Hamiltonian the numbers here are (q, p).
        got = np.array(s["q"] + s["p"]) if c.momenta else state(s)
        off = float(np.max(np.abs(got - want)) / max(1, np.max(np.abs(want))))
        assert off <= 1e-8, f"{method} is off by {off:.2g} after {s['t_end']:g}"
        error = max(error, off)

    proposed = run(name)
    assert proposed["status"] == "finished"
    if c.conserves:
        scale = max(abs(proposed["energy_initial"]), 1e-300)
        drift = abs(proposed["energy_drift_per_time"] * proposed["t_end"])
        assert proposed["energy_error_max"] < 5e-3 * scale, f"energy error {proposed['energy_error_max']:.2g}"
        assert drift <= 0.2 * proposed["energy_error_max"] + 1e-13 * scale, f"energy drift {drift:.2g}"
    for momentum, worst in proposed["momentum_error_max"].items():
        assert worst < 1e-13 * max(1, np.max(np.abs(proposed["p"]))), f"momentum {momentum}: {worst:.2g}"

    orders = []
    if name not in ("arenstorf", "outer_solar_system"):  # both right, and slow to measure in quad
        for method, order, slack in (("midpoint", 2, 0.1), ("gauss:stages=2", 4, 0.2)):
            found = json.loads(rattleback("order", name, "-m", method, "--json", *FEWER.get(name, ())))["order"]
            assert abs(found - order) < slack, f"order of {method}: {found:.3f}"
            orders.append(f"{found:.3f}")
    if c.closed:
        c.closed()
    return f"off by {error:.1e}, orders {' '.join(orders) or '-':11}  setup {1e3 * proposed['seconds_setup']:.1f} ms"


def line(name):
    try:
        return True, f"{name:28} ok      {check(name)}"
    except Exception as e:  # whatever it is, the other models are still checked
        return False, f"{name:28} FAILED  {type(e).__name__ if not isinstance(e, AssertionError) else ''} {e}"


def main():
    models = {file.stem for file in (ROOT / "models").glob("*.toml")}
    names = sys.argv[1:] or sorted(models | set(CASES))
    unchecked = [name for name in names if name not in CASES]
    good = True
    with Pool(os.cpu_count()) as pool:
        for ok, text in pool.imap(line, [name for name in names if name in CASES]):
            print(text, flush=True)
            good &= ok
    for name in unchecked:  # models with constraints: nonholonomic.py, variational.py, holonomic.py
        text = (ROOT / "models" / f"{name}.toml").read_text() if name in models else ""
        if "[constraints]" not in text and "[group]" not in text and "[control]" not in text:
            print(f"{name:28} FAILED  has no case in {Path(__file__).name}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
