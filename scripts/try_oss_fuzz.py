#!/usr/bin/env python3
"""Builds and checks a project of OSS-Fuzz as OSS-Fuzz does, without its containers: for each pair of engine and sanitizer.

The environment is made of Debian's packages (oss_fuzz_environment.sh). The project is a directory with Dockerfile and build.sh. What the Dockerfile copies
into $SRC is there, and what it clones is taken from local directories. Anything else that it does is said in one line, and not done.
libfuzzer-archive: $LIB_FUZZING_ENGINE is not a flag but the archive, as in older projects.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import oss_fuzz_image

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


def lay_project(a, variables, say):
    """The directory that build.sh starts in, and the variables of the Dockerfile. All is laid anew: a build may leave something among its sources."""
    src = pathlib.Path(variables["SRC"])
    if (a.project / "Dockerfile").exists():
        image = oss_fuzz_image.Image(a.project, variables, a.sources, say)
        directory, own = image.make()
        unused = a.sources.keys() - image.used - {"heddle"}
        if unused:
            clones = ", ".join(image.clones) or "none"
            raise oss_fuzz_image.Wrong(f"--source {' '.join(sorted(unused))}: the Dockerfile has no clone of that name. Its clones: {clones}")
        return directory, own
    shutil.rmtree(src, ignore_errors=True)
    oss_fuzz_image.lay_clone(a.sources["heddle"], src / "heddle", ignore=shutil.ignore_patterns("build*"))
    shutil.copy2(a.project / "build.sh", src / "build.sh")
    return src / "heddle", {}


def language(project):
    text = (project / "project.yaml").read_text() if (project / "project.yaml").exists() else ""
    found = re.search(r"^language: *[\"']?([\w+-]+)", text, re.M)
    return found[1] if found else "c++"


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
        "FUZZING_LANGUAGE": language(a.project), "UBSAN_OPTIONS": "silence_unsigned_overflow=1",
        "LIB_FUZZING_ENGINE": a.environment / "libAFLDriver.a" if afl else a.environment / "libFuzzer.a" if kind == "archive" else "-fsanitize=fuzzer",
    }
    if afl:
        variables |= {"AFL_QUIET": "1", "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:detect_odr_violation=0:abort_on_error=1"}
    if a.built:
        variables["HEDDLE_BUILT"] = a.built
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("CMAKE_", "HEDDLE_"))}, **{k: str(v) for k, v in variables.items()}}


def empty_work(work):
    """$WORK is empty at each build, except that heddle, which is the same in all, is built once for each compiler."""
    work.mkdir(exist_ok=True)
    for path in work.iterdir():
        if path.is_dir() and not path.is_symlink():
            if path.name != "heddle":
                shutil.rmtree(path)
        else:
            path.unlink()


def sources_of(parser, given):
    """Directories by name; heddle's are this repository unless another is named."""
    sources = {"heddle": SOURCE}
    for text in given:
        name, equals, directory = ("", "", text) if pathlib.Path(text).is_dir() else text.partition("=")
        path = pathlib.Path(directory if equals else text).resolve()
        if not path.is_dir():
            parser.error(f"--source {text}: no such directory")
        sources[name or path.name] = path
    return sources


def attempt(a, pair, say):
    out, moved = a.work / "out" / pair, a.work / "not-out" / pair
    for directory in (out, moved):
        shutil.rmtree(directory, ignore_errors=True)
    out.mkdir(parents=True)
    moved.parent.mkdir(exist_ok=True)
    variables = environment(a, pair, out)
    empty_work(pathlib.Path(variables["WORK"]))
    directory, own = lay_project(a, variables, say)
    variables |= own
    engine, sanitizer = variables["FUZZING_ENGINE"], variables["SANITIZER"]
    if engine == "afl":
        for tool in ("afl-fuzz", "afl-showmap"):
            shutil.copy2(shutil.which(tool), out)
    shutil.copy2(shutil.which("llvm-symbolizer", path=variables["PATH"]), out)
    built = subprocess.run(["bash", "-eux", a.work / "src/build.sh"], env=variables, cwd=directory, stdout=subprocess.PIPE,
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
    parser.add_argument("--source", action="append", default=[], metavar="[NAME=]DIRECTORY",
                        help="a directory instead of what the Dockerfile clones; NAME is that of the repository or of its directory there, and the "
                             "directory's own name if it is left out. Can be repeated. heddle is this repository")
    parser.add_argument("--built", type=pathlib.Path, help="where heddle has been built; without it, the project's build.sh builds heddle, which takes minutes")
    a = parser.parse_args()
    a.project, a.sources = a.project.resolve(), sources_of(parser, a.source)
    if not (a.project / "Dockerfile").exists() and not (a.project / "build.sh").exists():
        parser.error(f"{a.project} has neither Dockerfile nor build.sh")
    for pair in a.pairs:
        if pair not in PAIRS:
            parser.error(f"unknown pair '{pair}': {', '.join(PAIRS)}")
    a.work, a.built = a.work.resolve(), a.built and a.built.resolve()
    a.environment = (a.environment or a.work / "environment").resolve()
    if subprocess.run([SOURCE / "scripts/oss_fuzz_environment.sh", a.environment]).returncode != 0:
        sys.exit("try_oss_fuzz: no environment")
    bad, said = 0, set()

    def say(line):
        if line not in said:
            print(line, flush=True)
        said.add(line)

    for pair in a.pairs or PAIRS:
        try:
            problem = attempt(a, pair, say)
        except oss_fuzz_image.Wrong as wrong:
            sys.exit(f"try_oss_fuzz: {wrong}")
        print(f"{pair}: {problem or 'good'}", flush=True)
        bad += problem is not None
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
