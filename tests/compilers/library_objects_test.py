#!/usr/bin/env python3
"""heddle sees what two threads do to an object of the C++ library: its code is in headers, in a shared library, or in libFuzzer, too.

library_objects_test.py NAME WRAPPERS WORK [CASE...]: NAME as compilers.get() takes it, in C++17, where more of it is in the shared library than later. Each
case of library_objects.cc must have a race, and none with the lock. Of the CASEs no race is expected: they are limits (docs/reference/limits.md).
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

import compilers

SOURCE = pathlib.Path(__file__).resolve().parent / "library_objects.cc"
RUNS = 200


def races(target, case, locked):
    environment = {**os.environ, "CASE": str(case), "HEDDLE_OPTIONS": "report_races=1:symbolize=0"}
    if locked:
        environment["LOCKED"] = "1"
    done = subprocess.run([target, f"-runs={RUNS}", "-seed=1"], env=environment, cwd=target.parent, capture_output=True, text=True, errors="replace", timeout=120)
    return "SUMMARY: HeddleSanitizer: " in done.stderr


def main():
    compiler, wrappers, work, limits = compilers.get(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
    work.mkdir(parents=True, exist_ok=True)
    target = work / "library_objects"
    subprocess.run([compiler.wrapper(wrappers, SOURCE), "-std=c++17", *compiler.flags, SOURCE, "-o", target], env=compiler.environment(), check=True)
    names = subprocess.run([target], capture_output=True, text=True, check=True).stdout.split()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda n: races(target, n, False), range(len(names))))
        false = list(pool.map(lambda n: races(target, n, True), range(len(names))))
    wrong = [f"{n}: {'a' if f else 'no'} race" for n, f in zip(names, found) if f == (n in limits)]
    wrong += [f"{n}: a finding with the lock" for n, f in zip(names, false) if f]
    print("\n".join(wrong) if wrong else f"{len(names)} cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
