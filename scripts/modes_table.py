#!/usr/bin/env python3
"""Runs to the bug: how many executions each mode needs for the programs of tests/programs/fail, as a table in Markdown.

Every cell is one program in one mode: the fuzzer is started from nothing once per seed (libFuzzer's -seed=1..N), and it is noted
how many executions it makes until the finding that the program's first line expects. Counted is from the first execution of
a schedule, the recorded run: libFuzzer executes the empty input first, only to see that it does not crash, and then runs the same default
schedule again as its corpus of one; of the two only one is counted. So run 2 is the first one that a mode has changed.

A cell is "median / worst"; "(n of N)": only so many seeds found it within the limit, and the worst is that of those; "-": more than the limit.
The last line is the geometric mean over the programs of the mean executions; a run that found nothing counts as the limit.
With --hidden, programs that the default schedule breaks are left out, and below the table are those on which the first mode needs
more than twice what the best of the others needs.
With --check FILE the cells that the file names are compared with what it expects: tests/programs/modes_expected.txt.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs"
sys.path.insert(0, str(PROGRAMS))
import run_program  # noqa: E402

SUFFIXES = (".cc", ".c")
MODES = ["gopie", "gopie-plus", "gopie-hb", "gfuzz", "gfuzz-hb", "flow", "rff", "execution-graphs", "exhaust", "random", "pct", "pos", "surw", "mixed"]


class Bench:
    def __init__(self, arguments, work):
        self.arguments = arguments
        self.work = work
        self.binaries = {}

    def source(self, program):
        for suffix in SUFFIXES:
            path = PROGRAMS / "fail" / (program + suffix)
            if path.exists():
                return path
        sys.exit(f"modes_table.py: no program '{program}' in {PROGRAMS / 'fail'}")

    def build(self, program):
        """The binary of a program such as seeds/two_sends_one: from the build tree, or made by the wrapper."""
        if program not in self.binaries:
            if self.arguments.binaries:
                binary = self.arguments.binaries / ("program_fail_" + program.replace("/", "_"))
                if not binary.exists():
                    sys.exit(f"modes_table.py: '{binary}' is not built")
                self.binaries[program] = binary
            else:
                binary = self.work / program.replace("/", "_")
                source = self.source(program)
                wrapper = str(self.arguments.wrapper)
                compiler = [wrapper.removesuffix("++")] if source.suffix == ".c" else [wrapper, "-std=c++20"]
                flags = run_program.parse_header(source).get("flags", "").split()
                subprocess.run([*compiler, "-UNDEBUG", *flags, source, "-o", binary], check=True)
                self.binaries[program] = binary
        return self.binaries[program].resolve()

    def run(self, program, mode, seed, limit):
        """Runs until the finding; None: not within `limit`."""
        fields = run_program.parse_header(self.source(program))
        options = ["symbolize=0", f"mode={mode}"] + [o for o in [fields.get("options")] if o]
        environment = dict(os.environ, HEDDLE_OPTIONS=":".join(options), UBSAN_OPTIONS="symbolize=0")
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            done = subprocess.run([self.build(program), f"-seed={seed}", f"-runs={limit + 1}", "-print_final_stats=1", "-timeout=60",
                                   f"-artifact_prefix={scratch}/"], env=environment, cwd=scratch, capture_output=True)
        output = (done.stdout + done.stderr).decode(errors="replace")
        summary = run_program.summary_of(output)
        if done.returncode == 0 and summary is None:
            return None
        wanted = "|".join(f"(?:{run_program.summary_pattern(name)})" for name in fields["expect"].split("|"))
        executed = run_program.executions(output)
        if summary is None or executed is None or not re.search(wanted, summary):
            raise run_program.Failure(f"{program} in mode {mode}, seed {seed}: '{summary}':\n{run_program.tail(output)}")
        return max(1, executed - 1)

    def cell(self, pool, program, mode, limit):
        seeds = range(1, 1 + self.arguments.seeds)
        return list(pool.map(lambda seed: self.run(program, mode, seed, limit), seeds))


def shown(runs, limit):
    found = [r for r in runs if r is not None]
    if not found:
        return "-"
    median = statistics.median(sorted(limit + 1 if r is None else r for r in runs))
    text = f"{median:g} / {max(found)}" if median <= limit else f"- / {max(found)}"
    return text if len(found) == len(runs) else f"{text} ({len(found)} of {len(runs)})"


def table(bench, pool, programs):
    arguments = bench.arguments

    def show(row):
        print("| " + " | ".join(row) + " |", flush=True)  # hours, for many programs

    show(["program"] + arguments.modes)
    show(["---"] * (1 + len(arguments.modes)))
    means = {mode: [] for mode in arguments.modes}
    slow, failures = [], []
    for program in programs:
        bench.build(program)
        try:
            if arguments.hidden and bench.run(program, arguments.modes[0], 1, 1) is not None:
                continue
            cells = [bench.cell(pool, program, mode, arguments.limit) for mode in arguments.modes]
        except run_program.Failure as failure:  # the others are worth their hours all the same
            failures.append(str(failure))
            continue
        show([f"`{program}`"] + [shown(cell, arguments.limit) for cell in cells])
        for mode, cell in zip(arguments.modes, cells):
            means[mode].append(statistics.mean(arguments.limit if r is None else r for r in cell))
        mine, *others = [means[mode][-1] for mode in arguments.modes]
        if arguments.hidden and others and mine > 2 * min(others):
            slow.append(f"`{program}`: {mine:.1f}, best other {min(others):.1f}")
    if len(programs) > 1:
        show(["geometric mean of the means"] + [f"{statistics.geometric_mean(means[mode]):.3g}" for mode in arguments.modes])
    if slow:
        print(f"\n{len(slow)} of {len(means[arguments.modes[0]])} programs over twice the best other mode:\n")
        print("\n".join(f"- {line}" for line in slow))
    for failure in failures:
        print(f"\nmodes_table.py: left out, since it did not end as its first line says: {failure}", file=sys.stderr)
    return 1 if failures else 0


def check(bench, pool, path):
    """Lines of the file: PROGRAM MODE N (found in N runs at most, for every seed) or PROGRAM MODE never LIMIT."""
    bad = 0
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        program, mode, bound = words[:3]
        limit = int(words[3] if bound == "never" else bound)
        bench.build(program)
        runs = bench.cell(pool, program, mode, limit)
        found = [r for r in runs if r is not None]
        if bound == "never":
            holds, expectation = not found, f"never in {limit} runs"
        else:
            holds, expectation = len(found) == len(runs), f"in {limit} runs with every seed"
        print(f"{'ok' if holds else 'NOT':3} {program} in mode {mode}: {shown(runs, limit)}, expected {expectation}")
        bad += not holds
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["seeds/*"], help="as seeds/two_sends_one or 'kernels/*' (default: seeds/*)")
    parser.add_argument("--modes", type=lambda s: s.split(","), default=MODES, help="separated by commas (default: all)")
    parser.add_argument("--seeds", type=int, default=20, help="1 to N (default: 20)")
    parser.add_argument("--limit", type=int, default=200, help="runs (default: 200)")
    parser.add_argument("--wrapper", type=pathlib.Path, default=ROOT / "build" / "bin" / "heddle-clang++", help="builds the programs")
    parser.add_argument("--binaries", type=pathlib.Path, help="where the build tree has put the programs, instead of building them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--hidden", action="store_true", help="only programs that the default schedule does not break")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE", help="compare with what is expected, and print no table")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        bench = Bench(arguments, pathlib.Path(work))
        try:
            if arguments.check:
                return check(bench, pool, arguments.check)
            names = []
            for pattern in arguments.programs:
                names += sorted(str(p.relative_to(PROGRAMS / "fail").with_suffix(""))
                                for suffix in SUFFIXES for p in (PROGRAMS / "fail").glob(pattern + suffix))
            return table(bench, pool, names)
        except run_program.Failure as failure:
            print(failure)
            return 1


if __name__ == "__main__":
    sys.exit(main())
