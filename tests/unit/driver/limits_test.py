"""A machine that is too small is not a bug of the program: one clear line, exit code 99, no report.

usage: limits_test.py TARGET
"""
import resource
import subprocess
import sys

GIB = 1 << 30
# What runs out first with the larger one, a thread's stack or what heddle keeps of it, depends on a few bytes.
EXPECTED = {2: ("cannot reserve memory",), 36: ("the system cannot create thread", "cannot reserve memory")}

failures = 0
for gib, lines in EXPECTED.items():
    result = subprocess.run([sys.argv[1], "-runs=2"], capture_output=True, text=True, timeout=300,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (gib * GIB, gib * GIB)))
    said = [output for output in result.stderr.splitlines() if any(line in output for line in lines)]
    if result.returncode != 99 or len(said) != 1 or "SUMMARY" in result.stderr:
        failures += 1
        print(f"with {gib} GiB of address space: exit code {result.returncode}, expected 99 and one line of {lines}:\n{result.stderr}")
sys.exit(1 if failures else 0)
