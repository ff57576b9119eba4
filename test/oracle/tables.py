"""[tables] against SciPy: numpy.interp and scipy.interpolate.CubicSpline, values and a driven oscillator."""
import csv
import io
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

program = os.environ["RATTLEBACK"]
random = np.random.default_rng(7)
x = np.sort(random.uniform(0, 10, 23))
x[0], x[-1] = 0, 10
y = random.normal(size=x.size)

with tempfile.TemporaryDirectory() as folder:
    np.savetxt(os.path.join(folder, "u.csv"), np.column_stack([x, y]), delimiter=",", fmt="%.17g")
    for between, reference in [("linear", lambda t: np.interp(t, x, y)), ("cubic", CubicSpline(x, y))]:
        model = os.path.join(folder, between + ".toml")
        with open(model, "w") as file:
            file.write(f'''coordinates = ["q"]
[tables]
u = {{ file = "u.csv", between = "{between}" }}
[mechanics]
lagrangian = "q'^2/2 - 2*q^2"
force = {{ q = "u(t)" }}
[observables]
u = "u(t)"
[initial]
q = [0]
v = [0]
''')
        out = subprocess.run([program, "run", model, "-m", "gauss:stages=3", "--step", "0.001", "--until", "10", "--every",
                              "100", "-o", "-", "--quiet"], check=True, capture_output=True, text=True).stdout
        rows = list(csv.DictReader(line for line in io.StringIO(out) if not line.startswith("#")))
        t = np.array([float(r["t"]) for r in rows])
        u = np.array([float(r["u"]) for r in rows])
        worst = np.max(np.abs(u - reference(t)))
        if not worst < 2e-14 * np.max(np.abs(u)) * 10:
            sys.exit(f"{between}: values differ by {worst}")
        pieces = np.concatenate([[0], x[1:-1], [10]])
        state = np.zeros(2)
        for a, b in zip(pieces[:-1], pieces[1:]):
            state = solve_ivp(lambda s, z: [z[1], -4 * z[0] + reference(s)], (a, b), state, rtol=1e-12, atol=1e-13,
                              method="DOP853").y[:, -1]
        error = abs(float(rows[-1]["q"]) - state[0])
        if not error < 2e-6:  # the kinks of straight lines lie inside steps: measured 3e-8; cubic 1e-12
            sys.exit(f"{between}: the oscillator ends {error} away")
        print(f"{between}: values within {worst:.1e}, the oscillator within {error:.1e}")
