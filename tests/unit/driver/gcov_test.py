#!/usr/bin/env python3
"""gcov's counters are not put back: they count all executions. gcov_test.py WRAPPER GCOV..."""
import pathlib
import re
import subprocess
import sys
import tempfile

WRAPPER, *GCOV = sys.argv[1:]
SOURCE = """#include <pthread.h>
#include <stddef.h>
static void* body(void* nothing) { return nothing; }
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, size_t) {
  pthread_t thread;
  pthread_create(&thread, nullptr, body, nullptr);
  pthread_join(thread, nullptr);  // counted
  return 0;
}
"""
EXECUTIONS = 5


def run(work, *command):
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, errors="replace", timeout=120)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    (work / "covered.cc").write_text(SOURCE)
    (work / "empty").write_bytes(b"")
    run(work, WRAPPER, "-O1", "-g", "--coverage", "-c", "covered.cc", "-o", "covered.o")
    run(work, WRAPPER, "--coverage", "covered.o", "-o", "covered")
    run(work, "./covered", *["empty"] * EXECUTIONS)
    run(work, *GCOV, "covered.gcda")
    line = next(line for line in (work / "covered.cc.gcov").read_text().splitlines() if "// counted" in line)
    count = re.match(r" *(\d+):", line)
    if count is None or int(count[1]) != EXECUTIONS:
        sys.exit(f"not counted in {EXECUTIONS} executions: {line}")
