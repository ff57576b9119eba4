"""A step has the same result in all units: models whose coordinates, time and action are measured in units of very
different sizes, each coordinate in one of its own, against the same models with numbers near 1.

A run in other units has other numbers everywhere: samples that choose pivots, matrices, increments. What it ends at,
divided by the units, is what the run in plain units ends at, to round-off. RATTLEBACK is the program; words after the
script's name run only the models and methods that contain one of them. `--seeds N` takes N sets of units (default 2).

Starts on holonomic constraints are made consistent by systems that know no units, and may be refused; with each
coordinate in a unit of its own their steps may fail, too. What ends with exit 0 must agree.
"""

import csv
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))
STEPS = (1e-12, 1e-8, 1e-5, 1e-3, 0.05)
COUNT = 4
MOST = 2e-11  # relative to the size of each coordinate, momentum and velocity

# name: coordinates, Lagrangian, holonomic constraints, velocity constraints, q, v
MODELS = {
    "kepler": ("xyz", "(x'^2 + y'^2 + z'^2)/2 + 1/sqrt(x^2 + y^2 + z^2)", [], [], (1, 0, 0), (0, 1, 0.3)),
    "inclined": ("xyz", "(x'^2 + y'^2 + z'^2)/2 + 1/sqrt(x^2 + y^2 + z^2)", [], [], (0.7, 0.5, -0.4), (-0.3, 0.8, 0.5)),
    "henon": ("xy", "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3", [], [], (0.3, 0.1), (0, 0.2)),
    "skew": (
        "xyz",
        "(2 + x^2)*x'^2/2 + x*y'*z'/4 + y'^2 + z'^2/2 - x^2*y^2/2 - z^4/4 - x*z/3 - y^2",
        [], [], (0.5, 0.6, -0.4), (0.3, 0, 0.2),
    ),
    "magnetic": (
        "xyz", "(x'^2 + y'^2 + z'^2)/2 + (1 + z^2)*(x*y' - y*x')/2 - (x^2 + z^4)/2", [], [], (1, 0, 0.2), (0, 1, 0.1),
    ),
    "four": (
        "wxyz", "(w'^2 + x'^2 + y'^2 + z'^2)/2 - (w*x*y*z + w^2 + x^4 + (y - z)^2 + (w - y)^4)/2", [], [],
        (0.4, -0.2, 0.3, 0.6), (0.1, 0.2, 0, -0.3),
    ),
    "sphere": ("xyz", "(x'^2 + y'^2 + z'^2)/2 - z", ["(x^2 + y^2 + z^2 - 1)/2"], [], (0.6, 0, -0.8), (0, 0.7, 0)),
    "two_rods": (
        "wxyz", "(w'^2 + x'^2)/2 + y'^2 + z'^2 - x - 2*z",
        ["(w^2 + x^2 - 1)/2", "((y - w)^2 + (z - x)^2 - 1)/2"], [], (0.6, -0.8, 1.4, -1.4), (0, 0, 0.3, 0.4),
    ),
    "rolling": (
        "xyz", "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2 - z^2/3", [], ["z' - x*y'"], (1, 0.2, 0.1), (0.1, 0.9, 0.9),
    ),
    "two_wheels": (
        "wxyz", "(w'^2 + x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2 + z^2)/2 - w^4/4", [], ["w' - x*y'", "z' - y*x'/2"],
        (0.3, 1, 0.2, 0.1), (0.9, 0.2, 0.9, 0.02),
    ),
}
PLAIN = [
    "midpoint", "gauss", "gauss:stages=2", "gauss:stages=3", "gauss:stages=4", "lobatto", "lobatto:stages=3",
    "del:ld=midpoint", "del:ld=verlet", "dirac", "dirac_weak:stages=2", "gf", "gf_proj", "del:ld=galerkin",
    "gauss:stages=2:iteration=fixed", "rattle", "gni", "radau:stages=2", "state_space", "underlying",
]
HOLONOMIC = ["rattle", "lobatto:stages=3", "del:ld=midpoint", "del", "dirac", "dirac_weak:stages=2", "gni", "gf", "shake"]
ROLLING = ["nh_gauss", "nh_gauss:stages=2", "nh_gauss:stages=3", "nh_rattle", "gni", "dla", "dirac_weak:stages=2", "nh_shake"]


def text_of(model, lengths, time, action):
    names, lagrangian, holonomic, velocity, q, v = model

    def scaled(formula):
        for name, length in zip(names, lengths):
            formula = re.sub(rf"\b{name}\b(')?", lambda m, n=name, a=length: (
                f"({n.upper()}{n}'*{time / a!r})" if m.group(1) else f"({n.upper()}{n}*{1 / a!r})"), formula)
        return formula

    def named(name):
        return name.upper() + name

    def table(values):
        return "{ " + ", ".join(f"{named(n)} = {x!r}" for n, x in zip(names, values)) + " }"

    constraints = ""
    if holonomic or velocity:
        constraints = "[constraints]\n"
        for key, formulas in (("holonomic", holonomic), ("velocity", velocity)):
            if formulas:
                constraints += f"{key} = [" + ", ".join(f'"{scaled(f)}"' for f in formulas) + "]\n"
    return (
        f"coordinates = [{', '.join(chr(34) + named(n) + chr(34) for n in names)}]\n[mechanics]\n"
        f'lagrangian = "{action / time!r}*({scaled(lagrangian)})"\n{constraints}[initial]\n'
        f"q = {table([x * a for x, a in zip(q, lengths)])}\nv = {table([x * a / time for x, a in zip(v, lengths)])}\n"
    )


def run(folder, name, text, method, step):
    path = os.path.join(folder, name + ".toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        done = subprocess.run(
            [PROGRAM, "run", path, "-m", method, "--step", repr(step), "--steps", str(COUNT), "--quiet", "-o", "-"],
            capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return 124, None, "timeout"
    if done.returncode != 0:
        return done.returncode, None, done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))
    return 0, dict(zip(rows[0], map(float, rows[-1]))), ""


def compare(folder, case):
    name, method, step, seed = case
    model = MODELS[name]
    names = model[0]
    rng = random.Random(f"{name} {method} {seed}")
    time = 10 ** rng.uniform(-15, 9)
    same = seed % 2 == 0  # all coordinates in one unit, or each in one of its own
    lengths = [10 ** rng.uniform(-9, 9)] * len(names) if same else [10 ** rng.uniform(-9, 9) for _ in names]
    action = 10 ** rng.uniform(-27, 30) * lengths[0] ** 2 / time
    tag = f"{name}_{method.replace(':', '_').replace('=', '_')}_{step:g}_{seed}"
    code, plain, _ = run(folder, tag + "_plain", text_of(model, [1.0] * len(names), 1.0, 1.0), method, step)
    if code != 0:
        return "left out"
    here, found, reason = run(folder, tag, text_of(model, lengths, time, action), method, step * time)
    if here == 2 or (here == 1 and model[2]):
        return "refused"
    if here != 0:
        return f"{tag}: exit {here}: {reason.splitlines()[0] if reason else ''}"
    worst = 0.0
    for n, length in zip(names, lengths):
        column = n.upper() + n
        largest = max(abs(plain[m.upper() + m]) for m in names)
        worst = max(worst, abs(found[column] / length - plain[column]) / largest)
        rate = column + "'" if column + "'" in plain else None
        if rate:
            largest = max(abs(plain[m.upper() + m + "'"]) for m in names)
            worst = max(worst, abs(found[rate] / length * time - plain[rate]) / largest)
    return f"{tag}: off by {worst:.1e}" if not worst <= MOST else None


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--") and not w.isdigit()]
    seeds = int(sys.argv[sys.argv.index("--seeds") + 1]) if "--seeds" in sys.argv else 2
    cases = []
    for name, model in MODELS.items():
        for method in HOLONOMIC if model[2] else ROLLING if model[3] else PLAIN:
            for step in STEPS:
                for seed in range(seeds):
                    cases.append((name, method, step, seed))
    cases = [c for c in cases if not words or any(w in f"{c[0]} {c[1]}" for w in words)]
    with tempfile.TemporaryDirectory() as folder, ThreadPool(2) as pool:
        answers = pool.map(lambda c: compare(folder, c), cases, chunksize=1)
    bad = [a for a in answers if a and a not in ("left out", "refused")]
    refused = answers.count("refused")
    compared = len(cases) - answers.count("left out") - refused
    for line in bad:
        print(line)
    print(f"{compared} of {len(cases)} runs compared in other units, {refused} refused, {len(bad)} differ")
    return 1 if bad or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
