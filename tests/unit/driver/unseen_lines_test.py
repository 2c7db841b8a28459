"""A thread waits in vain for a notification: the report says which read of another thread's data came before which change, at the lines that the source
marks.

usage: unseen_lines_test.py TARGET SOURCE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[2])
line = {mark: number for number, text in enumerate(source.read_text().splitlines(), 1) for mark in re.findall("// (read|changed)$", text)}
with tempfile.TemporaryDirectory() as directory:
    run = subprocess.run([sys.argv[1], "-runs=10000", "-seed=1"], capture_output=True, text=True, errors="replace", cwd=directory, timeout=150)
told = (rf"^ +main\S* waits for a notification on C\d+.*\n +main\S* read \S+ at {source.name}:{line['read']} before main\S* changed it at "
        rf"{source.name}:{line['changed']}, and did not read it again\.$")
if not re.search(told, run.stderr, re.M):
    sys.exit(f"expected: {told}, exit code {run.returncode}:\n{run.stderr[-5000:]}")
