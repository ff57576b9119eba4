"""What is built, or the installed tree that is given as an argument, is as hard to take over as a linker and a compiler
can make it.

Reads the program, the modules and the library with readelf: where they look for libraries, whether they can be loaded
anywhere, what is writable or executable, whether they notice that an array overflows. And puts files into the current
folder that must not be loaded.
"""
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

faults = []


def check(holds, file, words):
    if not holds:
        faults.append(f"{file}: {words}")


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, file], capture_output=True, text=True, check=True).stdout


def entries(dynamic, tag):
    return re.findall(rf"\({tag}\)\s.*?\[(.*)\]", dynamic)


def check_search_path(file, dynamic):
    for path in entries(dynamic, "RUNPATH") + entries(dynamic, "RPATH"):
        for entry in path.split(":"):
            check(entry.startswith(("/", "$ORIGIN")), file, f"looks for libraries in '{entry}' (of '{path}')")


def check_memory(file, dynamic, is_program):
    segments = readelf("-l", file)
    check("GNU_RELRO" in segments, file, "the tables of the dynamic linker stay writable: no relro")
    check(re.search(r"\(FLAGS_1\).*\bNOW\b|BIND_NOW", dynamic), file, "functions are bound when they are called first: no -z now")
    stack = re.search(r"GNU_STACK\s+(?:0x\w+\s+){5}(\S*)", segments)
    check(stack and "E" not in stack.group(1), file, "its stack is executable")
    if is_program:
        check(re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic), file, "it is always loaded at the same address: no PIE")


def check_compiler(file):
    """Stack protector and FORTIFY call functions of the C library; jump targets of x86 are marked in a note."""
    symbols = readelf("-s", file)
    check("__stack_chk_fail" in symbols, file, "arrays on the stack are not guarded: no -fstack-protector-strong")
    if file.suffix != ".a":
        return  # small modules call nothing that FORTIFY changes; the linker drops the note where the system's objects have none
    check(re.search(r"__\w+_chk\b", symbols), file, "no function of the C library checks sizes: no FORTIFY")
    if platform.machine() == "x86_64":
        notes = readelf("-n", file)
        members, marked = notes.count("\nFile: "), len(re.findall(r"x86 feature: IBT, SHSTK", notes))
        check(marked == members, file, f"{members - marked} of {members} objects do not mark where jumps may lead: no -fcf-protection")


def needed(file):
    return entries(readelf("-d", file), "NEEDED")


def check_current_folder(program, modules):
    """Every library that the program or a module asks for lies in the current folder, and is none."""
    with tempfile.TemporaryDirectory() as folder:
        names = {m.name for m in modules}
        for file in [program, *modules]:
            names.update(needed(file))
        for name in names:
            pathlib.Path(folder, name).write_text("not a library")
        environment = {**os.environ, "RATTLEBACK_CACHE": ""}
        run = ["run", "pendulum", "-m", "midpoint", "--steps", "20", "--backend", "jit", "-o"]
        output = "a.h5" if any("hdf5" in m.name for m in modules) else "a.csv"
        for words in (["--version"], [*run, output]):
            done = subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, text=True)
            check(done.returncode == 0, program, f"{' '.join(words)} in a folder with files named like libraries: {done.stderr}")
            check("cannot be loaded" not in done.stdout, program, f"{' '.join(words)}: {done.stdout}")


def main():
    program = pathlib.Path(os.environ["RATTLEBACK"])
    places = [program.parent]
    if len(sys.argv) > 1:
        prefix = pathlib.Path(sys.argv[1])
        program, places = prefix / "bin/rattleback", [*prefix.glob("lib*"), *prefix.glob("lib*/rattleback"), *prefix.glob("lib*/*/rattleback")]
    libraries = sorted({f for place in places for f in place.glob("librattleback*.so*") if not f.is_symlink()})
    modules = [f for f in libraries if f.name in ("librattleback_llvm.so", "librattleback_hdf5.so", "librattleback_ipopt.so")]
    programs = [program, *(f for place in places for f in place.glob("rattleback-read-hdf5"))]
    for file in [*programs, *libraries]:
        dynamic = readelf("-d", file)
        check_search_path(file, dynamic)
        check_memory(file, dynamic, file in programs)
    archives = [f for place in places for f in place.glob("librattleback.a")]
    for file in [*programs, *libraries, *archives]:
        check_compiler(file)
    check_current_folder(program, modules)
    for fault in faults:
        print(fault)
    print(f"{len(programs) + len(libraries) + len(archives)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
