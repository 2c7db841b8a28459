#!/usr/bin/env python3
"""Fuzzes a target from nothing in one mode, with three seeds, and checks that each search ends with a finding within its budget
of executions; with NOT: that none does.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys


def search(binary, mode, seed, runs, work):
    environment = dict(os.environ, HEDDLE_OPTIONS=f"mode={mode}:symbolize=0")
    environment.pop("ASAN_OPTIONS", None)
    done = subprocess.run([binary, f"-seed={seed}", f"-runs={runs}", "-print_final_stats=1", "-timeout=20"],
                          env=environment, cwd=work, capture_output=True, timeout=280)
    output = (done.stdout + done.stderr).decode(errors="replace")
    executed = re.search(r"stat::number_of_executed_units: (\d+)", output)
    found = re.search(r"^SUMMARY: HeddleSanitizer: .*$", output, re.MULTILINE)
    if not found and done.returncode != 0:
        sys.exit(f"seed {seed}: exit code {done.returncode} without a finding\n{output[-2000:]}")
    return found.group(0) if found else None, executed.group(1) if executed else "?"


def main():
    binary, mode, runs, work = sys.argv[1:5]
    wanted = "NOT" not in sys.argv[5:]
    shutil.rmtree(work, ignore_errors=True)
    pathlib.Path(work).mkdir(parents=True)
    good = True
    for seed in (1, 2, 3):
        found, executed = search(os.path.abspath(binary), mode, seed, runs, work)
        print(f"mode={mode} seed={seed}: {found or 'nothing'} after {executed} executions")
        good &= (found is not None) == wanted
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
