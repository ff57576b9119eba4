"""The snakeboard of the gallery's gait is the constrained one; exit 1 if it is not.

models/snakeboard_gait.toml has its two rolling constraints solved by hand. Here SymPy makes the equations of d'Alembert
from the Lagrangian in all five coordinates, with both constraints and their multipliers, and SciPy integrates them with
the torques that `solve` found, between nodes by splines. Board, rotor and wheels must move as `solve` says.
"""

import csv
import io
import os
import subprocess
import sys

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

M, J, J0, J1, R = 1, 0.1, 0.2, 0.05, 0.3


def accelerations():
    """q'' of (x, y, theta, psi, phi) as a function of q, q', the torque on the rotor and the one on the axles."""
    q, v = sp.symbols("x y theta psi phi"), sp.symbols("vx vy vtheta vpsi vphi")
    torque, twist = sp.symbols("torque twist")
    L = M * (v[0]**2 + v[1]**2) / 2 + (J + 2 * J1) * v[2]**2 / 2 + J0 * v[3]**2 / 2 + J1 * v[4]**2
    force = sp.Matrix([0, 0, -torque, torque, twist])  # what turns the rotor turns the board back
    theta, phi = q[2], q[4]
    rolling = sp.Matrix([v[0] * sp.sin(theta + s * phi) - v[1] * sp.cos(theta + s * phi) + s * R * v[2] * sp.cos(phi)
                         for s in (1, -1)])
    A = rolling.jacobian(v)
    mass = sp.hessian(L, v)
    drift = rolling.jacobian(q) * sp.Matrix(v)
    matrix = sp.Matrix(sp.BlockMatrix([[mass, A.T], [A, sp.zeros(2, 2)]]))
    rhs = sp.Matrix([*force, *(-drift)])
    return sp.lambdify([q, v, torque, twist], [matrix, rhs], "numpy")


def main():
    done = subprocess.run([PROGRAM, "solve", "snakeboard_gait", "--steps", "400", "--quiet", "-o", "-"],
                          capture_output=True, text=True, check=True, timeout=120)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    table = {name: np.array([float(r[name]) for r in rows]) for name in rows[0]}
    torque, twist = (CubicSpline(table["t"], table[name]) for name in ("torque", "twist"))
    equations = accelerations()

    def rates(t, z):
        matrix, rhs = equations(z[:5], z[5:], torque(t), twist(t))
        return np.concatenate([z[5:], np.linalg.solve(matrix, rhs.ravel())[:5]])

    motion = solve_ivp(rates, (0, table["t"][-1]), np.zeros(10), "DOP853", t_eval=table["t"], rtol=1e-11, atol=1e-13)
    failed = 0
    for i, name in enumerate(("x", "y", "theta", "psi", "phi")):
        off = float(np.max(np.abs(motion.y[i] - table[name])))
        good = motion.success and off <= 1.1e-7
        failed += not good
        print(f"{name:8} {'ok' if good else 'WRONG'}  off by {off:.1e}, as large as {np.max(np.abs(table[name])):.2f}")
    speed = motion.y[5] * np.cos(motion.y[2]) + motion.y[6] * np.sin(motion.y[2])
    off = float(np.max(np.abs(speed - table["s"] * np.cos(table["phi"]))))
    good = off <= 1.1e-7
    print(f"speed    {'ok' if good else 'WRONG'}  off by {off:.1e}")
    return 1 if failed or not good else 0


if __name__ == "__main__":
    sys.exit(main())
