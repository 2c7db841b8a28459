#!/usr/bin/env python3
"""An instrumented shared library is part of the program: blocks of its constructors are put back, and its calls of the C library are accesses.
A path to libraries that work only in the target does not keep the symbolizer from its answers.

instrumented_library_test.py TARGET LIBRARY_SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from expectations import expect, failures

TARGET, SOURCE = sys.argv[1:]


def run(work, options, **environment):
    done = subprocess.run([TARGET, "-seed=1", "-runs=2000", f"-artifact_prefix={work}/"], capture_output=True, text=True, errors="replace", timeout=120,
                          env={**os.environ, "HEDDLE_OPTIONS": options, **environment})
    return done.returncode, done.stderr


def main():
    line = next(n for n, text in enumerate(pathlib.Path(SOURCE).read_text().splitlines(), 1) if "/* reads */" in text)
    with tempfile.TemporaryDirectory() as work:
        code, output = run(work, "")
        expect("each execution begins with the constructor's block", code == 0, output)
        code, output = run(work, "report_races=1")
        expect("the race", code != 0 and "SUMMARY: HeddleSanitizer: data-race " in output, output)
        expect("its line", re.search(rf"instrumented_library\.c:{line}:", output), output)
        pathlib.Path(work, "libz.so.1").write_text("no library: who loads it does not start")
        output = run(work, "report_races=1", LD_LIBRARY_PATH=work)[1]
        expect("its line beside libraries of the build", re.search(rf"instrumented_library\.c:{line}:", output), output)


main()
sys.exit(1 if failures else 0)
