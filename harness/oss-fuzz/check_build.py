#!/usr/bin/env python3
"""Checks an $OUT directory by the rules that OSS-Fuzz applies to a build, without its containers.

For each fuzz target: the name and the executable are as they should be; it starts and runs a few inputs under its engine; it has
coverage; the mix of sanitizers is the wanted one, by the calls in its code; nothing in it needs a file outside of $OUT; its seed corpus
is a zip that opens; its options parse. An empty $OUT is an error.
"""
import argparse
import configparser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ASAN_CALLS = 1000  # an address build has at least so many
UBSAN_CALLS = 168  # an undefined build at least, any other at most 200


def is_target(path):
    return (path.is_file() and os.access(path, os.X_OK) and re.fullmatch(r"[A-Za-z0-9_-]+", path.name)
            and b"LLVMFuzzerTestOneInput" in path.read_bytes())


def calls(path, prefix):
    tool = shutil.which("objdump") or shutil.which("llvm-objdump-19")
    if tool is None:
        raise SystemExit("check_build: objdump is missing: install binutils")
    code = subprocess.run([tool, "-d", "--no-show-raw-insn", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return len(re.findall(rf"\b(?:call|jmp)\S*\s+\S+\s+<{prefix}", code))


def check_sanitizers(target, sanitizer, small):
    asan, ubsan = calls(target, "__asan"), calls(target, "__ubsan")
    if sanitizer == "address" and asan < ASAN_CALLS:
        yield f"only {asan} calls of ASan: not an address build"
    if sanitizer != "address" and asan >= ASAN_CALLS:
        yield f"{asan} calls of ASan in a {sanitizer} build"
    if sanitizer == "undefined" and ubsan < (1 if small else UBSAN_CALLS):
        yield f"only {ubsan} calls of UBSan: not an undefined build (too small a target, perhaps)"


def run_elsewhere(command, **environment):
    with tempfile.TemporaryDirectory() as elsewhere:  # the working directory is arbitrary
        return subprocess.run(command, cwd=elsewhere, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=120,
                              env=dict(os.environ, **environment))


def check_libfuzzer(target):
    done = run_elsewhere([str(target.resolve()), "-seed=1337", "-runs=4"], HEDDLE_OPTIONS="exit_on_finding=0")
    if "Done 4 runs" not in done.stdout:
        yield f"does not start: exit code {done.returncode}\n{done.stdout[-1500:]}"
    if "no interesting inputs" in done.stdout:
        yield "no input has any coverage"
    if "inline 8-bit counters" not in done.stdout and "Extra Counters" not in done.stdout:
        yield "no coverage instrumentation"


def check_afl(target):
    with tempfile.TemporaryDirectory() as seeds:
        pathlib.Path(seeds, "seed").write_text("input")
        done = run_elsewhere(["afl-fuzz", "-V", "3", "-i", seeds, "-o", seeds + "/out", "--", str(target.resolve())],
                             HEDDLE_OPTIONS="exit_on_finding=0", AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1",
                             AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_NO_AFFINITY="1")
    if "All set and ready to roll" not in done.stdout:
        yield f"afl-fuzz does not start: exit code {done.returncode}\n{done.stdout[-1500:]}"


def check(target, arguments):
    problems = list(check_sanitizers(target, arguments.sanitizer, arguments.small))
    needed = subprocess.run(["ldd", str(target)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    problems += [f"needs {line.split()[0]}, which is missing" for line in needed.splitlines() if "not found" in line]
    problems += check_afl(target) if arguments.engine == "afl" else check_libfuzzer(target)
    seeds = target.with_name(target.name + "_seed_corpus.zip")
    if not seeds.exists():
        problems.append(f"no {seeds.name}")
    elif not zipfile.is_zipfile(seeds) or not zipfile.ZipFile(seeds).namelist():
        problems.append(f"{seeds.name} is empty or not a zip file")
    options = target.with_name(target.name + ".options")
    if options.exists():
        try:
            configparser.ConfigParser().read_string(options.read_text())
        except configparser.Error as error:
            problems.append(f"{options.name}: {error}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sanitizer", default="address", choices=["address", "undefined", "none"])
    parser.add_argument("--engine", default="libfuzzer", choices=["libfuzzer", "afl"])
    parser.add_argument("--small", action="store_true", help="the targets are too small for the number of UBSan's checks")
    arguments = parser.parse_args()
    targets = sorted(p for p in arguments.out.iterdir() if is_target(p)) if arguments.out.is_dir() else []
    if not targets:
        sys.exit(f"check_build: no fuzz target in {arguments.out}")
    bad = 0
    for target in targets:
        problems = check(target, arguments)
        bad += bool(problems)
        print(f"{target.name}: {'BAD' if problems else 'good'}")
        for problem in problems:
            print(f"  {problem}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
