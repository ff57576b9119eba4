"""Models of the gallery with phase constraints against a second derivation; one line a model, exit 1 if one fails.

The motion on the constraint set is written down from the physics: drift across a field, Biot and Savart's law, a pendulum with
d'Alembert's tension. SciPy's DOP853 integrates it, and dirac and dirac_weak must end there.
"""

import math
import sys

import numpy as np

from _gallery import ROOT, columns, end_of, near, run

# Of x' = d(potential)/dy / B: the charge drifts along lines of constant potential.
def drifting_charge(_, z):
    x, y = z
    return np.array([(-math.sin(y) + 0.1 * x) / -2, (-math.sin(x) + 0.1 * y) / 2])


def vortices_in_phase_space(_, z):
    c, p = np.array([1, 1, 0.5]), z[0::2] + 1j * z[1::2]
    w = [sum(c[j] * 1j * (p[i] - p[j]) / abs(p[i] - p[j]) ** 2 for j in range(3) if j != i) for i in range(3)]
    return np.stack([np.real(w), np.imag(w)], 1).ravel() / (2 * np.pi)


def pendulum_with_multiplier(_, z):
    (x, y), (u, v) = z[:2], z[2:]
    tension = u * u + v * v - y
    return np.array([u, v, -tension * x, -1 - tension * y])


CASES = {
    "drifting_charge": (drifting_charge, [1, 0.5], 20, 0.1, lambda q, p: q),
    "vortices_in_phase_space": (vortices_in_phase_space, [1, 0, -1, 0, 0.2, 1.2], 20, 0.1, lambda q, p: q),
    "pendulum_with_multiplier": (pendulum_with_multiplier, [1, 0, 0, -1.2], 5, 0.02, lambda q, p: q[:2] + p[:2]),
}


def check(name):
    rate, start, until, step, state = CASES[name]
    worst = 0.0
    for method in ("dirac:stages=4", "dirac_weak:stages=4"):
        s = run(name, "-m", method, "--step", step, "--until", until)
        want = end_of(rate, np.array(start, dtype=float), s["t_end"])
        off = float(np.max(np.abs(np.array(state(s["q"], s["p"])) - want)))
        assert off <= 1e-8, f"{method} is off by {off:.2g} after {s['t_end']:g}"
        worst = max(worst, off)
    proposed = run(name)
    assert proposed["status"] == "finished" and proposed["energy_error_max"] < 5e-3
    if name == "pendulum_with_multiplier":
        l, tension = columns(name, ["l", "tension"])
        near("the tension", l, tension, 1e-5)
    return f"off by {worst:.1e}, energy error {proposed['energy_error_max']:.1e}"


def main():
    good = True
    for name in sys.argv[1:] or sorted(CASES):
        try:
            print(f"{name:28} ok      {check(name)}")
        except AssertionError as e:
            good = False
            print(f"{name:28} FAILED  {e}")
    for file in sorted((ROOT / "models").glob("*.toml")):
        if "\nphase = [" in file.read_text() and file.stem not in CASES:
            good = False
            print(f"{file.stem:28} FAILED  has no case")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
