"""HDF5 files that somebody made to do harm, or that are broken: each is refused with its name and a reason, or read with the
numbers that were written; never a crash, never a file of the machine in the page, never much time or memory."""
import json
import os
import resource
import subprocess
import sys
import tempfile

import h5py
import numpy as np

program = os.environ["RATTLEBACK"]
folder = tempfile.TemporaryDirectory()
secret = os.path.join(folder.name, "secret.bin")
np.arange(4096.0).tofile(secret)
rows = 61


def path(name):
    return os.path.join(folder.name, name)


def run(*words, limit=None):
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=120, preexec_fn=limited if limit else None)


def fixed(f, name, value):
    value = value.encode() if isinstance(value, str) else value
    if name in f.attrs:
        del f.attrs[name]
    f.attrs.create(name, value, dtype=h5py.string_dtype("utf-8", max(1, len(value))))


def attribute(name, value, **how):
    def change(f):
        if name in f.attrs:
            del f.attrs[name]
        f.attrs.create(name, value, **how)
    return change


def array_of_variable_texts(f):
    """One element, whose type is an array of 1000 pointers: it used to overflow a pointer on the stack."""
    text = h5py.h5t.C_S1.copy()
    text.set_size(h5py.h5t.VARIABLE)
    del f.attrs["method"]
    h5py.h5a.create(f.id, b"method", h5py.h5t.array_create(text, (1000,)), h5py.h5s.create(h5py.h5s.SCALAR))


def dataset(name, **how):
    def change(f):
        del f[name]
        made = f.create_dataset(name, **how)
        made.attrs.create("checksum", np.int64(1))
    return change


def raw_type(name, kind):
    def change(f):
        del f[name]
        h5py.h5d.create(f.id, name.encode(), kind, h5py.h5s.create_simple((rows,)))
    return change


def odd_float():
    kind = h5py.h5t.IEEE_F64LE.copy()
    kind.set_fields(63, 53, 10, 0, 53)
    return kind


def committed(f):
    f["kind"] = np.dtype("<f8")
    del f["energy"]
    f.create_dataset("energy", data=np.zeros(rows), dtype=f["kind"])


def virtual(f):
    layout = h5py.VirtualLayout(shape=(rows,), dtype="<f8")
    layout[:] = h5py.VirtualSource(path("other.h5"), "t", shape=(rows,))
    del f["energy"]
    f.create_virtual_dataset("energy", layout)


def replace_link(link):
    def change(f):
        del f["energy"]
        f["energy"] = link
    return change


def deep(f):
    group = f
    for _ in range(1000):
        group = group.create_group("g")


def many(f):
    for i in range(100):
        fixed(f, f"a{i}", "x")


def cycle(f):
    f["observables/again"] = f["/"]


def rename(new):
    def change(f):
        f.move("energy", new)
    return change


def layout(change):
    def apply(f):
        groups = json.loads(f.attrs["layout"])
        fixed(f, "layout", json.dumps(change(groups) or groups))
    return apply


def start(f):
    fixed(f, "start", json.dumps({"t": 0, "q": [0.5], "v": [], "p": [1, 2, 3]}))


def huge(f):
    dataset("energy", shape=(1 << 40,), chunks=(8192,), dtype="<f8")(f)
    f.attrs["rows"] = np.int64(1 << 40)


fits = "more than fits into its size"
fixed_length = "is not a text of fixed length"
elsewhere = "has its numbers elsewhere"
sixty_four = "does not hold numbers of 64 bits"
crafted = {
    "variable text": (attribute("method", "x"), fixed_length),
    "many variable texts": (attribute("method", ["x"] * 1000, dtype=h5py.string_dtype()), "is not a single text"),
    "array of variable texts": (array_of_variable_texts, fixed_length),
    "many texts": (attribute("method", np.array([b"x"] * 1000)), "is not a single text"),
    "no text": (attribute("method", h5py.Empty("S10")), "is not a single text"),
    "number for a text": (attribute("step", 0.1), fixed_length),
    "compound for a text": (attribute("step", np.zeros((), dtype=[("a", "<f8"), ("b", "S4")])), fixed_length),
    "reference for a text": (lambda f: attribute("step", f["t"].ref, dtype=h5py.ref_dtype)(f), fixed_length),
    "many attributes": (many, "more than 64"),
    "no rows": (lambda f: f.attrs.__delitem__("rows"), "'rows' is missing"),
    "zero rows": (attribute("rows", np.int64(0)), "numbers is damaged"),
    "negative rows": (attribute("rows", np.int64(-1)), "'rows' is negative"),
    "too many rows": (attribute("rows", np.int64(rows + 1)), "fewer rows"),
    "2^62 rows": (attribute("rows", np.int64(1 << 62)), "fewer rows"),
    "rows are real": (attribute("rows", 61.0), "is not an integer"),
    "rows are an array": (attribute("rows", np.arange(100)), "is not an integer"),
    "external link": (replace_link(h5py.ExternalLink(path("other.h5"), "t")), "links to other places"),
    "soft link": (replace_link(h5py.SoftLink("/t")), "links to other places"),
    "soft link to itself": (replace_link(h5py.SoftLink("/energy")), "links to other places"),
    "cycle": (cycle, "'observables/again' is not a dataset"),
    "deep": (deep, "is not a dataset"),
    "external storage": (dataset("energy", shape=(rows,), dtype="<f8", external=[(secret, 0, 8 * rows)]), elsewhere),
    "virtual": (virtual, elsewhere),
    "contiguous, without numbers": (dataset("energy", shape=(rows,), dtype="<f8"), "rows without numbers"),
    "gzip": (dataset("energy", data=np.zeros(rows), compression="gzip"), "a filter that"),
    "shuffle": (dataset("energy", data=np.zeros(rows), shuffle=True), "a filter that"),
    "integers": (dataset("energy", data=np.arange(rows)), sixty_four),
    "32 bits": (dataset("energy", data=np.zeros(rows, dtype="<f4")), sixty_four),
    "odd floats": (raw_type("energy", odd_float()), sixty_four),
    "compound": (dataset("energy", data=np.zeros(rows, dtype=[("a", "<f8"), ("b", "<f8")])), sixty_four),
    "variable numbers": (dataset("energy", shape=(rows,), dtype=h5py.vlen_dtype("<f8")), sixty_four),
    "variable texts": (dataset("q_name", data=["a"], dtype=h5py.string_dtype()), sixty_four),
    "references": (dataset("energy", shape=(rows,), dtype=h5py.ref_dtype), sixty_four),
    "committed": (committed, ""),
    "scalar": (dataset("energy", data=1.0), "is no array of rows"),
    "empty": (dataset("energy", data=h5py.Empty("<f8")), "is no array of rows"),
    "nine dimensions": (dataset("energy", data=np.zeros((rows,) + (1,) * 8)), "is no array of rows"),
    "2^40 rows": (huge, ""),
    "wide": (dataset("energy", shape=(rows, 1 << 31, 1 << 31), chunks=(1, 1, 8), dtype="<f8"), "an impossible length"),
    "chunks of 128 MB": (dataset("energy", shape=(rows,), maxshape=(None,), chunks=(1 << 24,), dtype="<f8"), "chunks of"),
    "no numbers": (dataset("energy", shape=(rows,), maxshape=(None,), chunks=(8192,), dtype="<f8"),
                   "rows without numbers"),
    "short": (dataset("energy", data=np.zeros(5)), "fewer rows"),
    "other width": (dataset("q", data=np.zeros((rows, 2))), ""),
    "twice": (lambda f: [f.__setitem__(f"again{i}", f["t"]) for i in range(8000)], fits),
    "no dataset": (lambda f: f.__delitem__("q"), "'q' does not have 61 rows of 1"),
    "no checksum": (lambda f: f["q"].attrs.__delitem__("checksum"), "has no checksum"),
    "wrong checksum": (lambda f: f["q"].attrs.modify("checksum", 5), "a block of its numbers is damaged"),
    "other numbers": (lambda f: f["q"].__setitem__(3, 7.0), "a block of its numbers is damaged"),
    "escape": (rename("\x1b[31m"), ""),
    "layout of no JSON": (lambda f: fixed(f, "layout", "[{"), "it is no JSON"),
    "layout of deep JSON": (lambda f: fixed(f, "layout", "[" * 50000), "nested more than 64 deep"),
    "layout without t": (layout(lambda g: g[1:]), "must be the time 't'"),
    "layout of NaN": (layout(lambda g: g[1].update(shape=[float("nan")])), "it is no JSON"),
    "shape of 1e300": (layout(lambda g: g[1].update(shape=[1e300])), "the shape of 'q' is none"),
    "shape of -1": (layout(lambda g: g[1].update(shape=[-1])), "the shape of 'q' is none"),
    "unknown role": (layout(lambda g: g[1].update(role="\x1b[2J")), "unknown role '?[2J'"),
    "columns are numbers": (layout(lambda g: g[1].update(columns=[1])), "a text is expected"),
    "no layout": (lambda f: f.attrs.__delitem__("layout"), "'layout' is missing"),
    "start of other sizes": (start, "does not fit the model"),
    "summary of no JSON": (lambda f: fixed(f, "summary", "{"), "it is no JSON"),
}


def refused(name, file, reason):
    page = path("page.html")
    if os.path.exists(page):
        os.remove(page)
    answer = run("report", file, "-o", page, limit=1 << 30)
    assert answer.returncode == 2, (name, answer)
    assert reason in answer.stderr and "\x1b" not in answer.stderr, (name, answer.stderr)
    assert "crashes" not in answer.stderr and "code" not in answer.stderr, (name, answer.stderr)
    assert not os.path.exists(page) or os.path.getsize(page) == 0, name


whole = path("whole.h5")
assert run("run", "pendulum", "-m", "midpoint", "--quiet", "--steps", str(rows - 1), "-o", whole).returncode == 0
with open(whole, "rb") as f:
    contents = f.read()
with h5py.File(path("other.h5"), "w") as f:
    f["t"] = np.zeros(rows)
for name, (change, reason) in crafted.items():
    file = path("crafted.h5")
    with open(file, "wb") as f:
        f.write(contents)
    with h5py.File(file, "r+") as f:
        change(f)
    refused(name, file, reason)

for name, changed, reason in (
        ("cut", contents[:5000], "cut short"), ("text", b"t,x\n0,1\n", "cut short"), ("nothing", b"", "cut short"),
        ("zeros", bytes(100000), "cut short"), ("damaged", contents[:70000] + b"\1" + contents[70001:], "checksum differs")):
    with open(path("crafted.h5"), "wb") as f:
        f.write(changed)
    refused(name, path("crafted.h5"), reason)

# What stands behind the end does no harm, here as in h5py; the file no longer says that it is whole.
with open(path("crafted.h5"), "wb") as f:
    f.write(contents + b"more")
answer = run("report", path("crafted.h5"), "-o", path("page.html"))
assert answer.returncode == 0 and "was not finished" in answer.stderr, answer
with h5py.File(path("crafted.h5")) as f:
    assert f["t"].shape == (rows,)
answer = run("report", whole, "-o", path("page.html"))
assert answer.returncode == 0 and not answer.stderr, answer
folder.cleanup()
print(len(crafted) + 6, "crafted files")
sys.exit(0)
