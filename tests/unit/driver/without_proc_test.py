"""Where /proc is not mounted, a target finds its symbols by the name that it was started with, and claims nothing that is not so.

usage: without_proc_test.py TARGET
Skipped (exit code 77) where a process cannot have mounts of its own.
"""
import pathlib
import subprocess
import sys

target = pathlib.Path(sys.argv[1]).resolve()
HIDDEN = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]

if subprocess.run([*HIDDEN, "true"], capture_output=True).returncode != 0:
    print("no mounts of its own")
    sys.exit(77)
failures = 0
for directory, name, expected in ((target.parent, "./" + target.name, True), (pathlib.Path("/"), str(target), True)):
    result = subprocess.run([*HIDDEN, name, "-runs=50", "-seed=1"], cwd=directory, capture_output=True, text=True, timeout=300)
    if result.returncode != 0 or "stripped" in result.stderr or "cannot be read" in result.stderr:
        failures += 1
        print(f"{name}: exit code {result.returncode}\n{result.stderr}")
sys.exit(1 if failures else 0)
