#!/usr/bin/env python3
"""Builds and checks a project of OSS-Fuzz as OSS-Fuzz does, without its containers: for each pair of engine and sanitizer.

The environment is made of Debian's packages (oss_fuzz_environment.sh). The project is a directory with build.sh; heddle's sources are those of this repository.
libfuzzer-archive: $LIB_FUZZING_ENGINE is not a flag but the archive, as in older projects.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
COMMON = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types -Wno-error=int-conversion "
          "-Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration -Wno-error=implicit-int -Wno-error=unknown-warning-option "
          "-Wno-error=vla-cxx-extension -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
FATAL = ("array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute,shift,"
         "signed-integer-overflow,unreachable,vla-bound,vptr")
SANITIZERS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={FATAL},unsigned-integer-overflow -fno-sanitize-recover={FATAL}",
    "none": "",
    "coverage": "",
}
COVERAGE = "-fsanitize=fuzzer-no-link"
COVERAGE_OF_SOURCES = ("-fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl -Wl,-lm "
                       "-Wno-unused-command-line-argument")
PAIRS = ["libfuzzer-address", "libfuzzer-undefined", "libfuzzer-none", "libfuzzer-coverage", "libfuzzer-archive-address",
         "afl-address", "afl-undefined", "afl-none"]


def lay_sources(src):
    """What a clone has, with what is not committed yet."""
    shutil.rmtree(src, ignore_errors=True)
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True)
    if listed.returncode != 0:
        shutil.copytree(SOURCE, src / "heddle", ignore=shutil.ignore_patterns("build*"))
        return
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (SOURCE / name).is_file():
            (src / "heddle" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, src / "heddle" / name)


def environment(a, pair, out):
    engine, _, sanitizer = pair.partition("-")
    kind, _, sanitizer = ("flag", "", sanitizer) if "-" not in sanitizer else sanitizer.partition("-")
    afl = engine == "afl"
    flags = COVERAGE_OF_SOURCES if sanitizer == "coverage" else "" if afl else COVERAGE
    cflags = " ".join(filter(None, [COMMON, SANITIZERS[sanitizer], flags]))
    variables = {
        "SRC": a.work / "src", "WORK": a.work / ("work_afl" if afl else "work"), "OUT": out, "PATH": f"{a.environment / 'bin'}:{os.environ['PATH']}",
        "CC": a.environment / "bin/afl-clang-fast" if afl else "clang", "CXX": a.environment / "bin/afl-clang-fast++" if afl else "clang++",
        "CFLAGS": cflags, "CXXFLAGS": f"{cflags} -stdlib=libc++", "SANITIZER": sanitizer, "FUZZING_ENGINE": engine, "ARCHITECTURE": "x86_64",
        "FUZZING_LANGUAGE": "c++", "UBSAN_OPTIONS": "silence_unsigned_overflow=1",
        "LIB_FUZZING_ENGINE": a.environment / "libAFLDriver.a" if afl else a.environment / "libFuzzer.a" if kind == "archive" else "-fsanitize=fuzzer",
    }
    if afl:
        variables |= {"AFL_QUIET": "1", "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:detect_odr_violation=0:abort_on_error=1"}
    if a.built:
        variables["HEDDLE_BUILT"] = a.built
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("CMAKE_", "HEDDLE_"))}, **{k: str(v) for k, v in variables.items()}}


def attempt(a, pair):
    out, moved = a.work / "out" / pair, a.work / "not-out" / pair
    for directory in (out, moved):
        shutil.rmtree(directory, ignore_errors=True)
    out.mkdir(parents=True)
    moved.parent.mkdir(exist_ok=True)
    variables = environment(a, pair, out)
    pathlib.Path(variables["WORK"]).mkdir(exist_ok=True)
    engine, sanitizer = variables["FUZZING_ENGINE"], variables["SANITIZER"]
    if engine == "afl":
        for tool in ("afl-fuzz", "afl-showmap"):
            shutil.copy2(shutil.which(tool), out)
    shutil.copy2(shutil.which("llvm-symbolizer", path=variables["PATH"]), out)
    built = subprocess.run(["bash", "-eux", a.work / "src/build.sh"], env=variables, cwd=a.work / "src/heddle", stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace")
    if built.returncode != 0:
        return f"build.sh failed:\n{built.stdout[-6000:]}"
    # As OSS-Fuzz does it: somewhere else, and without what was there at the build.
    out.rename(moved)
    checked = subprocess.run([sys.executable, SOURCE / "harness/oss-fuzz/check_build.py", moved, "--sanitizer", sanitizer, "--engine", engine],
                             env={**os.environ, "PATH": variables["PATH"]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return None if checked.returncode == 0 else f"bad build:\n{checked.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", metavar="PAIR", help=f"of {', '.join(PAIRS)}; without any, all of them")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a directory for sources, builds and what comes out")
    parser.add_argument("--environment", type=pathlib.Path, help="made by oss_fuzz_environment.sh; without it: in the working directory")
    parser.add_argument("--project", type=pathlib.Path, default=SOURCE / "harness/oss-fuzz", help="the project (heddle's own)")
    parser.add_argument("--built", type=pathlib.Path, help="where heddle has been built; without it, the project's build.sh builds heddle, which takes minutes")
    a = parser.parse_args()
    for pair in a.pairs:
        if pair not in PAIRS:
            parser.error(f"unknown pair '{pair}': {', '.join(PAIRS)}")
    a.work, a.built = a.work.resolve(), a.built and a.built.resolve()
    a.environment = (a.environment or a.work / "environment").resolve()
    if subprocess.run([SOURCE / "scripts/oss_fuzz_environment.sh", a.environment]).returncode != 0:
        sys.exit("try_oss_fuzz: no environment")
    lay_sources(a.work / "src")
    shutil.copy2(a.project / "build.sh", a.work / "src/build.sh")
    bad = 0
    for pair in a.pairs or PAIRS:
        problem = attempt(a, pair)
        print(f"{pair}: {problem or 'good'}", flush=True)
        bad += problem is not None
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
