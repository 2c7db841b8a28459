#!/usr/bin/env python3
"""Weak memory: how many execution graphs each mode makes, and how fast. graphs.py BUILD_DIRECTORY [SEEDS]

Two tables. The first has the median number of distinct graphs (po, rf, mo) after 10,000 executions. The second has executions a second, of
processor time on one core, with the start of the process taken off, under sc and under rc11. BUILD_DIRECTORY was configured with
-DHEDDLE_BUILD_BENCH=ON and has the target bench.
"""
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys

build, seeds = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10
folder = next(p for p in (build / "tests" / "bench", build) if p.exists())
core = sorted(os.sched_getaffinity(0))[-1]
RUNS = 10_000
MODES = {"random": "mode=random", "mixed": "mode=mixed", "execution-graphs": "mode=execution-graphs"}


def run(program, options, runs, seed):
    """What it printed, and the processor time that it took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([folder / f"bench_{program}_heddle", f"-runs={runs}", f"-seed={seed}", "-verbosity=0", "-rss_limit_mb=0"],
                          capture_output=True, text=True, errors="replace", env=os.environ | {"HEDDLE_OPTIONS": options},
                          preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if done.returncode != 0:
        sys.exit(f"{program}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stderr, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def graphs(program, options, seed):
    text, _ = run(program, f"memory=rc11:stats=1:{options}", RUNS, seed)
    return int(re.search(r"(\d+) distinct graphs", text).group(1))


def speed(program, options, runs=40_000):
    start = min(run(program, options, 1, 1)[1] for _ in range(3))
    return runs / (min(run(program, options, runs, seed)[1] for seed in (1, 2)) - start)


print(f"| distinct graphs after {RUNS:,} executions | " + " | ".join(f"`{m}`" for m in MODES) + " |")
print("| --- " * (len(MODES) + 1) + "|")
for program in ("graphs_ladder", "graphs_mixed", "graphs_sums"):
    cells = (statistics.median(graphs(program, o, s) for s in range(1, seeds + 1)) for o in MODES.values())
    print(f"| `{program}` | " + " | ".join(f"{c:,.0f}" for c in cells) + " |", flush=True)

print("\n| executions a second | sc | rc11 | rc11, `execution-graphs` |\n| --- | --- | --- | --- |")
for program in ("graphs_store_buffer", "graphs_ladder", "three_threads"):
    cells = (speed(program, o) for o in ("memory=sc", "memory=rc11", "memory=rc11:mode=execution-graphs"))
    print(f"| `{program}` | " + " | ".join(f"{c:,.0f}" for c in cells) + " |", flush=True)
