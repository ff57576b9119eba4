"""Turns of a rigid body from rest to rest with least effort, by `solve` on SO(3), against quaternions and SciPy; exit 1
if one fails.

Unequal moments of inertia, a turn about no axis of them: the minimum principle for (quaternion, angular velocity), with
costates of both, integrated by DOP853. The costates at the start are found by Newton's method from those of a turn
about a fixed axis, while the turn grows from nothing: the short way and the long one. And the satellite with rotors:
the same turn, with the torques that rotors take up.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

INERTIA = np.array([3.0, 2.0, 1.2])
TIME = 2.5
TURN = np.array([0.9, -1.3, 0.7])  # rotation vector
BODY = """coordinates = ["R in SO(3)"]
[control]
inputs = ["a", "b", "c"]
cost   = "(a^2 + b^2 + c^2)/2"
[mechanics]
kinetic   = "(3*body(R)[1]^2 + 2*body(R)[2]^2 + 1.2*body(R)[3]^2)/2"
potential = "0"
force     = { R = ["a", "b", "c"] }
[boundary]
from = { q = { R = "rotz(0)" }, v = { R = [0, 0, 0] } }
to   = { q = { R = %s }, v = { R = [0, 0, 0] } }
time = 2.5
"""
ROTORS = """coordinates = ["R in SO(3)", "a", "b", "c"]
[control]
inputs = ["u", "v", "w"]
cost   = "(u^2 + v^2 + w^2)/2"
[mechanics]
kinetic   = "(3*body(R)[1]^2 + 2*body(R)[2]^2 + 1.2*body(R)[3]^2 + J*((body(R)[1] + a')^2 + (body(R)[2] + b')^2 \
+ (body(R)[3] + c')^2))/2"
potential = "0"
force     = { a = "u", b = "v", c = "w" }
[parameters]
J = 0.2
[boundary]
from = { q = { R = "rotz(0)", a = 0, b = 0, c = 0 }, v = { R = [0, 0, 0], a = 0, b = 0, c = 0 } }
to   = { q = { R = %s }, v = { R = [0, 0, 0] } }
time = 2.5
"""


def times(a, b):
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def quaternion(turn):
    angle = np.linalg.norm(turn)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * turn / angle])


def matrix(turn):
    s, e = quaternion(turn)[0], quaternion(turn)[1:]
    hat = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return np.eye(3) + 2 * s * hat + 2 * hat @ hat


def rates(_, z, gyroscopic, inertia):
    """Of (q, omega, costates of both, cost); gyroscopic: 0 where rotors hold the whole momentum at 0."""
    q, w, lq, lw = z[:4], z[4:7], z[7:11], z[11:14]
    torque = -lw / inertia
    carried = gyroscopic * inertia
    dw = (torque - np.cross(w, carried * w)) / inertia
    # d/dw of lw . J^-1 (-w x K w), with K = carried
    y = lw / inertia
    slope = -(np.cross(carried * w, y) + carried * np.cross(y, w))
    dlw = -0.5 * times(np.concatenate([[q[0]], -q[1:]]), lq)[1:] - slope
    half = np.concatenate([[0], w / 2])
    return np.concatenate([times(q, half), dw, times(lq, half), dlw, [torque @ torque / 2]])


def shot(unknown, gyroscopic, inertia, time):
    start = np.concatenate([[1, 0, 0, 0], np.zeros(3), [0], 2 * unknown[:3], unknown[3:], [0]])
    return solve_ivp(rates, (0, time), start, "DOP853", rtol=1e-12, atol=1e-12,
                     args=(gyroscopic, inertia)).y[:, -1]


def extremal(turn, gyroscopic, inertia=INERTIA, time=TIME):
    """Costates at the start, and the cost."""
    found = None
    for part in np.linspace(0, 1, 6)[1:]:
        target = quaternion(part * turn)
        target[1:] *= -1

        def miss(unknown):
            end = shot(unknown, gyroscopic, inertia, time)
            off = times(target, end[:4])
            return np.concatenate([off[1:], end[4:7]])

        about = inertia**2 * part * turn
        fixed = np.concatenate([-12 * about / time**3, -6 * about / time**2])  # axis
        guess = fixed if found is None else found * part / (part - 1 / 5)
        found, _, _, message = fsolve(miss, guess, xtol=1e-12, full_output=True)
        left = np.max(np.abs(miss(found)))
        assert left < 1e-9, (message, left)
    return found, shot(found, gyroscopic, inertia, time)[-1]


def from_matrix(R):
    """Rotation vector, by less than pi."""
    angle = np.arccos((np.trace(R) - 1) / 2)
    return angle / (2 * np.sin(angle)) * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def gallery_turn():
    """rotz(2*pi/3)*rotx(pi/3), as the gallery's satellite_turn."""
    c, s, d, e = np.cos(2 * np.pi / 3), np.sin(2 * np.pi / 3), np.cos(np.pi / 3), np.sin(np.pi / 3)
    return from_matrix(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, d, -e], [0, e, d]]))


def solved(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "turn.toml")
        with open(path, "w") as file:
            file.write(text % ("[" + ", ".join(repr(float(x)) for x in matrix(TURN).ravel()) + "]"))
        run = subprocess.run([PROGRAM, "solve", path, "--json", "--starts", "16"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def check(name, value, wanted, tolerance):
    off = float(np.max(np.abs(np.asarray(value) - np.asarray(wanted))))
    good = off <= tolerance
    print(f"{'ok  ' if good else 'FAIL'} {name}: off by {off:.2e}")
    return good


def main():
    good = True
    angle = np.linalg.norm(TURN)
    body = solved(BODY)
    for name, turn in [("short way", TURN), ("long way", TURN * (1 - 2 * np.pi / angle))]:
        costates, cost = extremal(turn, 1.0)
        found = min(body["extremals"], key=lambda e: abs(e["cost"] - cost))
        good &= check(f"{name}, cost {cost:.6f}", found["cost"], cost, 1e-9 * cost)
        good &= check(f"{name}, costates", found["p0"], costates, 1e-8)
    # Momentum 0: (I + J)(omega) + J a' = 0, hence I omega' = -u: no gyroscopic torque, whatever J is.
    costates, cost = extremal(TURN, 0.0)
    rotors = solved(ROTORS)
    good &= check(f"rotors, cost {cost:.6f}", rotors["cost"], cost, 1e-9 * cost)
    _, cost = extremal(gallery_turn(), 0.0, np.array([3.0, 2.2, 1.5]), 5.0)
    run = subprocess.run([PROGRAM, "solve", "satellite_turn", "--json"], capture_output=True, text=True, check=True)
    good &= check(f"satellite_turn, cost {cost:.6f}", json.loads(run.stdout)["cost"], cost, 1e-9 * cost)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
