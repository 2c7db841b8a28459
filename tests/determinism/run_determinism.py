#!/usr/bin/env python3
"""Runs determinism drivers (the first argument: one or more, by commas), each in a process of its own, with address randomisation as
the system has it, and compares the hashes."""
import os
import pathlib
import subprocess
import sys

binaries, count, work = sys.argv[1].split(","), sys.argv[2], pathlib.Path(sys.argv[3])
options = ["symbolize=0", "verify=0"] + sys.argv[4:]
work.mkdir(parents=True, exist_ok=True)
hashes = []
for process, binary in enumerate(binaries):
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
for process, other in enumerate(hashes[1:], 1):
    for mine, theirs in zip(hashes[0], other):
        if mine != theirs:
            print(f"processes 0 ({binaries[0]}) and {process} ({binaries[process]}) differ: schedule, hash, events: {mine}; {theirs}")
            sys.exit(1)
sys.exit(0 if all(len(lines) == int(count) for lines in hashes) else 1)
