#!/usr/bin/env python3
"""Each call on descriptors, with a good buffer and with one that is too small: ASan must say so, and name the user's function.

Usage: bad_buffers.py BINARY"""
import os
import re
import subprocess
import sys

INSIDE = ["read", "readv", "recv", "recvfrom", "recvmsg", "write", "writev", "send", "sendto", "sendmsg", "fread", "fgets", "fwrite", "poll",
          "epoll_wait", "eventfd_read"]
OUTSIDE = ["read", "readv", "recv", "recvfrom", "recvmsg", "write", "writev", "send", "sendto", "sendmsg", "poll"]


def run(binary, call, bad, outside):
    environment = dict(os.environ, HEDDLE_TEST_CALL=call)
    environment.pop("ASAN_OPTIONS", None)
    environment["HEDDLE_OPTIONS"] = "symbolize=0"
    if bad:
        environment["HEDDLE_TEST_BAD"] = "1"
    if outside:
        environment["HEDDLE_TEST_OUTSIDE"] = "1"
    done = subprocess.run([binary, "-runs=1", "-detect_leaks=0"], env=environment, capture_output=True, timeout=60)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def main():
    failures = 0
    for call, outside in [(c, False) for c in INSIDE] + [(c, True) for c in OUTSIDE]:
        code, output = run(sys.argv[1], call, False, outside)
        if code != 0:
            failures += 1
            print(f"{call}{' (outside)' if outside else ''}: exit code {code} with a good buffer:\n{output}")
        code, output = run(sys.argv[1], call, True, outside)
        stack = output.partition("ERROR: AddressSanitizer: heap-buffer-overflow")[2].partition("\n\n")[0]
        if code == 0 or not stack or not re.search(r"Calls::(receives|sends|waits)", stack):
            failures += 1
            print(f"{call}{' (outside)' if outside else ''}: no report of the bad buffer (exit code {code}):\n{output}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
