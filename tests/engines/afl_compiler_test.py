#!/usr/bin/env python3
"""Targets built with AFL++'s own compilers, which put AFL++'s runtime after the program. One scenario per call."""
import argparse
import os
import subprocess

import afl_test
from session import check

SOURCES = {"buggy": "harness/examples/bounded_queue_fuzz.cc", "correct": "tests/engines/correct_queue.cc"}


def build(s, name, *options, compiler="afl-clang-fast++", **environment):
    out = s.work / "_".join([name, *options, *environment])
    done = subprocess.run([s.a.wrapper, "--engine=afl", *options, "-std=c++20", f"{s.a.source}/{SOURCES[name]}", "-o", out], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace", env=dict(os.environ, HEDDLE_CLANGXX=compiler, AFL_QUIET="1", **environment))
    check(done.returncode == 0, f"{compiler} does not build {name}", done.stdout)
    return str(out)


def steady(s, out, instance="default"):
    stats = s.stats(out, instance)
    check(stats["stability"] == "100.00%", f"stability {stats['stability']}")
    check(int(stats["saved_hangs"]) == 0 and int(stats["saved_crashes"]) == 0, "a correct program crashed or hung", str(stats))
    return stats


def fuzz(s):
    """afl-fuzz finds the bug, and what it saves replays; a correct program runs on."""
    buggy, correct = build(s, "buggy"), build(s, "correct")
    log = s.fuzz(buggy, "bug", "-V", "60", "-s", "1", extra={"AFL_BENCH_UNTIL_CRASH": "1"})
    crashes = s.files("bug", "crashes")
    check(crashes, "no crash found", log[-3000:])
    replay = s.run(buggy, crashes[0])
    check(replay.returncode != 0 and "SUMMARY: HeddleSanitizer:" in replay.stdout, "the crash does not replay", replay.stdout)
    s.fuzz(correct, "out", "-E", "30000", "-V", "100", "-s", "1", extra={"AFL_FAST_CAL": "1"})
    check(int(steady(s, "out")["corpus_count"]) > 20, "no feedback")


def parallel(s):
    """-M and -S."""
    s.a.correct = build(s, "correct")
    afl_test.parallel(s)
    for instance in "one", "two":
        steady(s, "out", instance)


def showmap(s):
    """afl-showmap sees the same map each time, and more of it with another schedule."""
    correct = build(s, "correct")
    for name in "first", "second":
        s.run("afl-showmap", "-q", "-o", s.work / name, "--", correct, s.seed)
    first, second = ((s.work / name).read_text() for name in ("first", "second"))
    check(first.strip() and first == second, "two runs of one input have different maps", first + second)


def cmplog(s):
    """A target for comparisons in addition to the fuzzed one; the same for both."""
    correct, comparing = build(s, "correct"), build(s, "correct", AFL_LLVM_CMPLOG="1")
    for target, other in (correct, comparing), (comparing, "0"):
        s.fuzz(target, "out" + other[-1], "-E", "1500", "-s", "1", "-c", other, only=False)
        steady(s, "out" + other[-1])


def lto(s):
    """Compiled and linked with LTO: lld puts the program after heddle, and AFL++'s runtime after that."""
    correct = build(s, "correct", compiler="afl-clang-lto++")
    s.fuzz(correct, "out", "-E", "1500", "-s", "1")
    steady(s, "out")


def asan(s):
    """Beside ASan's runtime, which stands in front."""
    s.fuzz(build(s, "correct", "--asan"), "out", "-E", "1000", "-s", "1", extra={"ASAN_OPTIONS": "abort_on_error=1:symbolize=0:detect_leaks=0"})
    steady(s, "out")


def stripped(s):
    """Without symbols AFL++'s variables cannot be distinguished from the program's: one line says so, and the target does not hang."""
    correct = build(s, "correct")
    subprocess.run(["strip", correct], check=True)
    done = s.run(correct, s.seed)
    check(done.returncode == 1 and "AFL++'s variables cannot be distinguished from the program's" in done.stdout, f"exit code {done.returncode}", done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", choices=["fuzz", "parallel", "showmap", "cmplog", "lto", "asan", "stripped"])
    for name in ("wrapper", "source", "mutator", "corpus", "work"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    session = afl_test.AflSession(arguments)
    session.seed = session.work / "seed"
    session.seed.write_text("x")
    globals()[arguments.scenario](session)


if __name__ == "__main__":
    main()
