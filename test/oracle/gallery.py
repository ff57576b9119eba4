"""Every model of the gallery against a second derivation.

The formulas are typed again in _gallery_*.py, from the physics and not from models/*.toml; SymPy derives the equations of motion
(or they are written down by hand), SciPy's DOP853 integrates them, and the end must agree with gauss:stages=6 and with
dop853 of the program. Then: the run that the model proposes, observed orders, and closed forms where there are any.

One line a model; exit 1 if one of them fails. RATTLEBACK is the program (default build/rattleback); names of models
after the script's name run only those.
"""

import json
import os
import sys
from multiprocessing import Pool

import numpy as np

import _gallery_lattices  # noqa: F401: these four fill CASES
import _gallery_orbits  # noqa: F401
import _gallery_pendulums  # noqa: F401
import _gallery_structures  # noqa: F401
from _gallery import CASES, ROOT, end_of, on_groups, rattleback, run, state

# --- what is asked of each -------------------------------------------------------------------------------------------

FEWER = {"fput": ("--set", "n=6"), "sine_gordon": ("--set", "n=6"), "lattice_phi4": ("--set", "n=6")}


def check(name):
    c = CASES[name]()
    error = 0.0
    for method in ("gauss:stages=6", "dop853"):  # implicit and explicit: two ways through the program
        s = run(name, "-m", method, "--step", c.step, "--until", c.until)
        if method == "gauss:stages=6":
            want = c.to_state(end_of(c.rate, np.array(c.y0, dtype=float), s["t_end"]))
        # Where the model is given by a Hamiltonian the numbers here are (q, p).
        got = np.array(s["q"] + s["p"]) if c.momenta else state(s)
        off = float(np.max(np.abs(got - want)) / max(1, np.max(np.abs(want))))
        assert off <= 1e-8, f"{method} is off by {off:.2g} after {s['t_end']:g}"
        error = max(error, off)

    proposed = run(name)
    assert proposed["status"] == "finished"
    if c.conserves:
        scale = max(abs(proposed["energy_initial"]), 1e-300)
        drift = abs(proposed["energy_drift_per_time"] * proposed["t_end"])
        assert proposed["energy_error_max"] < 5e-3 * scale, f"energy error {proposed['energy_error_max']:.2g}"
        assert drift <= 0.2 * proposed["energy_error_max"] + 1e-13 * scale, f"energy drift {drift:.2g}"
    for momentum, worst in proposed["momentum_error_max"].items():
        assert worst < 1e-13 * max(1, np.max(np.abs(proposed["p"]))), f"momentum {momentum}: {worst:.2g}"

    orders = []
    # Two are slow to measure in quad; a step of the third is too long for orders of methods that do not know its spring.
    if name not in ("arenstorf", "outer_solar_system", "stiff_spring"):
        for method, order, slack in (("midpoint", 2, 0.1), ("gauss:stages=2", 4, 0.2)):
            found = json.loads(rattleback("order", name, "-m", method, "--json", *FEWER.get(name, ())))["order"]
            assert abs(found - order) < slack, f"order of {method}: {found:.3f}"
            orders.append(f"{found:.3f}")
    if c.closed:
        c.closed()
    return f"off by {error:.1e}, orders {' '.join(orders) or '-':11}  setup {1e3 * proposed['seconds_setup']:.1f} ms"


def line(name):
    try:
        return True, f"{name:28} ok      {check(name)}"
    except Exception as e:  # whatever it is, the other models are still checked
        return False, f"{name:28} FAILED  {type(e).__name__ if not isinstance(e, AssertionError) else ''} {e}"


def main():
    models = {file.stem for file in (ROOT / "models").glob("*.toml")}
    names = sys.argv[1:] or sorted(models | set(CASES))
    unchecked = [name for name in names if name not in CASES]
    good = True
    with Pool(os.cpu_count()) as pool:
        for ok, text in pool.imap(line, [name for name in names if name in CASES]):
            print(text, flush=True)
            good &= ok
    for name in unchecked:  # models with constraints: nonholonomic.py, variational.py, holonomic.py; on groups: groups.py
        text = (ROOT / "models" / f"{name}.toml").read_text() if name in models else ""
        if "[constraints]" not in text and not on_groups(text) and "[control]" not in text:
            print(f"{name:28} FAILED  has no case in _gallery_*.py")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
