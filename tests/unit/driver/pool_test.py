#!/usr/bin/env python3
"""A library that is not instrumented and keeps a pool of threads: each execution has a pool of its own, whose threads may wait for work at the end. A pool's
thread that is in the program's code is judged like any other.

pool_test.py TARGET SOURCE HEDDLE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from expectations import expect, failures, line_of

TARGET, SOURCE, HEDDLE = sys.argv[1:]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
    return done.returncode, done.stdout + done.stderr


def main():
    line = line_of(SOURCE, "waits")
    with tempfile.TemporaryDirectory() as work:
        code, output = run(TARGET, "-seed=1", "-runs=20000", f"-artifact_prefix={work}/")
        expect("a finding only with the byte", code != 0, output)
        expect("its kind and place", re.search(rf"SUMMARY: HeddleSanitizer: blocked-threads \S+pool_target\.cc:{line}:", output), output)
        crash = next(pathlib.Path(work).glob("crash-*"))
        code, output = run(HEDDLE, "replay", TARGET, str(crash))
        expect("replay", "deterministic" in output, output)
        empty = pathlib.Path(work) / "empty"
        empty.write_bytes(b"")
        code, output = run(HEDDLE, "replay", TARGET, str(empty))
        expect("no finding without it", code == 0 and "deterministic" in output, output)


main()
sys.exit(1 if failures else 0)
