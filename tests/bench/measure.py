#!/usr/bin/env python3
"""Measures the bench programs and prints one table. measure.py BUILD_DIRECTORY SECONDS_PER_FIGURE

Executions a second are those of whole libFuzzer runs, the start of the process taken off. All figures of a table come from one
call, one after the other; on one core, processor time counts, so that other load on the machine matters little. Compare them
with each other, not with those of another machine.
"""
import os
import pathlib
import resource
import subprocess
import sys
import time

build, seconds = pathlib.Path(sys.argv[1]), float(sys.argv[2])
folder = next(p for p in (build / "tests" / "bench", build) if p.exists())
core = sorted(os.sched_getaffinity(0))[-1]
STRATEGIES = {"round robin": 1, "random walk": 2, "sticky": 3, "PCT": 4, "POS": 5, "SURW": 6}


def timed(binary, runs, pinned, clock=False):
    """Seconds that so many executions take: of processor time on one core, else, or if asked for, by the clock."""
    command = [folder / binary, f"-runs={runs}", "-seed=1", "-verbosity=0", "-rss_limit_mb=0"]
    before, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                          preexec_fn=(lambda: os.sched_setaffinity(0, {core})) if pinned else None)
    if done.returncode != 0:
        sys.exit(f"{binary}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    if clock or not pinned:
        return time.monotonic() - before
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def executions_per_second(binary, pinned=True, clock=False):
    """Grows the number of executions until they take the time asked for."""
    start = min(timed(binary, 1, pinned, clock) for _ in range(3))
    runs = 1000
    while True:
        taken = timed(binary, runs, pinned, clock) - start
        if taken >= seconds * 0.7:
            return runs / taken
        runs = int(runs * min(20, max(1.5, seconds / max(taken, 0.001))))


def scale(shape, threads, operations, strategy=2, asan=""):
    done = subprocess.run([folder / f"bench_scale{asan}", *map(str, (shape, threads, operations, strategy, seconds / 4))],
                          capture_output=True, text=True, errors="replace",
                          preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if done.returncode != 0:
        return None
    return float(done.stdout.split()[-1])


def show(what, value, unit, note=""):
    print(f"| {what} | {value} | {unit} | {note} |", flush=True)


def fuzzing(asan):
    label = ", ASan" if asan else ""
    empty = executions_per_second(f"bench_empty_plain{asan}")
    show(f"empty target, libFuzzer alone{label}", f"{empty:,.0f}", "runs/s")
    rate = executions_per_second(f"bench_empty_heddle{asan}")
    show(f"empty target, heddle{label}", f"{rate:,.0f}", "runs/s", f"1/{empty / rate:.1f} of empty")
    for program, name in (("three_threads", "three threads, 25 operations"), ("thousand", "four threads, 1,000 operations")):
        # A core on which real threads start and end is idle in between, which processor time leaves out.
        real, by_clock = (max(executions_per_second(f"bench_{program}_plain{asan}", pinned, clock) for pinned in (True, False)) for clock in (False, True))
        show(f"{name}, real threads{label}", f"{real:,.0f}", "runs/s", f"the better of one core and all cores; by the clock {by_clock:,.0f}")
        rate = executions_per_second(f"bench_{program}_heddle{asan}")
        clock_rate = executions_per_second(f"bench_{program}_heddle{asan}", clock=True)
        show(f"{name}, heddle{label}", f"{rate:,.0f}", "runs/s",
             f"{rate / real:.1f} times real threads, {clock_rate / by_clock:.1f} by the clock; 1/{empty / rate:.1f} of empty; {1e6 / rate:.2f} us a run")


def growth(asan):
    label = ", ASan" if asan else ""
    for operations in (10, 100, 1_000, 10_000, 50_000):
        for shape, name in ((0, "one atomic"), (2, "one mutex")):
            ns = scale(shape, 2, operations, asan=asan)
            total = 2 * operations
            show(f"{name}, 2 threads, {total:,} operations{label}", "-" if ns is None else f"{ns / total:,.1f}", "ns/operation",
                 "the ends of threads and of the run are in it")
    for threads in (2, 10, 50, 100, 200):
        ns = scale(0, threads, 2000 // threads * 5, asan=asan)
        total = threads * (2000 // threads * 5)
        show(f"one atomic, {threads} threads, {total:,} operations{label}", "-" if ns is None else f"{ns / total:,.1f}", "ns/operation")


def single_costs():
    long, short = scale(1, 1, 20_000), scale(1, 1, 10_000)
    show("visible operation, one thread", f"{(long - short) / 10_000:.1f}", "ns", "no switch")
    long, short = scale(3, 2, 10_000, strategy=1), scale(3, 2, 5_000, strategy=1)
    show("yield and switch, two threads", f"{(long - short) / 10_000:.1f}", "ns", "recorded, round robin")
    for name, strategy in STRATEGIES.items():
        long, short = scale(0, 3, 4_000, strategy), scale(0, 3, 2_000, strategy)
        show(f"visible operation, three threads, {name}", f"{(long - short) / 6_000:.1f}", "ns", "recorded, ordered, with feedback")


KERNELS = ("sort_integers", "sort_strings", "matrices", "hash_map", "ordered_map", "strings", "parse", "list", "hash_blocks", "virtuals")


def kernel_seconds(binary, kernel, executions=None):
    """Processor time of one round of a kernel of plain_code.cc inside one execution, or in the mean of a campaign of so many."""
    what = [__file__] if executions is None else [f"-runs={executions}", "-seed=1", "-rss_limit_mb=0"]

    def taken(rounds):
        environment = dict(os.environ, HEDDLE_KERNEL=kernel, HEDDLE_ROUNDS=str(rounds))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([folder / binary, *what], env=environment, capture_output=True, check=True,
                       preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    rounds = 100 if executions is None else 1
    while taken(rounds) < seconds * 0.1:
        rounds *= 2
    return min(taken(3 * rounds) - taken(rounds) for _ in range(3)) / (2 * rounds * (executions or 1))


def plain_code():
    """What the instrumentation of plain accesses costs, at the same -O2: one thread, and a second one in an execution that is watched and in a campaign."""
    programs = (("plain", None), ("heddle", None), ("thread", None), ("thread", 2000))
    products = [1.0] * len(programs)
    for kernel in KERNELS:
        bare = kernel_seconds("bench_plain_code_bare", kernel)
        ratios = [kernel_seconds(f"bench_plain_code_{how}", kernel, executions) / bare for how, executions in programs]
        products = [p * r for p, r in zip(products, ratios)]
        show(f"plain code, {kernel}", f"{ratios[1]:.1f}", "times uninstrumented",
             f"{bare * 1e6:.1f} us there; coverage alone {ratios[0]:.1f}; in a second thread {ratios[2]:.1f}, in a campaign {ratios[3]:.1f}")
    mean = [p ** (1 / len(KERNELS)) for p in products]
    show("plain code, geometric mean", f"{mean[1]:.1f}", "times uninstrumented",
         f"coverage alone {mean[0]:.1f}; in a second thread {mean[2]:.1f}, in a campaign {mean[3]:.1f}")


def main():
    print("| what | figure | unit | |\n|---|---:|---|---|")
    fuzzing("")
    fuzzing("_asan")
    single_costs()
    plain_code()
    growth("")
    growth("_asan")


main()
