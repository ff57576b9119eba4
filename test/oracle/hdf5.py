"""HDF5 files as h5py and xarray read them: shapes, dimension scales, attributes, the numbers of the CSV file; readable after
a kill."""
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import xarray

program = os.environ["RATTLEBACK"]


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True)


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def compare_with_csv(folder, model):
    h5, table = os.path.join(folder, "a.h5"), os.path.join(folder, "a.csv")
    assert run("run", model, "--quiet", "--steps", "9000", "-o", h5).returncode == 0
    assert run("run", model, "--quiet", "--steps", "9000", "-o", table).returncode == 0
    with open(table) as f:
        rows = list(csv.reader(f))
    columns = {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}
    with h5py.File(h5) as f:
        n = len(columns["t"])
        assert f["t"].shape == (n,) and np.array_equal(f["t"][()], columns["t"])
        seen = {"t"}
        for name in ("q", "v", "p", "z", "lambda", "momenta"):
            if name not in f:
                continue
            names = [text(x) for x in f[name + "_name"][()]]
            assert f[name].shape == (n, len(names)), (name, f[name].shape)
            assert f[name].dims[0][0].name == "/t" and f[name].dims[1][0].name == "/" + name + "_name"
            for i, column in enumerate(names):
                assert np.array_equal(f[name][:, i], columns[column]), column
                seen.add(column)
        for name in ("energy", "constraint"):
            assert np.array_equal(f[name][()], columns[name]) and f[name].dims[0][0].name == "/t"
            seen.add(name)
        for name in f["observables"]:
            assert np.array_equal(f["observables"][name][()], columns[name])
            assert f["observables"][name].dims[0][0].name == "/t"
            seen.add(name)
        assert seen == set(columns), set(columns) - seen
        assert text(f.attrs["model_text"]) == run("gallery", model).stdout
        assert text(f.attrs["status"]) == "finished" and text(f.attrs["method"]) and text(f.attrs["version"])
        assert float(text(f.attrs["step"])) > 0 and text(f.attrs["units"])
        assert json.loads(text(f.attrs["summary"]))["status"] == "finished"
        assert "units" in f["q" if "q" in f else "z"].attrs


def opens_with_xarray(folder, model):
    """Every array is labelled by what it is along: no dimension is made up by the reader."""
    h5 = os.path.join(folder, "x.h5")
    assert run("run", model, "--quiet", "--steps", "60", "-o", h5).returncode == 0
    with xarray.open_dataset(h5, engine="h5netcdf") as data, h5py.File(h5) as plain:
        assert dict(data.dims)["t"] == 61 and np.array_equal(data["t"], plain["t"][()])
        assert set(data.dims) == set(data.coords), (data.dims, data.coords)
        for name in data.data_vars:
            assert data[name].dims == (("t",) if plain[name].ndim == 1 else ("t", name + "_name")), data[name].dims
        place = "q" if "q" in data else "z"
        for i, name in enumerate(data[place + "_name"].values):
            assert np.array_equal(data[place].sel({place + "_name": name}), plain[place][:, i]), name
        half = data.sel(t=slice(float(data["t"][10]), float(data["t"][20])))
        assert half["energy"].shape == (11,) and np.array_equal(half["energy"], plain["energy"][10:21])
        assert data.attrs["status"] == "finished" and "[initial]" in data.attrs["model_text"]
    with xarray.open_dataset(h5, engine="h5netcdf", group="observables") as data:
        assert all(data[name].dims == ("t",) for name in data.data_vars)


def carries_what_was_run(folder):
    """Parameters, start, command and layout: what --set and --q made of the file, to the bit."""
    h5 = os.path.join(folder, "changed.h5")
    words = ["run", "chaplygin_sleigh", "--set", "a=0.3", "--q", "x=1/7", "--quiet", "--steps", "5", "-o", h5]
    assert run(*words).returncode == 0
    with h5py.File(h5) as f:
        parameters, start = json.loads(text(f.attrs["parameters"])), json.loads(text(f.attrs["start"]))
        assert parameters["a"] == 0.3 and len(parameters) == 3, parameters
        assert start["q"][0] == 1 / 7 == f["q"][0, 0] and list(start) == ["t", "q", "v"], start
        assert text(f.attrs["command"]) == "rattleback " + " ".join(words), f.attrs["command"]
        groups = json.loads(text(f.attrs["layout"]))
        assert [g["group"] for g in groups][:5] == ["t", "q", "v", "p", "lambda"], groups
        assert groups[1] == {"group": "q", "role": "state", "shape": [3], "columns": ["x", "y", "theta"]}, groups[1]


def readable_after_a_kill(folder):
    h5 = os.path.join(folder, "killed.h5")
    process = subprocess.Popen([program, "run", "henon_heiles", "-m", "gauss:stages=3", "-s", "0.01", "--steps",
                                "100000000", "--quiet", "-o", h5])
    deadline = time.time() + 30
    while time.time() < deadline and (not os.path.exists(h5) or os.path.getsize(h5) < 2_000_000):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with h5py.File(h5) as f:
        n = f["t"].shape[0]
        assert n > 1 and n == f.attrs["rows"], n
        assert f["q"].shape == (n, 2) and np.all(np.isfinite(f["q"][()])) and np.all(np.diff(f["t"][()]) > 0)
        assert text(f.attrs["status"]) == "not finished"
        t = f["t"][-1]
    page = os.path.join(folder, "killed.html")
    answer = run("report", h5, "-o", page)
    assert answer.returncode == 0 and os.path.getsize(page) > 500_000, answer
    assert answer.stderr == f"rattleback: warning: {h5} was not finished: it has the {n} rows up to t = " + \
        f"{t:.6g}\n", answer.stderr


def has_the_last_node_when_interrupted(folder):
    """SIGTERM between two nodes that are due: the last step is in the file, which is whole."""
    h5 = os.path.join(folder, "interrupted.h5")
    process = subprocess.Popen([program, "run", "henon_heiles", "-m", "midpoint", "-s", "0.001", "--steps", "1000000000", "--every",
                                "100000007", "--json", "--sync", "-o", h5], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while not os.path.exists(h5 + ".partial") and process.poll() is None:  # made at the first node
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    answer = json.loads(process.communicate()[0])
    assert process.returncode == 3, process.returncode
    with h5py.File(h5) as f:
        assert f["t"].shape == (2,) and f["t"][-1] == answer["t_end"] and list(f["q"][-1]) == answer["q"], answer
        assert text(f.attrs["status"]).startswith("interrupted")
    answer = run("report", h5, "-o", os.path.join(folder, "interrupted.html"))
    assert answer.returncode == 0 and not answer.stderr, answer


def refuses_what_is_none(folder):
    page, whole = os.path.join(folder, "p.html"), os.path.join(folder, "a.h5")
    for name, content in (("none.h5", b"hello"), ("empty.h5", b""), ("cut.h5", open(whole, "rb").read()[:3000])):
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(content)
        answer = run("report", path, "-o", page)
        assert answer.returncode == 2, (name, answer)
        assert answer.stderr == f"rattleback: {path} is no result: it is no HDF5 file, or it was cut short\n", answer.stderr
    other = os.path.join(folder, "other.h5")
    with h5py.File(other, "w") as f:
        f["t"] = [0.0, 1.0]
    answer = run("report", other, "-o", page)
    assert answer.stderr == (f"rattleback: {other} is no result: its attribute 'rows' is missing: this version of "
                             "rattleback did not write it; make it again\n"), answer.stderr
    answer = run("run", "pendulum", "-o", "/nowhere/a.h5")
    assert answer.returncode == 1 and answer.stderr == "rattleback: cannot write /nowhere/a.h5: No such file or directory\n", answer
    answer = run("run", "pendulum", "-o", whole, "--columns", "t")
    assert answer.returncode == 2, answer


with tempfile.TemporaryDirectory() as folder:
    for model in ("rolling_disk", "charged_particle", "cartesian_pendulum", "chain"):
        compare_with_csv(folder, model)
        opens_with_xarray(folder, model)
    carries_what_was_run(folder)
    readable_after_a_kill(folder)
    has_the_last_node_when_interrupted(folder)
    refuses_what_is_none(folder)
print("HDF5 files read as they should")
sys.exit(0)
