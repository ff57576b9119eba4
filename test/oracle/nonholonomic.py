"""Every nonholonomic model of the gallery against a second derivation; one line a model, exit 1 if one fails."""

import math
import sys

import numpy as np
import sympy as sp

from _constrained import Case, case, cos, dalembert, disk, disk_rolls, end_of, half_square, main, newton_euler
from _constrained import sin, space_rate, sqrt, turned
from _gallery import columns, near, run, t

METHODS = ("nh_gauss:stages=4", "dop853:tol=1e-12", "gf extrapolated")
MIXED = ("nh_gauss:stages=4", "dop853:tol=1e-12", "nh_rattle extrapolated")


@case
def nonholonomic_particle():
    rate = dalembert(3, lambda q, v: half_square(v) - q[0] ** 2 - q[1] ** 2, lambda q, v: [v[2] - q[1] * v[0]])
    return Case(rate, [1, 1, 0, 1, 1, 1], 5, 0.05, METHODS)


@case
def nonholonomic_particle_free():
    def closed():
        time, y, kept = columns("nonholonomic_particle_free", ["t", "y", "kept"], "-m", "dop853:tol=1e-13")
        near("y", y, 0.5 + 0.8 * time, 1e-13)
        near("x' sqrt(1 + y^2)", kept, math.sqrt(1.25), 1e-10)

    rate = dalembert(3, lambda q, v: half_square(v), lambda q, v: [v[2] - q[1] * v[0]])
    return Case(rate, [0, 0.5, 0, 1, 0.8, 0.5], 5, 0.05, METHODS, closed=closed)


@case
def contact_oscillator():
    eps, z0 = 0.3, 0.7
    x0 = math.sqrt((2 - z0**2) / (1 + eps * z0**2))

    def closed():
        energy, kept = columns("contact_oscillator", ["energy", "y_energy"], "-m", "dop853:tol=1e-13", "--steps", "200")
        near("the energies", [energy[-1], kept[-1]], [1.5, 0.5], 1e-9)

    def L(q, v):
        return half_square(v) - half_square(q) - 0.15 * q[0] ** 2 * q[2] ** 2

    rate = dalembert(3, L, lambda q, v: [v[0] + q[1] * v[2]])
    return Case(rate, [x0, 0, z0, 0, 1, 0], 10, 0.1, METHODS, closed=closed)


@case
def contact_oscillator_shifted():
    z0 = 0.7  # the motion of the unshifted one
    rate = dalembert(3, lambda q, v: half_square(v) - half_square(q), lambda q, v: [v[0] + q[1] * v[2]])
    return Case(rate, [math.sqrt(2 - z0**2), 0, z0, 0, 1, 0], 10, 0.1, METHODS)


@case
def pendulum_driven_cvt():
    def closed():
        both = columns("pendulum_driven_cvt", ["pendulum", "shafts"], "-m", "dop853:tol=1e-13", "--steps", "200")
        near("both energies", [x[-1] for x in both], [0.6, 1], 1e-9)

    def L(q, v):
        return half_square(v) - (q[0] ** 2 + q[1] ** 2) / 2 + cos(q[2])

    rate = dalembert(3, L, lambda q, v: [v[0] + sin(q[2]) * v[1]])
    y0 = [math.sqrt(2 - 0.49), 0.7, 0, 0, 0, math.sqrt(1.2)]
    return Case(rate, y0, 10, 0.1, METHODS, closed=closed)


@case
def chaotic_oscillator():
    def L(q, v):
        y, z = q[1:4], q[4:7]
        product = sum((a * b) ** 2 for a, b in zip(y, z)) + (z[0] * z[1]) ** 2
        return half_square(v) - half_square(q) - product / 2

    rate = dalembert(7, L, lambda q, v: [v[0] + sum(q[1 + i] * v[4 + i] for i in range(3))])
    y0 = [0.8, 0.1, 0.2, 0.3, 0.4, 0.2, 0, 0, *(0.5 * math.cos(i) for i in (1, 2, 3)), 0, 0, 0]
    return Case(rate, y0, 5, 0.1, METHODS)


@case
def chaplygin_sleigh():
    m, I, a = 1, 1, 0.5

    def reduced(_, y):  # forward speed u and rate w: u' = a w^2, (I + m a^2) w' = -m a u w
        x, y_, th, u, w = y
        return np.array([u * math.cos(th), u * math.sin(th), w, a * w**2, -m * a * u * w / (I + m * a**2)])

    def closed():
        end = end_of(reduced, [0, 0, 0, 0.5, 2], 3)
        s = run("chaplygin_sleigh", "-m", "dop853:tol=1e-13", "--step", "0.05", "--until", "3")
        near("the reduced motion", s["q"] + s["v"][2:], [*end[:3], end[4]], 1e-9)

    def L(q, v):
        c = [v[0] - a * sin(q[2]) * v[2], v[1] + a * cos(q[2]) * v[2]]
        return m * half_square(c) + I * v[2] ** 2 / 2

    rate = dalembert(3, L, lambda q, v: [v[0] * sin(q[2]) - v[1] * cos(q[2])])
    return Case(rate, [0, 0, 0, 0.5, 0, 2], 5, 0.05, METHODS, closed=closed)


def board(force=None):
    def L(q, v):
        return (v[0] ** 2 + v[1] ** 2) / 2 + 0.1 * v[2] ** 2 + 0.1 * v[3] ** 2 + 0.05 * v[4] ** 2

    def wheels(q, v):  # the velocity of an axle has nothing across its wheels
        rows = []
        for end, turn in ((-1, 1), (1, -1)):
            axle = [v[0] - end * 0.3 * sin(q[2]) * v[2], v[1] + end * 0.3 * cos(q[2]) * v[2]]
            rows.append(axle[0] * sin(q[2] + turn * q[4]) - axle[1] * cos(q[2] + turn * q[4]))
        return rows

    y0 = [0, 0, 0.2, 0, 0.3, math.cos(0.2) / 2, math.sin(0.2) / 2, -math.tan(0.3) / 0.6, 1, 0.25]
    return dalembert(5, L, wheels, force=force), y0


@case
def snakeboard():
    return Case(*board(), 3, 0.02, METHODS)


@case
def snakeboard_torques():
    force = lambda q, v: [0, 0, -0.1 * sin(2 * t), 0.1 * sin(2 * t), 0.05 * cos(2 * t)]
    return Case(*board(force), 3, 0.02, METHODS, conserves=False)


@case
def knife_edge():
    def closed():
        near("the cycloid", columns("knife_edge", ["error"], "-m", "dop853:tol=1e-13"), 0, 1e-10)

    L = lambda q, v: half_square(v) + 9.81 / 2 * q[0]
    rate = dalembert(3, L, lambda q, v: [v[0] * sin(q[2]) - v[1] * cos(q[2])])
    return Case(rate, [0, 0, 0, 0, 0, 2], 5, 0.05, METHODS, closed=closed)


@case
def rolling_disk():
    def closed():
        s = run("rolling_disk", "-m", "dop853:tol=1e-13", "--until", "5")
        angle, rho = 0.7 * 5, 0.5 * 2 / 0.7
        near("the circle", s["q"], [rho * math.sin(angle), rho * (1 - math.cos(angle)), 10, angle], 1e-11)

    return Case(dalembert(4, disk, disk_rolls), [0, 0, 0, 0, 1, 0, 2, 0.7], 5, 0.05, METHODS, closed=closed)


@case
def falling_disk():
    def parts(q, v):
        R = turned("z", q[2]) * turned("x", q[3]) * turned("z", q[4])
        w = space_rate(R, q, v)
        axle = R * sp.Matrix([0, 0, 1])
        down = (sp.Matrix([0, 0, -1]) + axle[2] * axle) / sin(q[3])  # steepest line of the disk
        return w, axle, down

    def L(q, v):
        w, axle, _ = parts(q, v)
        spin = w.dot(axle)
        z = cos(q[3]) * v[3] / 2
        return (v[0] ** 2 + v[1] ** 2 + z**2) / 2 + w.dot(w) / 32 + spin**2 / 32 - 9.81 * sin(q[3]) / 2

    def touch(q, v):
        w, _, down = parts(q, v)
        slip = w.cross(down / 2)
        return [v[0] + slip[0], v[1] + slip[1]]

    y0 = [0, 0, 0, math.pi / 2 - 0.1, 0, -4, 0, 0, 0, 8]
    return Case(dalembert(5, L, touch), y0, 3, 0.02, METHODS)


@case
def ball_on_turntable():
    m, R, Omega = 1, 0.3, 1.5
    I = 0.4 * m * R**2

    def spin(q, v):
        return space_rate(turned("z", q[2]) * turned("x", q[3]) * turned("z", q[4]), q, v)

    def L(q, v):
        return m * (v[0] ** 2 + v[1] ** 2) / 2 + I * spin(q, v).dot(spin(q, v)) / 2

    def touch(q, v):
        slip = spin(q, v).cross(sp.Matrix([0, 0, -R]))
        return [v[0] + slip[0] + Omega * q[1], v[1] + slip[1] - Omega * q[0]]

    y0 = [1, 0, 0, math.pi / 2, 0, 0.3, Omega - R * 0.5, 0.2, 0.5, -0.3 / R]

    def closed():
        wanted = ["t", "x", "y", "wz", "moving", "centre_x", "centre_y"]
        time, x, y, wz, moving, cx, cy = columns("ball_on_turntable", wanted, "-m", "dop853:tol=1e-13")
        near("the spin", wz, wz[0], 1e-9)
        near("the moving energy", moving, moving[0], 1e-8)
        near("the centre", [cx, cy], [[cx[0]], [cy[0]]], 1e-9)
        z = (x - cx) + 1j * (y - cy)
        near("two sevenths", np.abs(z - z[0] * np.exp(2j / 7 * Omega * time)), 0, 1e-8)

    return Case(dalembert(5, L, touch), y0, 3, 0.02, METHODS, conserves=False, closed=closed)


@case
def appell_hamel():
    def closed():
        near("the straight line", columns("appell_hamel", ["error"], "-m", "gf"), 0, 1e-11)

    L = lambda q, v: half_square(v) - 9.81 * q[2]
    rate = dalembert(3, L, lambda q, v: [v[0] ** 2 + v[1] ** 2 - 4 * v[2] ** 2])
    return Case(rate, [0, 0, 0, 1.2, 1.6, -1], 3, 0.02, METHODS, closed=closed)


@case
def parallel_velocities():
    def L(q, v):
        return half_square(v[:2]) + 2 * half_square(v[2:]) - half_square(q[:2]) - half_square(q[2:]) / 2

    rate = dalembert(4, L, lambda q, v: [v[0] * v[3] - v[1] * v[2]])
    return Case(rate, [1, 0.2, -0.5, 1, 0.4, 0.8, 0.6, 1.2], 1.5, 0.02, METHODS)


@case
def rattleback():
    a, b, c, h = sp.Rational(1, 5), sp.Rational(3, 100), sp.Rational(1, 50), sp.Rational(1, 100)
    inertia = sp.Matrix([[2e-4, 2e-5, 0], [2e-5, 16e-4, 0], [0, 0, 17e-4]])

    def parts(q, v):
        R = turned("z", q[2]) * turned("x", q[3]) * turned("y", q[4])
        w = space_rate(R, q, v)
        up = R.T * sp.Matrix([0, 0, 1])
        height = sqrt((a * up[0]) ** 2 + (b * up[1]) ** 2 + (c * up[2]) ** 2)
        touch = sp.Matrix([-(a**2) * up[0] / height, -(b**2) * up[1] / height, h - c**2 * up[2] / height])
        return R, w, R * touch  # in space, from the centre of mass

    def L(q, v):
        R, w, touch = parts(q, v)
        z = -touch[2]
        body = R.T * w
        dz = sum(z.diff(x) * dx for x, dx in zip(q, v))
        return (v[0] ** 2 + v[1] ** 2 + dz**2) / 2 + (body.T * inertia * body)[0] / 2 - 9.81 * z

    def rolls(q, v):
        _, w, touch = parts(q, v)
        slip = w.cross(touch)
        return [v[0] + slip[0], v[1] + slip[1]]

    tilt = math.pi / 360
    rate = dalembert(5, L, rolls)
    q, v = sp.symbols("q:5"), sp.symbols("v:5")
    start = dict(zip((*q, *v), (0, 0, 0, tilt, tilt, 0, 0, 5, 0, 0)))
    speed = [-float(x.subs(start)) for x in rolls(q, v)]

    def closed():  # what it is famous for
        spin = columns("rattleback", ["spin"])[0]
        assert spin[0] > 4.9 and spin.min() < -1, f"it does not turn back: {spin.min():.2g}"

    return Case(rate, [0, 0, 0, tilt, tilt, *speed, 5, 0, 0], 0.5, 0.002, METHODS, closed=closed)


@case
def two_wheeled_robot():
    def L(q, v):
        c = [v[0] - 0.1 * sin(q[2]) * v[2], v[1] + 0.1 * cos(q[2]) * v[2]]
        height = -math.sin(0.1) * (q[0] + 0.1 * cos(q[2]))
        return 2 * half_square(c) + 0.025 * v[2] ** 2 + 0.001 * (v[3] ** 2 + v[4] ** 2) - 2 * 9.81 * height

    def wheels(q, v):
        ahead = v[0] * cos(q[2]) + v[1] * sin(q[2])
        return [
            v[1] * cos(q[2]) - v[0] * sin(q[2]),
            ahead + 0.15 * v[2] - 0.08 * v[3],
            ahead - 0.15 * v[2] - 0.08 * v[4],
        ]

    v0 = [0.5 * math.cos(1), 0.5 * math.sin(1), 0.4, 0.56 / 0.08, 0.44 / 0.08]
    return Case(dalembert(5, L, wheels), [0, 0, 1, 0, 0, *v0], 2, 0.02, METHODS)


@case
def car_with_trailer():
    def parts(q, v):
        front = [v[0] - sin(q[2]) * v[2], v[1] + cos(q[2]) * v[2]]
        tow = [v[0] + 1.5 * sin(q[4]) * v[4], v[1] - 1.5 * cos(q[4]) * v[4]]
        return front, tow

    def L(q, v):
        _, tow = parts(q, v)
        kinetic = 10 * half_square(v[:2]) + v[2] ** 2 + (v[2] + v[3]) ** 2 / 20 + 4 * half_square(tow) + v[4] ** 2 / 2
        return kinetic - 0.2 * q[3] ** 2

    def axles(q, v):
        front, tow = parts(q, v)
        return [u[0] * sin(a) - u[1] * cos(a) for u, a in ((v, q[2]), (front, q[2] + q[3]), (tow, q[4]))]

    y0 = [0, 0, 0, 0.4, 0.3, 1, 0, math.tan(0.4), 0, -math.sin(0.3) / 1.5]
    return Case(dalembert(5, L, axles), y0, 5, 0.02, METHODS)


@case
def roller_racer():
    def L(q, v):
        return half_square(v[:3]) + 0.05 * (v[2] + v[3]) ** 2

    def axles(q, v):
        bar = q[2] + q[3]
        x = v[0] - 0.6 * sin(q[2]) * v[2] + 0.2 * sin(bar) * (v[2] + v[3])
        y = v[1] + 0.6 * cos(q[2]) * v[2] - 0.2 * cos(bar) * (v[2] + v[3])
        return [v[0] * sin(q[2]) - v[1] * cos(q[2]), x * sin(bar) - y * cos(bar)]

    rate = dalembert(4, L, axles, force=lambda q, v: [0, 0, 0, cos(3 * t) / 2])

    def closed():
        assert run("roller_racer")["q"][0] > 2, "it does not move ahead"

    return Case(rate, [0] * 8, 5, 0.02, METHODS, conserves=False, closed=closed)


@case
def whipple_bicycle():
    tilt = math.pi / 10
    unit = sp.eye(3)

    def wheel(along_x, about):
        return sp.diag(along_x, about, along_x)

    def symmetric(x, y, z, xz):
        return sp.Matrix([[x, 0, xz], [0, y, 0], [xz, 0, z]])

    def frames(q):
        plane = turned("z", q[2]) * turned("x", q[3])
        frame = plane * turned("y", q[4])
        fork = frame * turned("y", tilt) * turned("z", q[5]) * turned("y", -tilt)
        hub = sp.Matrix([q[0], q[1], 0]) - 0.3 * plane[:, 2]
        foot = hub + 1.1 * frame[:, 0] + 0.3 * frame[:, 2]  # of the steering axis
        return plane, frame, fork, hub, foot, foot - 0.08 * fork[:, 0] - 0.35 * fork[:, 2]

    def rear_wheel(q, v):
        plane, _, _, hub, _, _ = frames(q)
        return 2, wheel(0.0603, 0.12), hub, space_rate(plane, q, v) + v[6] * plane[:, 1], plane

    def rider(q, v):
        _, frame, _, hub, _, _ = frames(q)
        at = hub + 0.3 * frame[:, 0] - 0.6 * frame[:, 2]
        return 85, symmetric(9.2, 11, 2.8, 2.4), at, space_rate(frame, q, v), frame

    def handlebar(q, v):
        _, _, fork, _, foot, _ = frames(q)
        at = foot - 0.2 * fork[:, 0] - 0.7 * fork[:, 2]
        return 4, symmetric(0.05892, 0.06, 0.00708, -0.00756), at, space_rate(fork, q, v), fork

    def front_wheel(q, v):
        _, _, fork, _, _, centre = frames(q)
        return 3, wheel(0.1405, 0.28), centre, space_rate(fork, q, v) + v[7] * fork[:, 1], fork

    def lowest(q):
        _, _, fork, _, _, centre = frames(q)
        axle = fork[:, 1]
        down = unit[:, 2] - axle[2] * axle
        return centre, 0.35 * down / sqrt(1 - axle[2] ** 2)

    def rolls(q, v):
        centre, arm = lowest(q)
        omega = front_wheel(q, v)[3]
        slip = centre.jacobian(q) * sp.Matrix(v) + omega.cross(arm)
        return [v[0] + 0.3 * v[6] * cos(q[2]), v[1] + 0.3 * v[6] * sin(q[2]), slip[0], slip[1]]

    def touches(q):
        centre, arm = lowest(q)
        return [centre[2] + arm[2]]

    bodies = (rear_wheel, rider, handlebar, front_wheel)
    rate = newton_euler(8, bodies, sp.Matrix([0, 0, 9.81]), rolls, touches)
    y0 = [0] * 8 + [4.6, 0, 0, 0.5, 0, 0, -4.6 / 0.3, -4.6 / 0.35]

    def closed():  # it rides on upright, a little faster
        end = run("whipple_bicycle")
        assert abs(end["q"][3]) < 1e-3, "it falls"
        near("the speed", [-0.3 * end["v"][6]], [4.6224], 1e-4)

    return Case(rate, y0, 2, 0.02, METHODS[:2], closed=closed)  # the mode of nh_rattle grows like exp(13 t) here


@case
def sleigh_with_tow():
    def L(q, v):
        c = [v[0] - 0.1 * sin(q[2]) * v[2], v[1] + 0.1 * cos(q[2]) * v[2]]
        return half_square(c) + 0.1 * v[2] ** 2 + half_square(v[3:]) / 2

    blade = lambda q, v: [v[0] * sin(q[2]) - v[1] * cos(q[2])]
    rod = lambda q: [(q[3] - q[0]) ** 2 + (q[4] - q[1]) ** 2 - 0.64]
    rate = dalembert(5, L, blade, rod)
    return Case(rate, [0, 0, 0, -0.8, 0, 1, 0, 0.5, 1, 0.8], 3, 0.02, MIXED)


if __name__ == "__main__":
    sys.exit(main(lambda text: "\nvelocity " in text and '"variational"' not in text))
