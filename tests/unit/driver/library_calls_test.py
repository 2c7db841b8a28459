#!/usr/bin/env python3
"""Calls into a library that is not instrumented are choice points once two threads make them; nothing else changes for the program.

library_calls_test.py TARGET REPAIRED SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from expectations import expect, failures, line_of

TARGET, REPAIRED, SOURCE = sys.argv[1:]


def run(target, *arguments, options=""):
    done = subprocess.run([target, *arguments], capture_output=True, text=True, errors="replace", timeout=120,
                          env={**os.environ, "HEDDLE_OPTIONS": options, "COLUMNS": "160"})
    return done.returncode, done.stderr


def main():
    with tempfile.TemporaryDirectory() as work:
        for seed in (1, 2, 3):
            code, output = run(TARGET, f"-seed={seed}", "-runs=500", f"-artifact_prefix={work}/{seed}-")
            expect(f"the lost update, seed {seed}", code != 0 and "SUMMARY: HeddleSanitizer: assertion-failure " in output, output)
        for row in ("load", "store"):
            expect(f"a row of the {row}", re.search(rf"call liblibrary_calls\.so \(:{line_of(SOURCE, row)}\)", output), output)
        saved = [str(p) for p in pathlib.Path(work).glob("3-*")]
        traces = []
        for n in range(2):
            code, output = run(TARGET, *saved, options=f"trace_text={work}/trace{n}")
            expect("the replay", code != 0 and "assertion-failure" in output, output)
            traces.append(pathlib.Path(work, f"trace{n}").read_text())
        expect("equal traces", traces[0] == traces[1] and "library_call" in traces[0], traces[0])
        code, output = run(REPAIRED, "-seed=1", "-runs=5000", f"-artifact_prefix={work}/")
        expect("the repaired program", code == 0, output)


main()
sys.exit(1 if failures else 0)
