"""Thread-locals of libraries that a program opens are fresh for each thread of each execution.

usage: plugin_locals_test.py TARGET PLAIN INSTRUMENTED INITIAL_EXEC SHARED_BY_ALL
"""
import os
import subprocess
import sys

target, *libraries, shared = sys.argv[1:]
failures = 0


def run(library, **environment):
    return subprocess.run([target, "-runs=300", "-seed=1"], capture_output=True, text=True, errors="replace", timeout=300,
                          env={**os.environ, "HEDDLE_TEST_PLUGIN": library, **environment})


for library in libraries:
    for environment in ({}, {"HEDDLE_TEST_EARLY": "1"}, {"HEDDLE_TEST_CLOSE": "1"}):
        result = run(library, **environment)
        if result.returncode != 0 or "not fresh" in result.stderr:
            failures += 1
            print(f"FAILED: {library} {environment}: exit code {result.returncode}\n{result.stderr[-3000:]}")
# Where the variable is one for all threads, the same assertions fail.
if "assertion-failure" not in run(shared).stderr:
    failures += 1
    print("FAILED: a variable of all threads passes")
sys.exit(1 if failures else 0)
