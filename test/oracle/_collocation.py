"""The cheapest path of an optimal control problem, by NumPy and SciPy alone, to some ten digits.

First the trapezoidal rule with dense sequential quadratic programming (null spaces, exact Hessians whose eigenvalues
are made positive), from a few bent straight lines. Then its costates begin multiple shooting on Pontryagin's equations
with DOP853. A free time and parameters that are chosen are coordinates that do not change.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

NODES, PIECES = 30, 8


def function(arguments, formulas):
    if not formulas:
        return lambda *a: np.zeros((0,) + np.shape(a[0]))
    plain = sp.lambdify(arguments, formulas, "numpy", cse=True)

    def on_all(*a):
        shape = np.broadcast(*a).shape
        return np.array([np.broadcast_to(f, shape) for f in plain(*a)])

    return on_all


class Problem:
    """coordinates, inputs, dynamics, cost, ends (tables, or lists of formulas that vanish), time (None: free); options:
    terminal (cost), chosen (parameters and where they begin), steering (size of the first inputs), starts, known
    (cost)."""

    def __init__(self, x, u, dynamics, cost, start, end, time, **options):
        self.coordinates, self.inputs, self.dynamics, self.running = x.split(), u.split(), dynamics, cost
        self.start, self.end, self.time, self.chosen = start, end, time, options.get("chosen", {})
        self.terminal, self.steering = options.get("terminal", "0"), options.get("steering", 0.3)
        self.known, self.starts = options.get("known"), options.get("starts", 4)

    def compile(self):
        names = {n: sp.Symbol(n) for n in [*self.coordinates, *self.inputs, *self.chosen, "t"]}
        read = lambda f: sp.sympify(str(f), locals=names)
        rows = lambda e: [names[k] - read(v) for k, v in e.items()]
        vanishing = lambda e: rows(e) if isinstance(e, dict) else [read(f) for f in e]
        x, u = [names[n] for n in [*self.coordinates, *self.chosen]], [names[n] for n in self.inputs]
        f, L = [read(e) for e in self.dynamics] + [sp.Integer(0)] * len(self.chosen), read(self.running)
        T, s = sp.Symbol("T_") if self.time is None else sp.sympify(self.time), sp.Symbol("s_")
        if self.time is None:
            x, f = x + [T], f + [sp.Integer(0)]
        f, L = [T * e.subs(names["t"], s * T) for e in f], T * L.subs(names["t"], s * T)
        end, phi = [e.subs(names["t"], T) for e in vanishing(self.end)], read(self.terminal).subs(names["t"], T)
        self.n, self.m, z = len(x), len(u), x + u
        p, w = list(sp.symbols(f"p0:{self.n}")), sp.Symbol("w_")
        gradient = lambda e, by: [sp.diff(e, v) for v in by]
        self.f, self.L = function([s, *z], f), function([s, *z], [L])
        self.f_z, self.L_z = function([s, *z], list(sp.Matrix(f).jacobian(z))), function([s, *z], gradient(L, z))
        H = L + sum(a * b for a, b in zip(p, f))
        self.hessian = function([s, w, *p, *z], list(sp.hessian(w * L + sum(a * b for a, b in zip(p, f)), z)))
        self.ends = []  # values, derivatives, Hessians of each
        for conditions in (vanishing(self.start), end):
            slopes = list(sp.Matrix(conditions).jacobian(x)) if conditions else []
            self.ends.append((function(x, conditions), function(x, slopes),
                              [function(x, list(sp.hessian(e, x))) for e in conditions]))
        self.phi, self.phi_x, self.phi_xx = (
            function(x, e) for e in ([phi], gradient(phi, x), list(sp.hessian(phi, x))))
        state = [s, *x, *p, *u]
        self.H_u, self.H_uu = function(state, gradient(H, u)), function(state, list(sp.hessian(H, u)))
        self.rates = function(state, gradient(H, p) + [-e for e in gradient(H, x)] + [L])


class Transcription:
    """Least cost with the trapezoidal rule; variables are x and u at the nodes."""

    def __init__(self, problem):
        self.problem, self.s, self.h = problem, np.linspace(0, 1, NODES + 1), 1 / NODES
        self.w = np.full(NODES + 1, self.h)
        self.w[[0, -1]] /= 2
        self.width = problem.n + problem.m

    def columns(self, z):
        return z.reshape(NODES + 1, self.width).T

    def values(self, z):
        P, Z, n = self.problem, self.columns(z), self.problem.n
        f = P.f(self.s, *Z)
        defects = Z[:n, 1:] - Z[:n, :-1] - self.h / 2 * (f[:, 1:] + f[:, :-1])
        ends = [values(*Z[:n, k]) for (values, _, _), k in zip(P.ends, (0, -1))]
        return self.w @ P.L(self.s, *Z)[0] + P.phi(*Z[:n, -1])[0], np.concatenate([defects.T.ravel(), *ends])

    def slopes(self, z):
        P, Z, n, w = self.problem, self.columns(z), self.problem.n, self.width
        f_z, gradient = P.f_z(self.s, *Z).reshape(n, w, -1), (P.L_z(self.s, *Z) * self.w).T.copy()
        gradient[-1, :n] += P.phi_x(*Z[:n, -1])
        rows, unit = [], np.eye(n, w)
        for k in range(NODES):
            row = np.zeros((n, NODES + 1, w))
            row[:, k], row[:, k + 1] = -unit - self.h / 2 * f_z[:, :, k], unit - self.h / 2 * f_z[:, :, k + 1]
            rows.append(row.reshape(n, z.size))
        for (_, slopes, each), k in zip(P.ends, (0, -1)):
            row = np.zeros((len(each), NODES + 1, w))
            row[:, k, :n] = slopes(*Z[:n, k]).reshape(len(each), n)
            rows.append(row.reshape(len(each), z.size))
        return gradient.ravel(), np.vstack(rows)

    def hessian(self, z, multipliers):
        P, Z, n, w = self.problem, self.columns(z), self.problem.n, self.width
        inner = multipliers[:NODES * n].reshape(NODES, n).T
        p = -self.h / 2 * (np.pad(inner, ((0, 0), (0, 1))) + np.pad(inner, ((0, 0), (1, 0))))
        blocks, all_nodes = P.hessian(self.s, self.w, *p, *Z).reshape(w, w, -1), np.zeros((z.size, z.size))
        for k in range(NODES + 1):
            all_nodes[k * w:(k + 1) * w, k * w:(k + 1) * w] = blocks[:, :, k]
        at = NODES * n
        for (_, _, each), k in zip(P.ends, (0, NODES)):
            for second in each:
                all_nodes[k * w:k * w + n, k * w:k * w + n] += multipliers[at] * second(*Z[:n, k]).reshape(n, n)
                at += 1
        last = slice(NODES * w, NODES * w + n)
        all_nodes[last, last] += P.phi_xx(*Z[:n, -1]).reshape(n, n)
        return all_nodes

    def direction(self, z, c):
        """A step, what it gains, the multipliers, the reduced gradient and what removes violations."""
        g, A = self.slopes(z)
        Q, R = np.linalg.qr(A.T, mode="complete")
        m = len(A)
        R, Y, Z = R[:m], Q[:, :m], Q[:, m:]
        if np.min(abs(np.diag(R))) < 1e-11:
            R = R + 1e-9 * np.eye(m)
        multipliers = -np.linalg.solve(R, Y.T @ g)
        W = self.hessian(z, multipliers)
        remove = lambda violation: -Y @ np.linalg.solve(R.T, violation)
        v, reduced = remove(c), Z.T @ g
        values, vectors = np.linalg.eigh(Z.T @ W @ Z)
        values = np.maximum(abs(values), 1e-6 * max(1e-3, np.max(abs(values), initial=1)))
        step = v - Z @ (vectors @ ((vectors.T @ (reduced + Z.T @ (W @ v))) / values))
        return step, g @ step, multipliers, np.max(abs(reduced), initial=0) / (1 + np.max(abs(g))), remove

    def minimize(self, z):
        """(cost, z, multipliers), or None."""
        cost, c = self.values(z)
        price = 10.0
        for _ in range(150):
            step, gain, multipliers, slope, remove = self.direction(z, c)
            if np.max(abs(c)) < 1e-9 and slope < 1e-8:
                return cost, z, multipliers
            length = np.linalg.norm(step) / np.sqrt(NODES) / 5
            step, gain = step / max(1, length), gain / max(1, length)
            price = max(0.9 * price, 20, 1.5 * np.max(abs(multipliers)) + 1)
            before, fall = cost + price * np.sum(abs(c)), gain - price * np.sum(abs(c)) / max(1, length)
            for part in 0.5 ** np.arange(22):
                for corrected in ([False, True] if part == 1 else [False]):
                    there = z + part * step
                    if corrected:
                        there = there + remove(self.values(there)[1])
                    then, misses = self.values(there)
                    after = then + price * np.sum(abs(misses))
                    if after <= before - 1e-4 * part * abs(fall) + 1e-13 * abs(before):
                        break
                else:
                    continue
                break
            else:
                return None
            z, cost, c = there, then, misses
        return None

    def guess(self, random, number):
        P, n, own = self.problem, self.problem.n, len(self.problem.coordinates)
        ends = [np.zeros(n), np.zeros(n)]
        for values, given in zip(ends, (P.start, P.end)):
            for k, v in given.items() if isinstance(given, dict) else ():
                values[P.coordinates.index(k)] = float(sp.sympify(str(v)))
        for k, v in enumerate(P.chosen.values()):
            ends[0][own + k] = ends[1][own + k] = v
        if P.time is None:
            ends[0][-1] = ends[1][-1] = 2 * np.exp(0.5 * random.normal() * number)
        if isinstance(P.end, dict):
            for k, name in enumerate(P.coordinates):
                ends[1][k] = ends[1][k] if name in P.end else ends[0][k]
        x = ends[0] + np.outer(self.s, ends[1] - ends[0])
        for j in range(1, 4):
            x[:, :own] += min(number, 1) * np.outer(np.sin(j * np.pi * self.s), random.normal(size=own) / j)
        u = P.steering * random.normal(size=P.m) + 0.01 * random.normal(size=(NODES + 1, P.m))
        return np.hstack([x, u]).ravel()


class Shooting:
    """Newton's method on the nodes (x, p) of a few pieces and the multipliers of both ends."""

    def __init__(self, problem, z, multipliers):
        n, self.problem = problem.n, problem
        nodes, middles = np.linspace(0, 1, NODES + 1), (np.arange(NODES) + 0.5) / NODES
        self.s = np.linspace(0, 1, PIECES + 1)
        values, p = z.reshape(NODES + 1, -1), -multipliers[:NODES * n].reshape(NODES, n)
        p = np.vstack([1.5 * p[0] - 0.5 * p[1], p, 1.5 * p[-1] - 0.5 * p[-2]])
        at = lambda s, of: np.array([np.interp(self.s, s, column) for column in of.T]).T
        self.y = np.hstack([at(nodes, values[:, :n]), at(np.concatenate([[0], middles, [1]]), p)])
        self.u = at(nodes, values[:, n:])[:-1].T
        self.counts = [len(each) for _, _, each in problem.ends]
        self.nu = np.split(multipliers[NODES * n:], [self.counts[0]])

    def flow(self, y):
        """Of all pieces and of all perturbations (the last axis) at once: the ends, and the costs."""
        P, shape = self.problem, y.shape[1:]
        u = np.broadcast_to(self.u[:, :, None], (P.m, *shape)).copy()

        def rates(part, flat):
            nonlocal u
            values = flat.reshape(2 * P.n + 1, *shape)[:-1]
            s = np.broadcast_to(self.s[:-1, None] + part / PIECES, shape)
            for _ in range(30):
                slope = np.moveaxis(P.H_u(s, *values, *u), 0, -1)[..., None]
                second = np.moveaxis(P.H_uu(s, *values, *u).reshape(P.m, P.m, *shape), (0, 1), (-2, -1))
                by = np.moveaxis(np.linalg.solve(second, slope)[..., 0], -1, 0)
                u = u - by
                if not np.max(abs(by)) > 1e-13 * (1 + np.max(abs(u))):
                    break
            return (P.rates(s, *values, *u) / PIECES).ravel()

        begin = np.concatenate([y, np.zeros((1, *shape))])
        found = solve_ivp(rates, (0, 1), begin.ravel(), "DOP853", rtol=1e-12, atol=1e-13)
        return found.y[:, -1].reshape(begin.shape)

    def at_ends(self, v):
        n, P = self.problem.n, self.problem
        values, nu, rows = v[:4 * n].reshape(2, 2 * n), np.split(v[4 * n:], [self.counts[0]]), []
        for (conditions, slopes, each), (y, multipliers, sign) in zip(P.ends, zip(values, nu, (1, -1))):
            push = slopes(*y[:n]).reshape(len(each), n).T @ multipliers
            rows += [conditions(*y[:n]), y[n:] + sign * push - (P.phi_x(*y[:n]) if sign < 0 else 0)]
        return np.concatenate(rows)

    def cost(self):
        """And the largest residual."""
        n, best, least = self.problem.n, np.nan, np.inf
        for _ in range(20):
            small = 1e-7 * (1 + abs(self.y[:-1].T))
            y = np.repeat(self.y[:-1].T[:, :, None], 2 * n + 1, 2)
            for i in range(2 * n):
                y[i, :, i + 1] += small[i]
            end, v = self.flow(y), np.concatenate([self.y[0], self.y[-1], *self.nu])
            misses = np.concatenate([(end[:-1, :, 0].T - self.y[1:]).ravel(), self.at_ends(v)])
            residual = np.max(abs(misses))
            if least < 1e-9 and residual >= least / 2 or not np.isfinite(residual):
                break
            if residual < least:
                best, least = np.sum(end[-1, :, 0]) + self.problem.phi(*self.y[-1, :n])[0], residual
            nodes, all_nodes = 2 * n, self.y.size
            J = np.zeros((misses.size, all_nodes + len(v) - 4 * n))
            for k in range(PIECES):
                at, after = slice(k * nodes, (k + 1) * nodes), slice((k + 1) * nodes, (k + 2) * nodes)
                J[at, at], J[at, after] = (end[:-1, k, 1:] - end[:-1, k, :1]) / small[:, k], -np.eye(nodes)
            where = [*range(nodes), *range(PIECES * nodes, J.shape[1])]
            for i, column in enumerate(where):
                by = np.zeros(len(v))
                by[i] = 1e-6 * (1 + abs(v[i]))
                J[PIECES * nodes:, column] = (self.at_ends(v + by) - self.at_ends(v - by)) / (2 * by[i])
            step = np.linalg.lstsq(J, -misses, rcond=1e-15)[0]
            step *= min(1, 2 / np.max(abs(step[:all_nodes]).reshape(self.y.shape) / (1 + abs(self.y))))
            self.y = self.y + step[:all_nodes].reshape(self.y.shape)
            more = np.split(step[all_nodes:], [self.counts[0]])
            self.nu = [a + b for a, b in zip(self.nu, more)]
        return best, least


def optimum(problem):
    """The cost of the cheapest path found and what it misses its equations by."""
    problem.compile()
    transcription, random = Transcription(problem), np.random.default_rng(1)
    found = [transcription.minimize(transcription.guess(random, number)) for number in range(problem.starts)]
    found = [f for f in found if f and (problem.time is not None or f[1][problem.n - 1] > 0)]
    for _, z, multipliers in sorted(found, key=lambda f: f[0]):
        cost, residual = Shooting(problem, z, multipliers).cost()
        if residual < 1e-8:
            return cost, residual
    return np.nan, np.inf
