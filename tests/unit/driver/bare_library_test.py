#!/usr/bin/env python3
"""Operations inside a library that is not instrumented: reports have the program's calls into it, and races come with a caveat.

bare_library_test.py TARGET SOURCE
"""
import os
import re
import subprocess
import sys
import tempfile

from expectations import expect, failures, line_of

TARGET, SOURCE = sys.argv[1:]


def run(work, options):
    done = subprocess.run([TARGET, "-seed=1", "-runs=5000", f"-artifact_prefix={work}/"], capture_output=True, text=True, errors="replace", timeout=120,
                          env={**os.environ, "HEDDLE_OPTIONS": options, "COLUMNS": "160"})
    expect("a finding", done.returncode != 0, done.stderr)
    return done.stderr


def main():
    caveat = "(1 library is not instrumented. If it orders such accesses, they are no race.)"
    with tempfile.TemporaryDirectory() as work:
        output = run(work, "")
        expect("deadlock", "SUMMARY: HeddleSanitizer: deadlock " in output, output)
        for row in ("main takes a", "other takes b"):
            expect(row, re.search(rf"^ +\d+ .*lock M\d \(:{line_of(SOURCE, row)}\)", output, re.M), output)
        for blocked in ("main takes b", "other takes a"):
            expect(blocked, re.search(rf"BLOCKED: lock M\d \(:{line_of(SOURCE, blocked)}\)", output), output)
        expect("start", re.search(rf"main\.0: created by main at \S*:{line_of(SOURCE, 'starts')}$", output, re.M), output)
        expect("no position of the engine", "fuzzer::" not in output[output.find("=ERROR"):], output)
        expect("no position of the library", "bare_library.so+0x" not in output[output.find("=ERROR"):], output)
        expect("caveat below the list", caveat in output, output)
        output = run(work, "report_races=1")
        expect("data race", "SUMMARY: HeddleSanitizer: data-race " in output, output)
        expect("caveat in the report", caveat in output, output)


main()
sys.exit(1 if failures else 0)
