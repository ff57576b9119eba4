"""What SciPy's DOP853 takes for the problems of bench_peers, for tolerances from the command line; one JSON object a line.

    scipy_dop853.py PROBLEM T TOLERANCE... < NUMBERS       NUMBERS: the start, then constants of the problem
"""

import json
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp


def pendulum(g):
    def rate(t, s):
        x, y, p, r = s
        square = x * x + y * y
        eta, mu = -(x * p + y * r) / square, (p * p + r * r - g * y) / square
        return [p + eta * x, r + eta * y, -mu * x - eta * p, -g - mu * y - eta * r]

    return rate


def particle():
    def rate(t, s):
        x, y, z, u, v, w = s
        force = (2 * x * y - u * v) / (1 + y * y)
        return [u, v, w, force * y - 2 * x, -2 * y, -force]

    return rate


def sleigh(a):
    def rate(t, z):
        s, c = np.sin(z[2]), np.cos(z[2])
        omega = z[5] + a * (s * z[3] - c * z[4])
        u, v = z[3] + a * s * omega, z[4] - a * c * omega
        along = c * u + s * v
        force = omega * along / (1 + a * a)
        return [u, v, omega, -force * s, force * c, -a * omega * along]

    return rate


def vehicle(length):
    own = 1 + length * length

    def rate(t, z):
        s, c, sf, cf = np.sin(z[2]), np.cos(z[2]), np.sin(z[3]), np.cos(z[3])
        b1, b2, mixed = sf * z[4] - cf * z[5], s * z[4] - c * z[5] + length * z[6], s * sf + c * cf
        over = 1 / (own - mixed * mixed)
        l1, l2 = (mixed * b2 - own * b1) * over, (mixed * b1 - b2) * over
        u, v = z[4] + sf * l1 + s * l2, z[5] - cf * l1 - c * l2
        return [u, v, z[6] + length * l2, z[7], 0, 0, -l2 * (u * c + v * s), -l1 * (u * cf + v * sf)]

    return rate


def solar(G, *m):
    m = np.array(m)
    n = len(m)

    def rate(t, z):
        q, p = z[: 3 * n].reshape(n, 3), z[3 * n :].reshape(n, 3)
        d = q[:, None] - q[None]
        r = np.sum(d * d, axis=2)
        np.fill_diagonal(r, 1)
        f = -G * m[:, None] * m[None] / r**1.5
        return np.concatenate([(p / m[:, None]).ravel(), np.einsum("ij,ijk->ik", f, d).ravel()])

    return rate


PROBLEMS = {"S1": (pendulum, 4), "S2": (particle, 6), "S3": (sleigh, 6), "S4": (vehicle, 8), "solar": (solar, 36)}


def main():
    make, n = PROBLEMS[sys.argv[1]]
    T = float(sys.argv[2])
    numbers = [float(x) for x in sys.stdin.read().split()]
    rate = make(*numbers[n:])
    for tolerance in sys.argv[3:]:
        best = None
        for _ in range(2):
            start = time.process_time()
            solution = solve_ivp(rate, (0, T), numbers[:n], "DOP853", rtol=float(tolerance), atol=float(tolerance))
            seconds = time.process_time() - start
            best = seconds if best is None else min(best, seconds)
        end = [float(x) for x in solution.y[:, -1]] if solution.success else []
        print(json.dumps({"tolerance": float(tolerance), "seconds": best, "end": end}), flush=True)


if __name__ == "__main__":
    main()
