"""A program that breaks its heap and then fails: the input is saved nevertheless, whole, and nothing hangs.

usage: broken_heap_test.py TARGET
"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile

failures = 0
for data in (b"ba...", b"bs...", b"bm..."):
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        (work / "corpus").mkdir()  # a file that is named on the command line is not saved again
        (work / "corpus" / "one").write_bytes(data)
        try:
            run = subprocess.run([sys.argv[1], "-runs=10", f"-artifact_prefix={work}/", work / "corpus"], capture_output=True, text=True, errors="replace", timeout=150)
        except subprocess.TimeoutExpired as hang:
            failures += 1
            print(f"{data}: no end after {hang.timeout} s:\n{(hang.stderr or b'')[-2000:]}")
            continue
        # The name says what must be in it.
        saved = [p for p in work.glob("crash-*") if p.name == "crash-" + hashlib.sha1(p.read_bytes()).hexdigest()]
        if run.returncode == 0 or len(saved) != 1 or "SUMMARY" not in run.stderr:
            failures += 1
            print(f"{data}: exit code {run.returncode}, saved {list(work.glob('crash-*'))}:\n{run.stderr[-2500:]}")
sys.exit(1 if failures else 0)
