#!/usr/bin/env python3
"""Executions to the bug, AFL++ beside libFuzzer: the same programs, the same mutator, both counted by the target itself.

usage: compare_engines.py [--build DIR] [--seeds N] PROGRAM...      (as atomics/setters_10, of tests/programs/fail)

Both begin with one small input and run until the first finding. afl-fuzz runs its first input three times and each input that it keeps three times more, to see
whether it always does the same (calibration; AFL_FAST_CAL=1, as docs/how-to/afl.md says). All of it counts; how many different schedules that were
is shown besides.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/engines"))
from afl_environment import UNATTENDED  # noqa: E402

AFL = {**UNATTENDED, "AFL_FAST_CAL": "1", "AFL_BENCH_UNTIL_CRASH": "1", "AFL_CUSTOM_MUTATOR_ONLY": "1"}
LIMIT = 60  # seconds for one run
CALIBRATION = 3  # runs


def source_of(program):
    for suffix in (".cc", ".c"):
        path = ROOT / "tests/programs/fail" / (program + suffix)
        if path.exists():
            return path
    sys.exit(f"compare_engines: no program {program}")


def build(options, program, work):
    source = source_of(program)
    wrapper = options.build / "bin" / ("heddle-clang" if source.suffix == ".c" else "heddle-clang++")
    targets = {}
    for engine in ("libfuzzer", "afl"):
        targets[engine] = work / engine
        flags = ["-std=c++20"] if source.suffix == ".cc" else []
        subprocess.run([wrapper, f"--engine={engine}", *flags, source, "-o", targets[engine]], check=True)
    return targets


def libfuzzer(target, seed, work, corpus):
    # The account counts every execution, including the one that found the bug. libFuzzer's last status line may be far behind.
    run = subprocess.run([target, f"-seed={seed}", f"-max_total_time={LIMIT}", f"-artifact_prefix={work}/", corpus], capture_output=True, text=True,
                         env={**os.environ, "HEDDLE_OPTIONS": "account=1:symbolize=0"})
    count = re.search(r"heddle: account of (\d+) execution", run.stderr)
    return int(count[1]) if count and "SUMMARY: HeddleSanitizer" in run.stderr else None


def afl(options, target, seed, work, corpus):
    run = subprocess.run(["afl-fuzz", "-s", str(seed), "-V", str(LIMIT), "-t", "20000", "-i", corpus, "-o", work / "out", "--", target], text=True, errors="replace",
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env={**os.environ, **AFL, "HEDDLE_OPTIONS": "symbolize=0",
                              "AFL_CUSTOM_MUTATOR_LIBRARY": str((options.build / "lib/heddle/libheddle-afl.so").resolve())})
    if run.returncode != 0:
        if "results in a crash" in run.stdout:  # already with the first input
            return 1, 1
        sys.exit(f"compare_engines: afl-fuzz ended with {run.returncode}:\n{run.stdout[-2000:]}")
    # afl-fuzz continues to the end of the turn of an input. The files' names tell when each was found.
    def executions(where):
        return [int(re.search(r"execs:(\d+)", file.name)[1]) for file in (work / "out/default" / where).glob("id:*")]

    crash = min(executions("crashes"), default=None)
    if crash is None:
        return None
    kept = sum(0 < e < crash for e in executions("queue"))
    return crash, crash - CALIBRATION * kept - (CALIBRATION - 1)


def shown(counts):
    found = sorted(c for c in counts if c is not None)
    text = f"{statistics.median(found):g} ({found[0]} to {found[-1]})" if found else "-"
    return text if len(found) == len(counts) else f"{text}, {len(found)} of {len(counts)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    print(f"Executions to the bug, median of {options.seeds} seeds (least to most)\n\n| program | libFuzzer | AFL++ | different schedules |\n| --- | --- | --- | --- |", flush=True)
    for program in options.programs:
        counts = {"libfuzzer": [], "afl": []}
        with tempfile.TemporaryDirectory() as directory:
            targets = build(options, program, pathlib.Path(directory))
            for seed in range(1, options.seeds + 1):
                with tempfile.TemporaryDirectory() as run:
                    corpus = pathlib.Path(run) / "corpus"
                    corpus.mkdir()
                    (corpus / "one").write_bytes(b"0")
                    counts["libfuzzer"].append(libfuzzer(targets["libfuzzer"], seed, pathlib.Path(run), corpus))
                with tempfile.TemporaryDirectory() as run:
                    corpus = pathlib.Path(run) / "corpus"
                    corpus.mkdir()
                    (corpus / "one").write_bytes(b"0")
                    counts["afl"].append(afl(options, targets["afl"], seed, pathlib.Path(run), corpus))
        executed, different = ([c and c[i] for c in counts["afl"]] for i in (0, 1))
        print(f"| `{program}` | {shown(counts['libfuzzer'])} | {shown(executed)} | {shown(different)} |", flush=True)


if __name__ == "__main__":
    main()
