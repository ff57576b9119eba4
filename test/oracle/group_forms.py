"""Three forms of the discrete Euler-Poincare equations of a free body (Moser and Veselov 1991), from one run of lie_del.

With W_k = R_k^T R_{k+1}, J = tr(I)/2 - I and M_k = (W_k J - J W_k^T)/h:
  Ad* form   M_{k+1} = W_k^T M_k W_k
  two steps  R_{k+1} J R_k^T - R_k J R_{k+1}^T is the same for all k
  reduced    M alone, step by step, with W_k found from M_k; R follows as the product of the W_k
A potential, which breaks the first two, and the inverse turn in the Ad* form are mutants.
"""

import csv
import io
import os
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))
INERTIA = np.array([[1, 0.2, 0], [0.2, 1.5, 0], [0, 0, 2]])
J = np.trace(INERTIA) / 2 * np.eye(3) - INERTIA
H, STEPS = 0.125, 200


def trajectory(potential=""):
    """R and the body's momentum at all nodes."""
    model = f"""coordinates = ["R in SO(3)"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2)/2 + 0.2*body(R)[1]*body(R)[2]{potential}"
[initial]
q = {{ R = "rotz(0.3)*rotx(0.6)" }}
v = {{ R = [0.5, -0.3, 0.8] }}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(model)
        file.flush()
        command = [PROGRAM, "run", file.name, "-m", "lie_del", "--step", str(H), "--steps", str(STEPS), "-o", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    names, *rows = csv.reader(line for line in io.StringIO(done.stdout) if not line.startswith("#"))
    data = np.array(rows, float)
    first, momentum = names.index("R_11"), names.index("p_R_1")
    return data[:, first : first + 9].reshape(-1, 3, 3), data[:, momentum : momentum + 3]


def hat(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def vee(m):
    return np.array([m[2, 1], m[0, 2], m[1, 0]])


def momentum_of(W):
    return (W @ J - J @ W.T) / H


def forms(R):
    """Largest departures from the Ad* form, from that with the inverse turn, and of the two-step form."""
    W = [R[k].T @ R[k + 1] for k in range(STEPS)]
    M = [momentum_of(w) for w in W]
    S = [R[k + 1] @ J @ R[k].T - R[k] @ J @ R[k + 1].T for k in range(STEPS)]
    worst = lambda differences: max(np.abs(d).max() for d in differences)
    steps = range(STEPS - 1)
    return (worst(M[k + 1] - W[k].T @ M[k] @ W[k] for k in steps),
            worst(M[k + 1] - W[k] @ M[k] @ W[k].T for k in steps), worst(S[k + 1] - S[k] for k in steps))


def reduced(R0, p):
    """R at the end. W is 1 + 2 s hat(e) + 2 hat(e)^2, and e is found by a simplified Newton iteration."""
    R = R0
    for _ in range(STEPS):
        e = H / 2 * np.linalg.solve(INERTIA, p)
        for _ in range(60):
            W = np.eye(3) + 2 * np.sqrt(1 - e @ e) * hat(e) + 2 * hat(e) @ hat(e)
            e = e + H / 2 * np.linalg.solve(INERTIA, p - vee(momentum_of(W)))
        R, p = R @ W, vee(W.T @ hat(p) @ W)
    return R, p


def main():
    R, p = trajectory()
    coadjoint, inverse, two_steps = forms(R)
    R_end, p_end = reduced(R[0], p[0])
    apart = max(np.abs(R_end - R[-1]).max(), np.abs(p_end - p[-1]).max())
    broken = forms(trajectory(" - R[3,3]")[0])
    checks = [("Ad* form", coadjoint, 0, 2.8e-14), ("two-step form", two_steps, 0, 3.8e-15),
              ("reduced and unreduced run", apart, 0, 4.8e-15), ("mutant: the inverse turn", inverse, 1e-2, 1),
              ("mutant: a potential, Ad*", broken[0], 1e-3, 1), ("mutant: a potential, two steps", broken[2], 1e-3, 1)]
    for name, value, low, high in checks:
        print(f"{'ok  ' if low <= value <= high else 'FAIL'} {name}: {value:.2g}")
    return 0 if all(low <= value <= high for _, value, low, high in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
