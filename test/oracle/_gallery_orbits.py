"""Bodies that attract each other."""

import math

import numpy as np

from _gallery import Case, case, columns, lagrangian, near, run, sqrt, state


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
def lambert():
    def rate(_, y):
        return np.concatenate([y[2:], -y[:2] / np.linalg.norm(y[:2]) ** 3])

    def closed():
        near("the other place", state(run("lambert"))[:2], [-0.5, 1.2], 1e-10)

    return Case(rate, [1, 0, -0.09493348666763039, 1.1340764822927278], 2, 0.02, closed=closed)


@case
def brachistochrone():
    def closed():
        # A cycloid: the slope of the path and its depth have (1 + (dx/dy)^-2)^-1 = y/(2 r) all along.
        y, u, v = columns("brachistochrone", ["y", "x'", "y'"])
        near("the radius of the wheel", u**2 / (u**2 + v**2) / y, (u**2 / (u**2 + v**2) / y)[0], 1e-9)
        near("the end", state(run("brachistochrone"))[:2], [1, 0.6], 1e-10)

    return Case(lagrangian(2, lambda q, v: (v[0] ** 2 + v[1] ** 2) / (4 * 9.81 * q[1])), [0, 0.05, 0.1332161497114009, 0.4425256094967469], 1,
                0.01, closed=closed)


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
def figure_eight_orbit():
    a, b, vx, vy = 0.97000435669734, -0.24308753153583, -0.93240737144104, -0.86473146092102
    y0 = [a, b, -a, -b, 0, 0, -vx / 2, -vy / 2, -vx / 2, -vy / 2, vx, vy]  # body by body
    by_family = [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]

    def closed():
        s = run("figure_eight_orbit", "-m", "gauss:stages=6")
        near("the place after a period", state(s), np.array(y0)[by_family], 1e-11)

    return Case(gravity(1, [1, 1, 1]), y0, 3, 0.02, to_state=lambda y: y[by_family], closed=closed)


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


@case
def lyapunov_orbit():
    def closed():
        s = run("lyapunov_orbit", "-m", "gauss:stages=6")
        near("the place after a period", s["q"], [0.8226465010, 0], 1e-5)  # 1e-9 grows by 2322

    return Case(restricted(0.012150585), [0.8226465010, 0, 0, 0.1341170257], 1, 0.01, closed=closed)
