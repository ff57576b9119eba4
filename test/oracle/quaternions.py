"""Bodies in charts of SO(3) against the same bodies with a unit quaternion, |e|^2 = 1 as a holonomic constraint.

The second way knows nothing of groups: four coordinates, their constraint, and methods for constraints. Both runs are
converged; measured: 9e-14 and less. A mutant, another inertia in one of them, must be seen.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))

GROUP = """coordinates = [{coordinates}]
[definitions]
w = "body(R)"
space = "space(R)"
T = "R"
"""

# Omega is twice the vector part of conj(e) e'. The radial mass of |e| is there since a Lagrangian of Omega alone has none.
QUATERNION = """coordinates = [{coordinates}]
[definitions]
w = ["2*(s*a' - a*s' - b*c' + c*b')", "2*(s*b' - b*s' - c*a' + a*c')", "2*(s*c' - c*s' - a*b' + b*a')"]
T = [["1 - 2*(b^2 + c^2)", "2*(a*b - s*c)", "2*(a*c + s*b)"],
     ["2*(a*b + s*c)", "1 - 2*(a^2 + c^2)", "2*(b*c - s*a)"],
     ["2*(a*c - s*b)", "2*(b*c + s*a)", "1 - 2*(a^2 + b^2)"]]
space = "T*w"
radial = "(s*s' + a*a' + b*b' + c*c')^2/2"
"""

# name, other coordinates with start and velocity, omega, L, velocity constraints, methods: in charts, of quaternions
BODIES = [
    ("free body", {}, [0.5, -0.3, 0.8], "{kinetic}", [], "gauss:stages=4", "lobatto:stages=4"),
    ("heavy top", {}, [0.5, -0.3, 2.8], "{kinetic} - 3*(0.1*T[3,1] + 0.2*T[3,2] + 0.7*T[3,3])", [], "lobatto:stages=4",
     "lobatto:stages=4"),
    ("satellite with a rotor", {"r": (0, 2)}, [0.5, -0.3, 0.8],
     "{kinetic} + 0.3*(w[3] + r')^2 - (0.2*T[3,1] + 0.3*T[3,2] + 0.8*T[3,3])^2", [], "gauss:stages=4",
     "lobatto:stages=4"),
    ("Suslov's body in a field", {}, [0.5, -0.3, 0], "{kinetic} - 0.3*T[1,1] - T[3,1]", ["w[3]"], "nh_gauss:stages=4",
     "nh_gauss:stages=4"),
    ("Chaplygin's ball in a trough", {"x": (0.4, -0.3), "y": (0, -0.5)}, [0.5, -0.3, 0.8],
     "{kinetic} + (x'^2 + y'^2)/2 - x^2", ["x' - space[2]", "y' + space[1]"], "nh_gauss:stages=4", "nh_gauss:stages=4"),
]
KINETIC = "(w[1]^2 + {inertia}*w[2]^2 + 2*w[3]^2 + 0.4*w[1]*w[2])/2"


def run(model, method, step):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(model)
        file.flush()
        done = subprocess.run([PROGRAM, "run", file.name, "-m", method, "--step", step, "--until", "4", "--json"],
                              capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        sys.exit(f"{done.stderr}{model}")
    return json.loads(done.stdout)


def shown(end, quaternions):
    """R row by row, the other coordinates, omega seen from the body, the other velocities."""
    if not quaternions:
        return end["q"] + end["v"]
    (s, a, b, c, *others), (s1, a1, b1, c1, *velocities) = end["q"], end["v"]
    R = [1 - 2 * (b * b + c * c), 2 * (a * b - s * c), 2 * (a * c + s * b),
         2 * (a * b + s * c), 1 - 2 * (a * a + c * c), 2 * (b * c - s * a),
         2 * (a * c - s * b), 2 * (b * c + s * a), 1 - 2 * (a * a + b * b)]
    omega = [2 * (s * a1 - a * s1 - b * c1 + c * b1), 2 * (s * b1 - b * s1 - c * a1 + a * c1),
             2 * (s * c1 - c * s1 - a * b1 + b * a1)]
    return R + others + omega + velocities


def model_of(body, quaternions, inertia):
    name, others, omega, lagrangian, constraints, *_ = body
    names = [*(["s", "a", "b", "c"] if quaternions else ["R in SO(3)"]), *others]
    text = (QUATERNION if quaternions else GROUP).format(coordinates=", ".join(f'"{n}"' for n in names))
    lagrangian = lagrangian.format(kinetic=KINETIC.format(inertia=inertia)) + (" + radial" if quaternions else "")
    text += f'[mechanics]\nlagrangian = "{lagrangian}"\n'
    if quaternions or constraints:
        text += "[constraints]\n"
    if quaternions:
        text += 'holonomic = ["s^2 + a^2 + b^2 + c^2 - 1"]\n'
    if constraints:
        text += f"velocity = {json.dumps(constraints)}\n"
    # From the identity, where e' = (0, omega/2).
    q = {n: v[0] for n, v in others.items()}
    v = {n: v[1] for n, v in others.items()}
    if constraints and others:  # the ball rolls: space velocities are the body's at the identity
        v = {"x": omega[1], "y": -omega[0]}
    if quaternions:
        q = {"s": 1, "a": 0, "b": 0, "c": 0, **q}
        v = {"s": 0, "a": omega[0] / 2, "b": omega[1] / 2, "c": omega[2] / 2, **v}
    else:
        q = {"R": [1, 0, 0, 0, 1, 0, 0, 0, 1], **q}
        v = {"R": omega, **v}
    table = lambda values: "{ " + ", ".join(f"{n} = {x}" for n, x in values.items()) + " }"
    return text + f"[initial]\nq = {table(q)}\nv = {table(v)}\n"


def main():
    failed = 0
    for body in BODIES:
        ends = [shown(run(model_of(body, embedded, inertia), body[6 if embedded else 5], "1/100"), embedded)
                for embedded, inertia in ((False, 1.5), (True, 1.5), (True, 1.50001))]
        apart, broken = (max(abs(x - y) for x, y in zip(ends[0], end, strict=True)) for end in ends[1:])
        good = apart <= 2e-13 and broken >= 1e-7
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {body[0]}: {apart:.1e}, the mutant {broken:.1e}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
