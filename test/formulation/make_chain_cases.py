"""Writes chain_cases.inc: what Dirac's algorithm must find, by exact linear algebra.

For a quadratic H and linear constraints the algorithm is linear algebra, done here with rationals: for phase constraints
with multipliers of the primary ones, for singular J by the geometric definition of Gotay, Nester and Hinds, P_{k+1} =
{z in P_k: dH(v) = 0 for all v with v^T J t = 0 for all t tangent to P_k}. Levels, classes and motions do not depend on
coordinates: the models are these systems in other ones, by polynomial maps that keep the form.
"""

import random

import numpy as np
import sympy as sp
from sympy.polys.matrices import DomainMatrix

HALF = sp.Rational(1, 2)


def text(e):
    return str(sp.expand(e)).replace("**", "^")


def number(x):
    return str(sp.Float(x, 25))


def rank(m):
    return DomainMatrix.from_Matrix(m).convert_to(sp.QQ).rank() if m.rows and m.cols else 0


def nullspace(m):  # as columns
    if not m.rows:
        return [sp.eye(m.cols)[:, i] for i in range(m.cols)]
    rows = DomainMatrix.from_Matrix(m).convert_to(sp.QQ).nullspace().to_Matrix()
    return [rows[i, :].T for i in range(rows.rows)]


class Linear:
    """H = w.S.w/2 + c.w on A w + b = 0."""

    def __init__(self, S, c, A, b):
        self.S, self.c, self.A, self.b = S, c, A, b

    def slope(self):  # grad H as rows on (w, 1)
        return self.S.row_join(self.c)


def likely_levels(S, A, P):
    """How many levels in floating point, constants aside: to look for systems that are worth the exact algebra."""
    G, levels = A, 1
    flow, across = P @ S, P @ A.T
    while levels < 6:
        u, sizes, _ = np.linalg.svd(G @ across)
        left = u[:, (sizes > 1e-9).sum() :].T @ G @ flow
        more = np.vstack([G, left])
        if np.linalg.matrix_rank(more) == np.linalg.matrix_rank(G):
            return levels
        G, levels = more, levels + 1
    return levels


def consistent(rows):
    """Rows on (w, 1): do they vanish together somewhere?"""
    return rank(rows) == rank(rows[:, :-1])


def dirac(s, P):
    """Constraint rows by level; class; multipliers. P is the Poisson matrix."""
    primary = s.A.row_join(s.b)
    levels, all_rows = [primary], primary
    flow = P * s.slope()  # w' of H alone, on (w, 1)
    across = P * s.A.T  # w' of the multipliers
    while True:
        G = all_rows[:, :-1]
        rates, coefficients = G * flow, G * across
        left = sp.Matrix([y.T * rates for y in nullspace(coefficients.T)]) if coefficients.rows else sp.zeros(0, 1)
        new = []
        for i in range(left.rows):
            trial = all_rows.col_join(sp.Matrix(new)) if new else all_rows
            if rank(trial.col_join(left[i, :])) > rank(trial):
                new.append(left[i, :])
        if not new:
            break
        new = sp.Matrix(new)
        all_rows = all_rows.col_join(new)
        if not consistent(all_rows):
            return None
        levels.append(new)
    G = all_rows[:, :-1]
    return {
        "levels": [r.rows for r in levels],
        "second": rank(G * P * G.T),
        "arbitrary": s.A.rows - rank(G * across),
        "rows": all_rows,
        "flow": lambda w: P * s.slope() * w.col_join(sp.Matrix([1])),
        "across": across,
    }


def gotay(s, J):
    """The same for J w' = grad H, by the geometric definition."""
    n = J.rows
    all_rows, sizes = sp.zeros(0, n + 1), []
    while True:
        tangent = nullspace(all_rows[:, :-1])
        T = sp.Matrix.hstack(*tangent) if tangent else sp.zeros(n, 0)
        across = nullspace(T.T * J.T)
        new = []
        for v in across:
            row = v.T * s.slope()
            trial = all_rows.col_join(sp.Matrix(new)) if new else all_rows
            if rank(trial.col_join(row)) > rank(trial):
                new.append(row)
        if not new:
            break
        all_rows = all_rows.col_join(sp.Matrix(new))
        if not consistent(all_rows):
            return None
        sizes.append(len(new))
    T = sp.Matrix.hstack(*nullspace(all_rows[:, :-1])) if rank(all_rows) < n else sp.zeros(n, 0)
    free = T.cols - rank(J * T) if T.cols else 0
    return {"levels": sizes, "arbitrary": free, "degenerate": T.cols - rank(T.T * J * T) if T.cols else 0, "rows": all_rows}


def point_on(rows, n, rng):
    """A rational point on rows . (w, 1) = 0."""
    w = sp.symbols(f"w0:{n}")
    solution = sp.solve(list(rows * sp.Matrix(list(w) + [1])), w, dict=True)[0] if rows.rows else {}
    free = {x: sp.Rational(rng.randint(-4, 4), 8) for x in w}
    return sp.Matrix([sp.sympify(solution.get(x, x)).subs(free) for x in w])


def random_numbers(n, count, rng):
    entry = lambda: rng.choice([0, 0, 0, 0, 1, -1, 2, 0.5])
    S, A = np.zeros((n, n)), np.array([[entry() for _ in range(n)] for _ in range(count)]).reshape(count, n)
    for i in range(n):
        for j in range(i + 1):
            S[i, j] = S[j, i] = entry()
    return S, A


def random_system(n, count, wanted, P, primary, rng):
    """With as many levels as wanted, most likely. `primary`: as likely_levels sees them."""
    for _ in range(300):
        S, A = random_numbers(n, count, rng)
        if likely_levels(*primary(S, A), P) == wanted:
            break
    else:
        return None
    exact = lambda m: sp.Matrix(m.shape[0], m.shape[1], [sp.Rational(x) for x in m.flatten()])
    c = sp.Matrix([rng.choice([0, 0, 1]) for _ in range(n)])
    b = sp.Matrix(count, 1, [rng.choice([0, HALF]) for _ in range(count)])
    return Linear(exact(S), c, exact(A), b)


def shears(q, p, rng):
    """Maps v -> w that keep dq ^ dp: p += grad U(q), then q += grad V(p). As formulas of v, and the way back."""
    n = len(q)
    U = lambda x: sum(sp.Rational(rng2[i], 8) * x[i] ** 3 / 3 for i in range(n)) + x[0] ** 2 * x[-1] / 8
    V = lambda x: sum(sp.Rational(rng3[i], 8) * x[i] ** 2 for i in range(n)) + x[0] * x[-1] / 4
    rng2, rng3 = [rng.randint(-2, 2) for _ in q], [rng.randint(-2, 2) for _ in q]
    a = sp.symbols(f"a0:{n}")
    dU = lambda x: [sp.diff(U(a), s).subs(dict(zip(a, x)), simultaneous=True) for s in a]
    dV = lambda x: [sp.diff(V(a), s).subs(dict(zip(a, x)), simultaneous=True) for s in a]
    p1 = [pi + u for pi, u in zip(p, dU(q))]
    q1 = [qi + v for qi, v in zip(q, dV(p1))]

    def back(qw, pw):
        q0 = [qi - v for qi, v in zip(qw, dV(pw))]
        return q0, [pi - u for pi, u in zip(pw, dU(q0))]

    return list(map(sp.expand, q1)), list(map(sp.expand, p1)), back


def phase_case(number_of, wanted, rng):
    while True:
        n, count = rng.choice([2, 3]), rng.choice([1, 1, 2])
        numbers = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
        P = sp.Matrix(2 * n, 2 * n, [int(x) for x in numbers.flatten()])
        s = random_system(2 * n, count, wanted, numbers, lambda S, A: (S, A), rng)
        if s is None or rank(s.A) < count:
            continue
        found = dirac(s, P)
        if found is None or len(found["levels"]) != wanted or rank(found["rows"]) == 2 * n:
            continue
        if wanted != 3 and number_of % 5 and found["arbitrary"]:  # most have one motion alone
            continue
        names = ["a", "b", "c"][:n]
        q, p = sp.symbols(names), sp.symbols(["p_" + x for x in names])
        q1, p1, back = shears(q, p, rng)
        w = sp.Matrix(list(q1) + list(p1))
        H = (w.T * s.S * w)[0] / 2 + (s.c.T * w)[0]
        w0 = point_on(found["rows"], 2 * n, rng)
        v0 = sum(back(list(w0[:n]), list(w0[n:])), [])
        lines = [
            f"coordinates = {names}".replace("'", '"'),
            f'[mechanics]\nhamiltonian = "{text(H)}"\n[constraints]',
            "phase = [" + ", ".join(f'"{text((s.A[i, :] * w)[0] + s.b[i])}"' for i in range(count)) + "]",
            f"[initial]\nq = [{', '.join(map(number, v0[:n]))}]\np = [{', '.join(map(number, v0[n:]))}]",
        ]
        motion = []
        if found["arbitrary"] == 0:
            G = found["rows"][:, :-1]
            mu = sp.Matrix(sp.symbols(f"m0:{count}"))
            total = found["flow"](w0) + found["across"] * mu
            solution = sp.solve(list(G * total), list(mu), dict=True)[0]
            to_v = w.jacobian(list(q) + list(p)).subs(dict(zip(list(q) + list(p), v0)))
            motion = list(to_v.LUsolve(total.subs(solution)))
        return case(f"phase{number_of}", lines, found["levels"], found["second"], found["arbitrary"], motion)


def general_case(number_of, wanted, rng):
    while True:
        n, k = rng.choice([1, 2, 2]), rng.choice([1, 2])
        size = 2 * n + k
        # Momenta of the kernel, as primary constraints, beside w.
        whole = size + k
        numbers = np.zeros((whole, whole))
        for i in range(n):
            numbers[i, n + i], numbers[n + i, i] = 1, -1
        for i in range(2 * n, size):
            numbers[i, k + i], numbers[k + i, i] = 1, -1
        momenta = np.hstack([np.zeros((k, size)), np.eye(k)])
        wide = lambda S, A: (np.pad(S, (0, k)), momenta)
        s = random_system(size, 0, wanted + 1, numbers, wide, rng)
        if s is None:
            continue
        J = sp.zeros(size, size)
        for i in range(n):
            J[i, n + i], J[n + i, i] = -1, 1
        found = gotay(s, J)
        if found is None or len(found["levels"]) != wanted or rank(found["rows"]) == size:
            continue
        names = ["a", "b", "c", "d", "e", "f"][:size]
        z = sp.symbols(names)
        # A linear change of coordinates, then maps that keep the form.
        T = sp.eye(size)
        for _ in range(3):
            i, j = rng.sample(range(size), 2)
            T[i, :] += rng.choice([1, -1]) * T[j, :]
        x = list(T * sp.Matrix(z))
        q1, p1, back = shears(x[:n], x[n : 2 * n], rng)
        bend = [sp.Rational(rng.randint(-2, 2), 8) for _ in range(k)]
        l1 = [x[2 * n + i] + bend[i] * x[0] ** 2 for i in range(k)]
        w = sp.Matrix(q1 + p1 + l1)
        H = (w.T * s.S * w)[0] / 2 + (s.c.T * w)[0]
        w0 = point_on(found["rows"], size, rng)
        q0, p0 = back(list(w0[:n]), list(w0[n : 2 * n]))
        x0 = sp.Matrix(q0 + p0 + [w0[2 * n + i] - bend[i] * q0[0] ** 2 for i in range(k)])
        z0 = T.inv() * x0
        Jz = T.T * J * T
        motion = []
        if found["arbitrary"] == 0:
            G, X = found["rows"][:, :-1], sp.Matrix(sp.symbols(f"x0:{size}"))
            equations = list(J * X - s.slope() * w0.col_join(sp.Matrix([1]))) + list(G * X)
            solution = sp.solve(equations, list(X), dict=True)[0]
            to_z = w.jacobian(z).subs(dict(zip(z, z0)))
            motion = list(to_z.LUsolve(X.subs(solution)))
        lines = [
            f"variables = {names}".replace("'", '"'),
            f'[hamiltonian]\nformula = "{text(H)}"',
            "structure = [" + ", ".join(str(list(Jz[i, :])) for i in range(size)) + "]",
            f"[initial]\nz = [{', '.join(map(number, z0))}]",
        ]
        # The kernel's momenta come before; all but the degenerate directions are of the second class.
        second = k + rank(found["rows"]) - found["degenerate"]
        return case(f"general{number_of}", lines, [k] + found["levels"], second, found["arbitrary"], motion)


def case(name, lines, levels, second, arbitrary, motion):
    model = "\n".join(lines) + "\n"
    numbers = ", ".join(number(x) for x in motion)
    level_text = ", ".join(map(str, levels))
    return f'{{"{name}", R"toml({model})toml", {{{level_text}}}, {second}, {arbitrary}, {{{numbers}}}}},'


def main():
    rng = random.Random(17)
    print("// Made by make_chain_cases.py: constraints a level, how many of the second class, multipliers that nothing")
    print("// determines, and the motion at the start where all are determined.")
    for i in range(20):
        print(phase_case(i + 1, i % 4 + 1, rng), flush=True)
    for i in range(20):
        print(general_case(i + 1, i % 3 + 1, rng))


main()
