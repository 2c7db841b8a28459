#!/usr/bin/env python3
"""The OSS-Fuzz build script with the documented environment, into an empty $OUT, and the check of what comes out."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

COMMON = "-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
BUILDS = [
    ("libfuzzer", "address", "-fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link", "-fsanitize=fuzzer"),
    ("libfuzzer", "undefined", "-fsanitize=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,"
     "shift,signed-integer-overflow,unsigned-integer-overflow,unreachable,vla-bound,vptr -fno-sanitize-recover=array-bounds,bool,builtin,enum,"
     "integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr "
     "-fsanitize=fuzzer-no-link", "-fsanitize=fuzzer"),
    ("afl", "none", "", None),
]


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "cc", "cxx"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--afl", default="", help="directory of libAFLDriver.a")
    a = parser.parse_args()
    project = pathlib.Path(a.source, "harness/oss-fuzz")
    work = pathlib.Path(a.work)
    shutil.rmtree(work, ignore_errors=True)
    for engine, sanitizer, flags, library in BUILDS:
        if engine == "afl" and not a.afl:
            continue
        out = work / f"out_{engine}_{sanitizer}"
        out.mkdir(parents=True)
        # The runtime is the same for all of them: one $WORK.
        environment = dict(os.environ, SRC=str(work), OUT=str(out), WORK=str(work / "work"), HEDDLE_SOURCE=a.source, CC=a.cc, CXX=a.cxx,
                           CFLAGS=f"{COMMON} {flags}", CXXFLAGS=f"{COMMON} {flags}", FUZZING_ENGINE=engine, SANITIZER=sanitizer,
                           LIB_FUZZING_ENGINE=library or a.afl + "/libAFLDriver.a")
        built = subprocess.run(["bash", project / "build.sh"], env=environment, cwd=work, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, errors="replace")
        if built.returncode != 0:
            sys.exit(f"build.sh failed for {engine}, {sanitizer}:\n{built.stdout[-4000:]}")
        checked = subprocess.run([sys.executable, project / "check_build.py", out, "--sanitizer", sanitizer, "--engine", engine, "--small"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        if checked.returncode != 0:
            sys.exit(f"bad build for {engine}, {sanitizer}:\n{checked.stdout}")
    # The check must see what is bad: an empty directory, a build of another sanitizer.
    empty = work / "empty"
    empty.mkdir()
    for directory, sanitizer in ((empty, "address"), (work / "out_libfuzzer_undefined", "address"), (work / "out_libfuzzer_address", "undefined")):
        if subprocess.run([sys.executable, project / "check_build.py", directory, "--sanitizer", sanitizer], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0:
            sys.exit(f"the check takes {directory.name} for a good {sanitizer} build")


if __name__ == "__main__":
    main()
