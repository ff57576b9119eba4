"""A name of ours means one thing in the whole library: what the linker does not see, since it keeps the first.

Two inline functions of one signature in two headers, two types of one name, or two sources that define the same: the
headers all together are one translation unit for the compiler, and nm lists what the objects define.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]


def complaints_about_headers(headers, folders):
    """What the compiler says where one source includes all of them."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "all.cpp")
        source.write_text("".join(f'#include "{header}"\n' for header in headers))
        command = ["c++", "-std=c++20", "-fsyntax-only", "-w", '-DRATTLEBACK_VERSION="none"', *(f"-I{f}" for f in folders), source]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return []
        return [line for line in done.stderr.splitlines() if " error: " in line] or [done.stderr]


def definitions(files):
    """name -> {object: kind}, of functions and variables that other objects see."""
    found = collections.defaultdict(dict)
    for file in files:
        lines = subprocess.run(["nm", "-A", "-C", "--defined-only", "--extern-only", file], capture_output=True, text=True, check=True)
        for line in lines.stdout.splitlines():
            match = re.match(r"(.*?):(?:[0-9a-f]+)? +([A-Za-z]) (.*)", line)
            if match:
                where, kind, name = match.groups()
                name = re.sub(r"\[abi:\w+\]", "", name)
                found[name].setdefault(where, kind)
    return found


def complaints_about_objects(files, header_text):
    faults = []
    words = set(re.findall(r"\w+", header_text))
    for name, places in definitions(files).items():
        kinds = set(places.values())
        strong = [where for where, kind in places.items() if kind in "TDBR"]
        if len(places) < 2 or not (kinds & set("TDBRWVu")):
            continue
        if strong:
            faults.append(f"{name} is defined in {', '.join(sorted(places))}")
        elif re.match(r"(rattleback|app)::[^<]*$", name.split("(")[0]) and "lambda" not in name:
            last = re.findall(r"\w+", name.split("(")[0])[-1]
            if last not in words:  # each of these sources has its own
                faults.append(f"{name} stands in no header, and is defined in {', '.join(sorted(places))}")
    return faults


def check_the_check(faults):
    """Two headers and two sources as they must not be."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        body = "namespace rattleback {{ struct Vec {{}}; inline {} time_and_parameters(Vec) {{ return {{}}; }} }}"
        folder.joinpath("a.hpp").write_text("#pragma once\n" + body.format("int"))
        folder.joinpath("b.hpp").write_text("#pragma once\n" + body.format("double"))
        if not complaints_about_headers(["a.hpp", "b.hpp"], [folder]):
            faults.append("two headers with one name and two meanings are not noticed")
        if complaints_about_headers(["a.hpp"], [folder]):
            faults.append("one header is not accepted")
        inline = "namespace rattleback {{ inline {} helper(int) {{ return {{}}; }} {} user{}() {{ return helper(1); }} }}"
        strong = "namespace rattleback {{ {} twice(int) {{ return {{}}; }} }}"
        objects = []
        for i, kind in enumerate(("int", "double")):
            source = folder / f"{i}.cpp"
            source.write_text(inline.format(kind, kind, i) + strong.format(kind))
            objects.append(folder / f"{i}.o")
            subprocess.run(["c++", "-O0", "-c", source, "-o", objects[-1]], check=True)
        said = "\n".join(complaints_about_objects(objects, ""))
        for words in ("helper(int) stands in no header", "twice(int) is defined in"):
            if words not in said:
                faults.append(f"not noticed: {words}: {said}")


def main():
    build = pathlib.Path(os.environ["RATTLEBACK"]).parent
    folders = [root / "include", root / "src", root / "app"]
    headers = [path.relative_to(folder) for folder in folders for path in sorted(folder.rglob("*.hpp"))]
    files = [build / "librattleback.a", *sorted(build.glob("CMakeFiles/rattleback_app.dir/**/*.o"))]
    files = [file for file in files if file.exists()]
    faults = complaints_about_headers(headers, folders)
    faults += complaints_about_objects(files, "".join((folder / path).read_text() for folder in folders for path in sorted(folder.rglob("*.hpp"))))
    check_the_check(faults)
    for fault in faults:
        print(fault)
    print(f"{len(headers)} headers, {len(files)} objects and archives, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
