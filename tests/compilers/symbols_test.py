#!/usr/bin/env python3
"""What a compiler needs of heddle is there, and is what it was.

symbols_test.py NAME WRAPPERS BUILD: NAME is one of COMPILERS; WRAPPERS has heddle-clang and its like; BUILD is heddle's build tree.

Compiles symbols.c and symbols.cc in several ways, and compares what they refer to (__tsan_*, __sanitizer_*, heddle_gate*) with tests/golden/tsan_symbols_NAME.txt. The
same for what the compiler's headers declare, and its own ThreadSanitizer defines of the Annotate* family: tsan_declared_NAME.txt. Every name of both
lists must be defined by heddle_rt.o; what belongs to coverage, by libFuzzer or heddle_trace_pc.o. HEDDLE_UPDATE_GOLDEN=1 writes the lists again.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import compilers

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden"
OURS = re.compile(r"^(__tsan_|__sanitizer_|__sancov_|heddle_(gate|thread|comparisons)|Annotate|WTFAnnotate)")

# Options in addition to those of heddle's wrappers. A variant without the wrapper begins with None.
CLANG_WAYS = [["-O0"], ["-O2"], ["-O2", "-mllvm", "-tsan-distinguish-volatile=1"],
              [None, "-O1", "-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-compound-read-before-write=1"]]
GCC_WAYS = [["-O0"], ["-O2"], ["-O2", "--param", "tsan-distinguish-volatile=1"], ["-O3"]]


def output(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def defined(*files):
    """Names that the objects or archives define for others."""
    names = set()
    for file in files:
        for line in output("nm", "--defined-only", "--extern-only", file).splitlines():
            words = line.split()
            if len(words) == 3:
                names.add(words[2])
    return names


def needed(compiler, wrappers, work):
    names = set()
    for way in GCC_WAYS if compiler.is_gcc else CLANG_WAYS:
        for source, standard in (("symbols.c", "-std=c11"), ("symbols.cc", "-std=c++20")):
            out = work / "out.o"
            command = compiler.command(source) if way[0] is None else compiler.wrapper(wrappers, source)
            output(command, standard, "-mcx16", "-w", *filter(None, way), "-c", HERE / source, "-o", out, env=compiler.environment())
            for line in output("nm", "--undefined-only", out).splitlines():
                names.add(line.split()[-1])
    return {name for name in names if OURS.match(name)}


def declared(compiler):
    """In the public headers; and Annotate*, which no header of the compiler declares, by what its runtime defines."""
    names = set()
    for header in compiler.tsan_headers():
        text = re.sub(r"//[^\n]*", "", header.read_text())
        names |= set(re.findall(r"\b(__tsan_\w+)\s*\(", text))
    runtime = compiler.tsan_runtime()
    if runtime is not None:
        names |= {n for n in defined(runtime) if re.match(r"^(Annotate|WTFAnnotate|RunningOnValgrind|ValgrindSlowdown|ThreadSanitizerQuery)", n)}
    return names


def compare(name, found):
    """Whether the list is the golden one."""
    path = GOLDEN / name
    text = "".join(f"{n}\n" for n in sorted(found))
    if os.environ.get("HEDDLE_UPDATE_GOLDEN"):
        path.write_text(text)
    golden = set(path.read_text().split()) if path.exists() else set()
    for n in sorted(found - golden):
        print(f"{name}: new: {n}")
    for n in sorted(golden - found):
        print(f"{name}: no longer there: {n}")
    return found == golden


def main():
    name, wrappers, build = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    compiler = compilers.get(name)
    runtime = defined(build / "lib/heddle/heddle_rt.o")
    coverage = runtime | defined(compiler.fuzzer_archive())
    if "heddle_trace_pc" in defined(build / "lib/heddle/heddle_trace_pc.o"):
        coverage.add("__sanitizer_cov_trace_pc")  # by the wrapper's --defsym
    ok = True
    with tempfile.TemporaryDirectory() as work:
        lists = {f"tsan_symbols_{name}.txt": needed(compiler, wrappers, pathlib.Path(work)), f"tsan_declared_{name}.txt": declared(compiler)}
    for golden, names in lists.items():
        if len(names) < 50:
            print(f"{golden}: only {len(names)} names: is the compiler instrumenting at all?")
            ok = False
        ok = compare(golden, names) and ok
        for n in sorted(names):
            if n not in (coverage if n.startswith(("__sanitizer_cov_", "__sancov_")) else runtime):
                print(f"{golden}: heddle does not define {n}")
                ok = False
        print(f"{golden}: {len(names)} names")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
