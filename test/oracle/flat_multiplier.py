"""J z' = grad H where H_lambda_lambda vanishes at the start, against a second derivation; exit 1 if one fails.

H_lambda = 0 has one solution there, which is all that McLachlan, Modin, Verdier and Wilkins (2014, Prop. 4) ask for. It is
eliminated by hand: l^3 = c is a cube root, (l^2 + m^2) (l, m) = c a root of the length. The midpoint rule of what is left
is solved in 40 digits; the motion is SciPy's.
"""

import json
import os
import subprocess
import sys
import tempfile

import mpmath
import numpy as np
from scipy.integrate import solve_ivp

mpmath.mp.dps = 40

J = {3: [[0, -1, 0], [1, 0, 0], [0, 0, 0]], 4: [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}


def root(x, power):
    return mpmath.sign(x) * abs(x) ** (mpmath.mpf(1) / power)


def one(power):
    """H = (p^2 + x^2)/2 + l^(power + 1)/(power + 1) - l (p - x)/5."""
    formula = f"p^2/2 + x^2/2 + l^{power + 1}/{power + 1} - l*(p - x)/5"
    multipliers = lambda x, p: [root((p - x) / 5, power)]
    rate = lambda x, p, l: (p - l / 5, -x - l / 5)
    return formula, ["l"], multipliers, rate


def two():
    formula = "p^2/2 + x^2/2 + (l^2 + m^2)^2/4 - l*(p - x)/5 - m*(p + x - 1.4)/3"

    def multipliers(x, p):
        c, d = (p - x) / 5, (p + x - mpmath.mpf(14) / 10) / 3
        size = mpmath.sqrt(c * c + d * d)
        factor = 0 if size == 0 else size ** (-mpmath.mpf(2) / 3)
        return [c * factor, d * factor]

    return formula, ["l", "m"], multipliers, lambda x, p, l, m: (p - l / 5 - m / 3, -x - l / 5 + m / 3)


def run(formula, names, *options):
    n = 2 + len(names)
    text = f'variables = {json.dumps(["x", "p"] + names)}\n[hamiltonian]\nformula = "{formula}"\nstructure = {J[n]}\n'
    text += f"[initial]\nz = {[0.7, 0.7] + [0] * len(names)}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text), file.flush()
        command = [os.environ.get("RATTLEBACK", "build/rattleback"), "run", file.name, "--json", *map(str, options)]
        return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def midpoint(multipliers, rate, h, steps):
    """z = z0 + h/2 f(z) in the middle of each step, by a secant method from two places: the answers must agree."""
    z = mpmath.matrix(["0.7", "0.7"])
    for _ in range(steps):
        f = lambda x, p: [m - z0 - h / 2 * r for m, z0, r in zip((x, p), z, rate(x, p, *multipliers(x, p)))]
        guess = rate(*z, *multipliers(*z))
        found = [
            mpmath.findroot(f, [z[i] + h / 2 * guess[i] + d for i in range(2)], tol=1e-30, maxsteps=100)
            for d in (mpmath.mpf("0.003"), mpmath.mpf("-0.002"))
        ]
        assert mpmath.norm(found[0] - found[1]) < 1e-12, "the midpoint rule has several solutions"
        z = 2 * found[0] - z
    return z


def motion(power, until):
    odd_root = lambda c: np.sign(c) * np.abs(c) ** (1 / power)
    rate = lambda _, z: [z[1] - odd_root((z[1] - z[0]) / 5) / 5, -z[0] - odd_root((z[1] - z[0]) / 5) / 5]
    return solve_ivp(rate, (0, until), [0.7, 0.7], method="DOP853", rtol=1e-13, atol=1e-13, max_step=1e-3).y[:, -1]


def check(formula, names, multipliers, rate):
    h, steps = mpmath.mpf(0.1), 40
    want = midpoint(multipliers, rate, h, steps)
    want = [float(x) for x in list(want) + multipliers(*want)]
    options = ("-m", "midpoint", "--step", 0.1, "--steps", steps, "--backend")
    got, tape = (run(formula, names, *options, backend)["z"] for backend in ("jit", "interpret"))
    assert got == tape, "machine code and tape differ"
    off = max(abs(a - b) for a, b in zip(got, want))
    assert off <= 5e-16, f"midpoint is off by {off:.2g}"
    words = f"midpoint off by {off:.1e}"
    if len(names) == 1:
        end = motion(int(formula[formula.index("l^") + 2]) - 1, 4)
        for method, allowed in (("gauss:stages=2", 2e-3), ("rk4", 4.5e-3), ("dop853", 1e-9)):
            z = run(formula, names, "-m", method, "--step", 0.05, "--until", 4)["z"]
            off = max(abs(z[0] - end[0]), abs(z[1] - end[1]))
            assert off <= allowed, f"{method} is off by {off:.2g}"
            words += f", {method} {off:.1e}"
    return words


def main():
    good = True
    for name, case in {"cube root": one(3), "fifth root": one(5), "two multipliers": two()}.items():
        try:
            print(f"{name:18} ok      {check(*case)}")
        except (AssertionError, subprocess.CalledProcessError, ValueError) as error:
            good = False
            print(f"{name:18} FAILED  {error}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
