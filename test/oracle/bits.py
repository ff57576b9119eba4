"""Recorded results have the bits they had: every model of the gallery with every method that fits, and random models.

A run of a few steps is written as CSV (17 digits, so every bit of every double) and hashed; the hashes are compared with
bits.txt. A change that keeps the mathematics but not the order of operations shows here and nowhere else; where a change
of bits is intended, `bits.py --write` makes the table anew, and the commit says why.

Functions such as tan and pow are the C library's, so the table belongs to one version of it: with another version the
comparison is left out, and that is said. RATTLEBACK is the program (default build/rattleback); words after the script's
name run only the cases that contain one of them.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from multiprocessing.pool import ThreadPool

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bits.txt")
SMALLER = 6  # members of families: chains and lattices


def call(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=120)


def hash_of(model, method, *options):
    """Of all that a run records; of a run that is refused or fails, that and what it had computed."""
    done = call("run", model, "-m", method, "--backend", "interpret", "--quiet", "-o", "-", *options)
    return f"{done.returncode} {hashlib.sha256(done.stdout.encode()).hexdigest()[:16]}"


# --- the gallery -----------------------------------------------------------------------------------------------------


def gallery_cases():
    folder = os.path.join(ROOT, "models")
    cases = []
    for name in sorted(os.path.splitext(f)[0] for f in os.listdir(folder)):
        with open(os.path.join(folder, name + ".toml"), encoding="utf-8") as file:
            text = file.read()
        cases.append((name, ("--set", f"n={SMALLER}") if "[1..n]" in text else ()))
    return cases


def methods_that_fit(case):
    name, options = case
    methods = json.loads(call("check", name, *options, "--json").stdout)["methods"]
    # rk wants a tableau
    return [method for method, answer in methods.items() if answer == "fits" and not method.startswith("rk:")]


# --- random models ---------------------------------------------------------------------------------------------------


class Random:
    """The minimal standard generator: the same numbers with every version of Python."""

    def __init__(self, seed):
        self.x = seed * 2654435761 % 2147483647 or 1

    def below(self, n):
        self.x = self.x * 48271 % 2147483647
        return self.x % n

    def number(self):
        return f"{0.2 + self.below(1800) / 1000:.3f}"

    def of(self, items):
        return items[self.below(len(items))]


def formula(r, leaves, depth):
    if depth == 0 or r.below(4) == 0:
        return r.of(leaves) if r.below(3) else r.number()
    kind = r.below(7)
    a = formula(r, leaves, depth - 1)
    if kind < 3:
        return f"({a} {r.of('+-*')} {formula(r, leaves, depth - 1)})"
    if kind == 3:
        return f"({a})/(1.5 + ({formula(r, leaves, depth - 1)})^2)"
    return f"{r.of(['sin', 'cos', 'exp', 'atan', 'tanh'])}(0.3*{a})"


def random_model(seed):
    """TOML, a method that suits, and options: unconstrained, holonomic, nonholonomic or variational."""
    r = Random(seed)
    n = 2 + r.below(2)
    q = ["x", "y", "z"][:n]
    v = [c + "'" for c in q]
    kinetic = " + ".join(f"(m{i} + ({formula(r, q, 1)})^2/8)*{w}^2/2" for i, w in enumerate(v))
    coupling = f"{r.number()}/8*{v[0]}*{v[1]}*sin({r.of(q)})" if r.below(2) else "0"
    potential = formula(r, q, 3) + f" + {r.number()}*({'^2 + '.join(q)}^2)"
    text = f"coordinates = {q}\n[parameters]\n" + "".join(f"m{i} = {r.number()}\n" for i in range(n))
    text += f'[mechanics]\nlagrangian = "{kinetic} + {coupling} - ({potential})"\n'
    if r.below(4) == 0:
        text += f'force = {{ {q[0]} = "0.1*sin(t) - 0.05*{v[0]}" }}\n'
    kind = r.below(4)
    if kind == 1:
        text += f"[constraints]\nholonomic = [\"{'^2 + '.join(q)}^2 + {r.number()}/9*{r.of(q)} - 1.3\"]\n"
    if kind > 1:
        rule = " + ".join(f"({formula(r, q, 1)} + {1 + i})*{w}" for i, w in enumerate(v))
        text += f'[constraints]\nvelocity = ["{rule}"]\n'
        text += 'principle = "variational"\n' if kind == 3 else ""
    text += f'[observables]\nsome = "{formula(r, q + v + ["t"], 2)}"\n[initial]\n'
    text += f"q = [{', '.join(r.number() for _ in q)}]\nv = [{', '.join(r.number() for _ in q)}]\n"
    text += f"lambda = [{r.number()}]\n" if kind == 3 else ""
    suits = (
        ["midpoint", "gauss:stages=2", "del:ld=verlet", "rk4", "lobatto:stages=3", "compose:base=midpoint:order=4"],
        ["rattle", "lobatto:stages=3", "shake", "state_space", "dirac", "baumgarte", "del:ld=midpoint"],
        ["nh_rattle", "gni", "dla", "gf", "gf_sym_proj", "nh_gauss:stages=2", "projected:base=rk4"],
        ["midpoint", "gauss:stages=2", "dvak", "gauss:stages=3"],
    )[kind]
    return text, r.of(suits), ("--project",) if kind else ()


# --- all of them -----------------------------------------------------------------------------------------------------


def measured(names, folder):
    """The hashes of these cases; None: of every method that fits a model of the gallery, three stages of those that choose
    their iteration, and 200 random models."""
    models = dict(gallery_cases())
    with ThreadPool(os.cpu_count()) as pool:
        if names is None:
            fitting = pool.map(methods_that_fit, models.items())
            names = [f"{model} {m}" for model, fits in zip(models, fitting) for m in fits]
            several = [f"{m}:stages=3" for m in ("gauss", "nh_gauss", "dirac_weak")]  # which may iterate on stages
            names += [f"{model} {m}" for model, fits in zip(models, fitting) for m in several if m.split(":")[0] in fits]
            names += [f"random_{seed} {random_model(seed)[1]}" for seed in range(1, 201)]

        def hashed(name):
            model, method = name.split()
            if not model.startswith("random_"):
                return hash_of(model, method, *models.get(model, ()), "--steps", "4")
            text, _, options = random_model(int(model[len("random_") :]))
            file = os.path.join(folder, model + ".toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            return hash_of(file, method, *options, "--step", "0.02", "--steps", "10")

        return dict(zip(names, pool.map(hashed, names, chunksize=8)))


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    libc = "C library " + "-".join(platform.libc_ver()) + " " + platform.machine()
    with tempfile.TemporaryDirectory() as folder:
        if "--write" in sys.argv:
            now = measured(None, folder)
            with open(TABLE, "w", encoding="utf-8") as out:
                out.write(libc + "\n" + "".join(f"{name} {value}\n" for name, value in now.items()))
        with open(TABLE, encoding="utf-8") as file:
            first, *lines = file.read().splitlines()
        if first != libc:
            print(f"not compared: the table was made with {first}, this is {libc}")
            return 0
        before = {" ".join(line.split()[:2]): " ".join(line.split()[2:]) for line in lines}
        now = measured([n for n in before if not words or any(w in n for w in words)], folder)
    bad = [name for name, value in now.items() if before[name] != value]
    for name in bad:
        print(f"{name}: exit code and hash were {before[name]}, are {now[name]}")
    refused = sum(1 for value in now.values() if value[0] != "0")
    print(f"{len(now)} runs ({refused} of them refused or failed), {len(bad)} differ")
    return 1 if bad or not now else 0


if __name__ == "__main__":
    sys.exit(main())
