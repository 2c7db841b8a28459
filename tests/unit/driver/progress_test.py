#!/usr/bin/env python3
"""The line that says how much is left to try (HEDDLE_OPTIONS=progress=SECONDS): its figures for programs whose orders, races and places
are known, how often it comes, and that 0 switches it off. progress_test.py ORDERS RACES PROGRAM SERVICE"""
import concurrent.futures
import os
import re
import subprocess
import sys
import time

ORDERS, RACES, PROGRAM, SERVICE = sys.argv[1:]
LINE = re.compile(r"^heddle: (\d+) executions: (\d+) different orders, (\S+) % of the next have a new one; "
                  r"(?:(\d+) of (\d+) racing pairs in both orders|no racing pairs); (\d+) of (\d+) places never in conflict$", re.M)


def run(target, seconds, *arguments, options=""):
    begin = time.monotonic()
    done = subprocess.run([target, "-seed=1", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200,
                          env=dict(os.environ, HEDDLE_OPTIONS=f"progress={seconds}{options}"))
    if done.returncode != 0:
        sys.exit(f"{target} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return time.monotonic() - begin, LINE.findall(done.stdout), done.stdout


def check(holds, what, output):
    if not holds:
        sys.exit(f"{what}:\n{output[-3000:]}")


def main():
    with concurrent.futures.ThreadPoolExecutor() as pool:
        forked = pool.submit(run, PROGRAM, 1, "-max_total_time=8", options=":restore=fork")
        service = pool.submit(run, SERVICE, 1, "-max_total_time=4")
        runs = [pool.submit(run, target, seconds, "-max_total_time=4") for target, seconds in ((ORDERS, 1), (RACES, 1), (ORDERS, 0))]
        orders, races, none = [r.result() for r in runs]
    for elapsed, lines, output in orders, races:
        check(len(lines) >= 2, "lines are missing", output)
        # libFuzzer may come too late, but no second has two lines.
        check(len(lines) <= elapsed, f"{len(lines)} lines in {elapsed:.1f} seconds", output)
        executions = [int(line[0]) for line in lines]
        check(executions == sorted(set(executions)), "the executions do not grow", output)
        total = int(re.search(r"Done (\d+) runs", output)[1])
        check(0 < executions[0] and executions[-1] <= total, f"more executions than the {total} that there were", output)
    _, lines, output = orders
    check(all(line[1:] == ("6", "0", "", "", "1", "3") for line in lines), "six orders, no race, one of three places only main's", output)
    _, lines, output = races
    check(all(line[3:6] == ("1", "1", "1") for line in lines), "one race in both orders, one place only main's", output)
    check(all(int(line[1]) > 6 for line in lines), "a race has orders, too", output)
    _, lines, output = forked.result()
    check(lines and lines[-1][1] in "23456", "forked executions have orders, too", output)
    _, lines, output = service.result()
    check(not lines and "no order counted: threads can still run at the end; " in output, "executions with a thread that sleeps at the end have no orders", output)
    check(not none[1], "progress=0 prints lines", none[2])
    print("progress: ok")


if __name__ == "__main__":
    main()
