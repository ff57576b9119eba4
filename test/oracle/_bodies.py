"""A second derivation of rigid bodies: Newton's and Euler's equations in body axes, with unit quaternions.

They are typed from the physics: no Lagrangian, no chart and no multiplier of the program occurs. SciPy integrates.
"""

import numpy as np
from scipy.integrate import solve_ivp

E3 = np.array([0.0, 0.0, 1.0])


def turn(q):
    """The matrix of a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R):
    """Of a rotation by less than half a turn."""
    w = np.sqrt(1 + np.trace(R)) / 2
    return np.array([w, *((np.array([R[2, 1], R[0, 2], R[1, 0]]) - [R[1, 2], R[2, 0], R[0, 1]]) / (4 * w))])


def quaternion_rate(q, omega):
    return np.array([-q[1:] @ omega, *(q[0] * omega + cross(q[1:], omega))]) / 2


def cross(a, b):  # much faster than numpy's for three numbers
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def hat(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotx(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def rotz(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def end_of(rate, y0, until):
    found = solve_ivp(rate, (0, until), np.array(y0, dtype=float), method="DOP853", rtol=3e-14, atol=1e-14)
    assert found.success, found.message
    return found.y[:, -1]


# --- one body --------------------------------------------------------------------------------------------------------


def held(inertia, torque=lambda t, R, omega: 0):
    """Of (quaternion, omega): a body that turns about a point; the torque is seen from the body."""
    inverse = np.linalg.inv(inertia)

    def rate(t, y):
        q, omega = y[:4], y[4:7]
        moment = cross(inertia @ omega, omega) + torque(t, turn(q), omega)
        return np.concatenate([quaternion_rate(q, omega), inverse @ moment])

    return rate


def suslov(inertia, row, row_rate, torque=lambda R: 0):
    """The same with row(R) . omega = 0; row_rate(R, R') is the rate of the row."""
    inverse = np.linalg.inv(inertia)

    def rate(t, y):
        q, omega = y[:4], y[4:7]
        R = turn(q)
        a = row(R)
        free = inverse @ (cross(inertia @ omega, omega) + torque(R))
        reaction = -(a @ free + row_rate(R, R @ hat(omega)) @ omega) / (a @ inverse @ a)
        return np.concatenate([quaternion_rate(q, omega), free + reaction * (inverse @ a)])

    return rate


def rolling(inertia, m, g, contact):
    """Of (quaternion, omega, x, y): contact(up, up') is the point that touches, from the centre of mass, and its rate,
    seen from the body, of the vertical and its rate. The velocity of the centre is contact x omega, the force on the
    body m (acceleration + g up)."""

    def rate(t, y):
        q, omega = y[:4], y[4:7]
        R = turn(q)
        up = R[2]
        c, moves = contact(up, cross(up, omega))
        v = cross(c, omega)
        known = cross(moves, omega) + cross(omega, v) + g * up
        left = inertia - m * hat(c) @ hat(c)
        turns = np.linalg.solve(left, cross(inertia @ omega, omega) + m * cross(c, known))
        return np.concatenate([quaternion_rate(q, omega), turns, (R @ v)[:2]])

    def state(y):
        R = turn(y[:4])
        c, _ = contact(R[2], np.zeros(3))
        return [*R.ravel(), *y[7:9], *y[4:7], *(R @ cross(c, y[4:7]))[:2]]

    return rate, state


def kirchhoff(inertia, wrench=lambda R, x: np.zeros(6)):
    """Of (quaternion, place, omega, velocity): a body in a fluid, all seen from the body."""
    inverse = np.linalg.inv(inertia)

    def rate(t, y):
        q, omega, v = y[:4], y[7:10], y[10:]
        R = turn(q)
        momentum = inertia @ y[7:]
        moment, impulse = momentum[:3], momentum[3:]
        changes = np.concatenate([cross(moment, omega) + cross(impulse, v), cross(impulse, omega)]) + wrench(R, y[4:7])
        return np.concatenate([quaternion_rate(q, omega), R @ v, inverse @ changes])

    return rate


# --- several bodies --------------------------------------------------------------------------------------------------


def joined(masses, inertias, joints, g=0.0):
    """Of (quaternion, place, omega, velocity in space) of each body. A joint (i, s, j, r): the points s of body i and r
    of body j are in one place; j = None: s of body i is in the origin. Accelerations give the forces of joints."""
    n, count = len(masses), 3 * len(joints)
    mass = np.zeros((6 * n, 6 * n))
    for i in range(n):
        mass[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = inertias[i]
        mass[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = masses[i] * np.eye(3)

    def rate(t, y):
        y = y.reshape(n, 13)
        A, b, f = np.zeros((count, 6 * n)), np.zeros(count), np.zeros(6 * n)
        turns = [turn(body[:4]) for body in y]
        for i, body in enumerate(y):
            f[6 * i : 6 * i + 3] = cross(inertias[i] @ body[7:10], body[7:10])
            f[6 * i + 5] = -masses[i] * g
        for k, (i, s, j, r) in enumerate(joints):
            for body, point, sign in ((i, s, 1), (j, r, -1)):
                if body is None:
                    continue
                omega = y[body][7:10]
                A[3 * k : 3 * k + 3, 6 * body : 6 * body + 3] = -sign * turns[body] @ hat(point)
                A[3 * k : 3 * k + 3, 6 * body + 3 : 6 * body + 6] = sign * np.eye(3)
                b[3 * k : 3 * k + 3] -= sign * turns[body] @ cross(omega, cross(omega, point))
        left = np.block([[mass, A.T], [A, np.zeros((count, count))]])
        a = np.linalg.solve(left, np.concatenate([f, b]))
        rates = [(quaternion_rate(body[:4], body[7:10]), body[10:], a[6 * i : 6 * i + 6]) for i, body in enumerate(y)]
        return np.concatenate([part for body in rates for part in body])

    return rate
