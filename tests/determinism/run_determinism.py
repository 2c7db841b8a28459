#!/usr/bin/env python3
"""Runs a determinism driver in two processes, with address randomisation as the system has it, and compares the hashes."""
import os
import pathlib
import subprocess
import sys

binary, count, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
options = ["symbolize=0", "verify=0"] + sys.argv[4:]
work.mkdir(parents=True, exist_ok=True)
hashes = []
for process in range(2):
    # Different sizes of the environment and of the arguments move the stack, too.
    environment = dict(os.environ, PADDING="x" * (1000 * process))
    environment["HEDDLE_OPTIONS"] = ":".join([*options, f"trace_path={work}/trace{process}"])
    output = work / f"hashes{process}"
    done = subprocess.run([binary, count, str(output)], env=environment, capture_output=True, text=True, errors="replace",
                          timeout=250)
    if done.returncode != 0:
        print(f"process {process}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-6000:]}")
        sys.exit(1)
    hashes.append(output.read_text().splitlines())
    print(done.stdout.strip())
for first, second in zip(*hashes):
    if first != second:
        print(f"the processes differ: schedule, hash, events: {first}; {second}")
        sys.exit(1)
sys.exit(0 if len(hashes[0]) == len(hashes[1]) == int(count) else 1)
