"""Costs of `solve`, from a cold start, against a solver that shares nothing with it (_collocation.py); exit 1 if one
fails.

No problem here is in the gallery or in paths.py. `solve` has to find a path as cheap as that of the other solver, to
call it a minimum, and to know how good its cost is: within twice the estimated error and 1e-10 of the cost.
"""

import json
import os
import subprocess
import sys
import tempfile

import sympy as sp
from _collocation import Problem, optimum

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("RATTLEBACK", os.path.join(ROOT, "build", "rattleback"))


def mechanics(kinetic, potential, names, rates, forces):
    """Rates of positions and velocities, by Lagrange's equations."""
    q, v = sp.symbols(names), sp.symbols(rates)
    T, V = sp.sympify(kinetic), sp.sympify(potential)
    push = [sp.sympify(f) + sp.diff(T - V, a) - sum(sp.diff(T, b, c) * w for c, w in zip(q, v))
            for f, a, b in zip(forces, q, v)]
    return [*map(str, v), *map(str, sp.simplify(sp.hessian(T, v).LUsolve(sp.Matrix(push))))]


def rest(names, **at):
    return dict.fromkeys(names.split(), 0) | at


FURUTA = mechanics("3/8*g**2 + (b**2 + sin(a)**2*g**2)/4 + cos(a)*g*b/3", "-cos(a)", "f a", "g b", ["u", "0"])
LINKS = mechanics("c**2 + d**2/2 + c*d*cos(a - b)", "-2*cos(a) - cos(b)", "a b", "c d", ["u", "w"])
CRANE = mechanics("y**2 + (y**2 + s**2 + r**2*b**2)/2 + y*(s*sin(a) + r*b*cos(a))", "-r*cos(a)", "x r a", "y s b",
                  ["u", "w", "0"])
UNICYCLE = ["v*cos(a)", "v*sin(a)", "w"]

PROBLEMS = {
    "a spring, free end": Problem("x v", "u", ["v", "u"], "(u**2 + x**2)/2", {"x": 1, "v": -1}, {}, 3,
                                  terminal="2*x**2 + v**2 + x*v"),
    "a moving target": Problem("x v", "u", ["v", "u"], "1 + u**2/2", rest("x v"), ["x - 2 - t/2", "v - 1/2"], None),
    "a pendulum on an arm": Problem("f a g b", "u", FURUTA, "u**2/2", rest("f a g b"), rest("f a g b", f=1, a="pi"), 3),
    "two links": Problem("a b c d", "u w", LINKS, "(u**2 + w**2)/2", rest("a b c d"),
                         rest("a b c d", a="pi", b="pi"), 3),
    "a crane with a hoist": Problem("x r a y s b", "u w", CRANE, "(u**2 + (w + 1)**2)/2", rest("x r a y s b", r=1),
                                    rest("x r a y s b", x=2, r=0.7), 3, known=25.786878587842),  # 120 nodes, 24 pieces
    "to a circle": Problem("x y a", "v w", UNICYCLE, "(v**2 + w**2)/2", rest("x y a"),
                           ["x**2 + y**2 - 2*x - 3", "a - 2"], 1),
    "from a line": Problem("x y a", "v w", UNICYCLE, "(v**2 + w**2)/2", ["y - x/2 + 1", "a"],
                           {"x": 2, "y": 1, "a": 1}, 1),
    "a trailer, backwards": Problem("x y a b", "v w", [*UNICYCLE, "v*sin(a - b)"], "(v**2 + w**2)/2", rest("x y a b"),
                                    rest("x y a b", x=-0.5, y=0.5), 1, starts=12),
    "chained form of five": Problem("a b c d e", "u v", ["u", "v", "b*u", "c*u", "d*u"], "(u**2 + v**2)/2",
                                    rest("a b c d e"), {"a": 1, "b": 0, "c": 0.2, "d": -0.1, "e": 0.1}, 1),
    "Cartan": Problem("x y z a b", "u v", ["u", "v", "(x*v - y*u)/2", "x*(x*v - y*u)/2", "y*(x*v - y*u)/2"],
                      "(u**2 + v**2)/2", rest("x y z a b"), {"x": 0.5, "y": 0, "z": 0.2, "a": 0.1, "b": -0.1}, 1),
    "Martinet, on the other side": Problem("x y z", "u v", ["u", "v", "y**2*u/2"], "(u**2 + v**2)/2", rest("x y z"),
                                           {"x": 1, "y": 0, "z": -0.1}, 1),
    "two axes of SO(3)": Problem("a b c", "u v", ["(u*cos(c) - v*sin(c))/cos(b)", "u*sin(c) + v*cos(c)",
                                                  "(v*sin(c) - u*cos(c))*tan(b)"], "(u**2 + v**2)/2", rest("a b c"),
                                 {"a": 0.2, "b": 0.1, "c": 0.8}, 1),
    "a ship, by its heading": Problem("x y", "a", ["cos(a) + 3*y/10", "sin(a)"], "1", rest("x y"), {"x": -1, "y": 1},
                                      None, steering=2),
    "a ship in gusts": Problem("x y", "u v", ["u + sin(t)", "v - cos(2*t)*x/2"], "(1 + u**2 + v**2)/2", rest("x y"),
                               {"x": 3, "y": -1}, None),
    "brachistochrone with friction": Problem("x y v", "a", ["v*cos(a)", "v*sin(a)", "sin(a) - v/5"], "1",
                                             rest("x y", v=0.5), {"x": 3, "y": 1}, None, steering=2),
    "elastica of free length": Problem("x y a", "k", ["cos(a)", "sin(a)", "k"], "1 + k**2/2", rest("x y a"),
                                       {"x": 1, "y": 1, "a": -1}, None),
    "the length of a pendulum": Problem("a w", "u", ["w", "u - sin(a)/l"], "u**2/2", rest("a w"), {"a": "pi", "w": 0},
                                        4, terminal="l/10", chosen={"l": 1}),
    "hyperbolic cosine": Problem("a w", "u", ["w", "u - sin(a)"], "cosh(u) - 1", rest("a w"), {"a": "pi", "w": 0}, 5),
    "ball on a beam": Problem("r a v w", "u", ["v", "w", "r*w**2 - sin(a)", "u"], "u**2/2", rest("r a v w", r=1),
                              rest("r a v w", r=-0.5), 6),
    "a body with one wheel": Problem("a b c", "u", ["u + b*c/2", "-a*c", "a*b/3"], "u**2/2",
                                     {"a": 0.2, "b": 1, "c": 0.3}, {"a": 0, "b": -0.8}, 5),
}


def model_text(problem):
    power = lambda f: '"' + str(f).replace("**", "^") + '"'
    table = lambda names, values: "{ " + ", ".join(f"{n} = {power(v)}" for n, v in zip(names, values)) + " }"
    end = lambda e: table(e, e.values()) if isinstance(e, dict) else "[" + ", ".join(map(power, e)) + "]"
    lines = [f"coordinates = {json.dumps(problem.coordinates)}"]
    if problem.chosen:
        lines += ["[parameters]"] + [f"{k} = {v}" for k, v in problem.chosen.items()]
    lines += ["[control]", f"inputs = {json.dumps(problem.inputs)}"]
    if problem.chosen:
        lines += [f"parameters = {json.dumps([*problem.chosen])}"]
    lines += [f"dynamics = {table(problem.coordinates, problem.dynamics)}", f"cost = {power(problem.running)}"]
    lines += [f"terminal_cost = {power(problem.terminal)}", "[boundary]", f"from = {end(problem.start)}"]
    lines += [f"to = {end(problem.end)}", f'time = {power("free" if problem.time is None else problem.time)}']
    return "\n".join(lines) + "\n"


def solve(problem):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as f:
        f.write(model_text(problem))
        f.flush()
        done = subprocess.run([PROGRAM, "solve", f.name, "--json"], capture_output=True, text=True, check=False,
                              timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def main():
    failed = 0
    for name, problem in PROBLEMS.items():
        found = solve(problem)
        cost, residual = (problem.known, 0) if problem.known else optimum(problem)
        off, limit = found["cost"] - cost, 2 * found["cost_error"] + 1e-10 * max(1, abs(cost))
        good = bool(abs(off) <= limit and residual < 1e-8 and found["verdict"] == "minimum")
        failed += not good
        print(f"{name:32} {'ok' if good else 'WRONG'}  {found['cost']:.13g}, a {found['verdict']}; off by {off:.1e}, "
              f"limit {limit:.0e}, residual of the other solver {residual:.0e}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
