#!/usr/bin/env python3
"""simplest_schedule finds what is simpler than the fuzzer's input, and nothing that is simpler than heddle minimize's: simplest_test.py HEDDLE
SIMPLEST_SCHEDULE PROGRAM"""
import pathlib
import re
import subprocess
import sys
import tempfile

heddle, tool, program = sys.argv[1:]


def figures(work, name):
    """{"constraints": (of the input, least), "preemptions": ...}"""
    output = subprocess.run([tool, program, name], cwd=work, capture_output=True, text=True, check=True, timeout=240).stdout
    print(name, output)
    return {row: (int(has), int(least)) for row, has, least in re.findall(r"^(\w+) (\d+) least (\d+) executions \d+$", output, re.M)}


with tempfile.TemporaryDirectory() as work:
    subprocess.run([program, "-seed=1", "-runs=2000", "-exact_artifact_path=crash"], cwd=work, capture_output=True, timeout=240)
    assert pathlib.Path(work, "crash").exists()
    subprocess.run([heddle, "minimize", program, "crash", "-o", "small"], cwd=work, capture_output=True, check=True, timeout=240)
    assert figures(work, "small") == {"constraints": (1, 1), "preemptions": (1, 1)}
    found = figures(work, "crash")["constraints"]
    assert found[0] > 1 and found[1] == 1, found
