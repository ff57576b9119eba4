"""Coordinates on groups against a second derivation: every such model of the gallery, and others that are written here.

Newton's and Euler's equations are in _bodies.py; besides, there are elliptic functions, a Gudermannian, Euler angles,
and models of the gallery that describe the same bodies by angles. One line a case; exit 1 if one fails. RATTLEBACK is
the program (default build/rattleback); names of cases after the script's name run only those.
"""

import os
import sys
from multiprocessing import Pool

import _groups_joined  # noqa: F401: these four fill CASES
import _groups_other  # noqa: F401
import _groups_rolling  # noqa: F401
import _groups_turning  # noqa: F401
from _gallery import ROOT, on_groups
from _groups import CASES, run


def line(name):
    try:
        said = CASES[name]()
        if (ROOT / "models" / f"{name.rstrip('_')}.toml").exists():
            proposed = run(name.rstrip("_"))
            assert proposed["status"] == "finished"
            for kind in ("constraint_max", "holonomic_max"):
                assert (proposed.get(kind) or 0) < 1e-12, f"{kind} is {proposed[kind]:.2g} in the proposed run"
        return True, f"{name:26} ok      {said}"
    except Exception as e:  # whatever it is, the other cases are still checked
        return False, f"{name:26} FAILED  {type(e).__name__ if not isinstance(e, AssertionError) else ''} {e}"


def main():
    texts = {f.stem: f.read_text() for f in (ROOT / "models").glob("*.toml")}
    models = {name for name, text in texts.items() if on_groups(text) and "[boundary]" not in text}  # those: turns.py
    covered = {name.rstrip("_") for name in CASES}
    good = True
    with Pool(os.cpu_count()) as pool:
        for ok, text in pool.imap(line, sys.argv[1:] or sorted(CASES)):
            print(text, flush=True)
            good &= ok
    for name in sorted(models - covered):
        print(f"{name:26} FAILED  has no case")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
