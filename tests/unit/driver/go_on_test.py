"""HEDDLE_OPTIONS=exit_on_finding=0 and known=FILE: the search goes on after findings, assertions and crashes included, and says where it cannot.

usage: go_on_test.py HEDDLE_CLANG++ SOURCE_DIRECTORY SCENARIO
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

wrapper, source, scenario = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
RUNS = 400 if scenario in ("harness", "afl") else 120  # each run of a program may be a process
failures = []


def expect(what, condition, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output[-6000:]}")


def build(target, name, *flags):
    made = subprocess.run([wrapper, "-UNDEBUG", "-g", "-O1", *flags, source / name, "-o", target], capture_output=True, text=True, timeout=300)
    if made.returncode != 0:
        sys.exit(made.stderr)
    return target


def count(output, pattern):
    said = re.findall(pattern, output)
    return int(said[-1]) if said else 0


directory = tempfile.TemporaryDirectory()
work = pathlib.Path(directory.name)


def run(target, bugs, options, *arguments):
    done = subprocess.run([target, *(arguments or (f"-runs={RUNS}", "-seed=1", f"-artifact_prefix={work}/"))], capture_output=True, text=True,
                          errors="replace", timeout=300, env={**os.environ, "HEDDLE_OPTIONS": options, "HEDDLE_TEST": bugs}, stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr


def found(output):
    return count(output, r"heddle: executions with a finding: (\d+) of \d+")


def signatures(target, bugs, options):
    _, output = run(target, bugs, options)
    return re.findall(r"^Signature: (\w+)$", output, re.M), output


def goes_on(target, bug, name, options, different=1):
    code, output = run(target, bug, f"exit_on_finding=0{options}")
    expect(f"{bug}{options}: all runs are made", code == 0 and f"Done {RUNS} runs" in output, output)
    expect(f"{bug}{options}: shown once", output.count(f"SUMMARY: HeddleSanitizer: {name} ") == different, output)
    expect(f"{bug}{options}: counted", f", {different} different" in output and 3 < found(output) <= RUNS, output)


def known(target, bug, other, name, options, list_file):
    """Past `bug` the search finds `other`."""
    mine, output = signatures(target, bug, options)
    expect(f"{bug}: found first", len(mine) == 1, output)
    if not mine:
        return
    list_file.write_text(f"# what we know\n\n{mine[0]}  # {bug}\n")
    code, output = run(target, bug, f"known={list_file}{options}")
    expect(f"known {bug}{options}: all runs are made", code == 0 and f"Done {RUNS} runs" in output and "SUMMARY" not in output, output)
    expect(f"known {bug}{options}: shown in one line", len(re.findall(rf"^heddle: known finding: {mine[0]} [\w-]+ \S+", output, re.M)) == 1, output)
    expect(f"known {bug}{options}: counted", count(output, rf"heddle: known: (\d+) {mine[0]}") > 3, output)
    code, output = run(target, f"{bug} {other}", f"known={list_file}{options}")
    expect(f"past known {bug}{options}", code != 0 and f"SUMMARY: HeddleSanitizer: {name} " in output, output)
    if "heddle: known finding: " in output:
        expect(f"past known {bug}{options}: with source lines", re.search(r"^SUMMARY: HeddleSanitizer: .*\.(cc|h):\d+", output, re.M) is not None, output)


def harness():
    target = build(work / "harness", "go_on_harness.cc")
    for bug, name in (("assertion", "assertion-failure"), ("exception", "assertion-failure"), ("write", "crash"), ("call", "crash"), ("raise", "crash"), ("freed", "heap-use-after-free")):
        goes_on(target, bug, name, "")
    goes_on(target, "assertion second", "assertion-failure", "", 2)
    goes_on(target, "deadlock", "deadlock", "")
    for bug, name in (("assertion", "assertion-failure"), ("write", "crash"), ("freed", "heap-use-after-free"), ("deadlock", "deadlock")):
        known(target, bug, "second", "assertion-failure", "", work / "list")
    # The C library may hold a lock, which would be held for ever.
    code, output = run(target, "libc", "exit_on_finding=0")
    said = re.findall(r"^heddle: the search cannot go on.*", output, re.M)
    expect("libc: one line", code != 0 and len(said) == 1 and "the C library" in said[0] and "HeddleSanitizer: crash" in output, output)
    for name, lines, why in (("no signature", "# one\nfirst\n", ":2: expected a signature"), ("too short", "b7823dfbe8a9cad\n", ":1: expected a signature"),
                             ("two", "b7823dfbe8a9cad6 b7823dfbe8a9cad6\n", ":1: expected a signature")):
        (work / "list").write_text(lines)
        code, output = run(target, "", f"known={work}/list")
        said = [line for line in output.splitlines() if line.startswith("heddle: ")]
        expect(name, code == 2 and len(said) == 1 and said[0].startswith(f"heddle: known: {work}/list{why}"), output)
    code, output = run(target, "", f"known={work}/absent")
    expect("absent", code == 2 and f"heddle: known: cannot read the file '{work}/absent'" in output, output)
    # The lines of reports are taken as they are.
    _, output = run(target, "assertion", "")
    (work / "list").write_text("".join(line + "\n" for line in output.splitlines() if line.startswith("Signature:")))
    code, output = run(target, "assertion", f"known={work}/list")
    expect("a report's line", code == 0 and "heddle: known finding: " in output, output)


def shares_answers(target):
    """Forked executions ask the symbolizer once: to start it takes longer than hundreds of executions."""
    symbolizer = shutil.which("llvm-symbolizer-19") or shutil.which("llvm-symbolizer")
    starts, counting = work / "starts", work / "symbolizer"
    counting.write_text(f'#!/bin/sh\necho x >> "{starts}"\nexec "{symbolizer}" "$@"\n')
    counting.chmod(0o755)
    os.environ["HEDDLE_SYMBOLIZER"] = str(counting)
    code, output = run(target, "assertion", "exit_on_finding=0:restore=fork")
    del os.environ["HEDDLE_SYMBOLIZER"]
    asked = len(starts.read_text().split()) if starts.exists() else 0
    expect(f"the symbolizer was started {asked} times", found(output) > 10 and 0 < asked <= 3, output)


def program():
    target = build(work / "program", "go_on_program.cc")
    for bug, name in (("assertion", "assertion-failure"), ("exception", "assertion-failure"), ("write", "crash"), ("call", "crash")):
        for way in ("process", "fork"):
            goes_on(target, bug, name, f":restore={way}")
    goes_on(target, "libc", "crash", ":restore=fork")
    shares_answers(target)
    for way in ("process", "fork"):
        known(target, "assertion", "second", "assertion-failure", f":restore={way}", work / "list")
        known(target, "write", "second", "assertion-failure", f":restore={way}", work / "list")


def asan():
    target = build(work / "program", "go_on_program.cc", "--asan")
    code, output = run(target, "write", "exit_on_finding=0:restore=process")
    expect("in this process: one line", code != 0 and len(re.findall("^heddle: the search cannot go on", output, re.M)) == 1, output)
    code, output = run(target, "freed", "exit_on_finding=0:restore=fork")
    expect("in forked processes", code == 0 and f"Done {RUNS} runs" in output and output.count("SUMMARY: AddressSanitizer: heap-use-after-free") == 1
           and found(output) > 3, output)
    mine, output = signatures(target, "freed", "restore=fork")
    expect("signature", len(mine) == 1, output)
    (work / "list").write_text("\n".join(mine))
    code, output = run(target, "freed", f"known={work}/list:restore=fork")
    expect("known in forked processes", code == 0 and "SUMMARY" not in output and "ERROR: AddressSanitizer" not in output and
           output.count("heddle: known finding: ") == 1, output)
    goes_on(target, "assertion", "assertion-failure", ":restore=process")


def afl():
    target = build(work / "harness", "go_on_harness.cc", "--engine=afl")
    asan_target = build(work / "asan", "go_on_harness.cc", "--engine=afl", "--asan")
    seed = work / "seed"
    seed.write_bytes(b"x")
    for one, bug in ((target, "assertion"), (target, "write"), (asan_target, "assertion"), (asan_target, "freed")):
        code, output = run(one, f"always {bug}", "", seed)
        mine = re.findall(r"^Signature: (\w+)$", output, re.M)
        expect(f"{one.name} {bug}: a crash", code != 0 and len(mine) == 1, output)
        (work / "list").write_text("\n".join(mine))
        code, output = run(one, f"always {bug}", f"known={work}/list", seed)
        expect(f"{one.name} {bug}: none when it is known", code == 0 and "SUMMARY" not in output and "heddle: known finding: " in output, output)


{"harness": harness, "program": program, "asan": asan, "afl": afl}[scenario]()
directory.cleanup()
sys.exit(1 if failures else 0)
