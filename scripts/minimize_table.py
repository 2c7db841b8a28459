#!/usr/bin/env python3
"""What heddle minimize makes of the programs of tests/programs/fail, as a table in Markdown.

For each program the fuzzer searches for its finding (libFuzzer's -seed=1), and the saved input is minimized. A row has the switches of threads,
the constraints and the data bytes before and after, the executions and the seconds. Programs whose finding does not come, or cannot be
minimized, are listed below with the reason. Then a summary.
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

ROWS = {"switches": "thread switches", "constraints": "constraints", "data": "data bytes", "operations": "operations"}


def find(binary, fields, seed, work):
    """The saved input of a search."""
    environment = dict(os.environ, HEDDLE_OPTIONS=":".join(["symbolize=0"] + [o for o in [fields.get("options")] if o]), UBSAN_OPTIONS="symbolize=0")
    saved = work / "crash"
    subprocess.run([binary, f"-seed={seed}", f"-runs={fields.get('budget', '2000')}", f"-exact_artifact_path={saved}", "-timeout=20"],
                   env=environment, cwd=work, capture_output=True, timeout=600)
    return saved if saved.exists() else None


def measure(arguments, program):
    source = next(path for path in (PROGRAMS / "fail" / (program + suffix) for suffix in (".cc", ".c")) if path.exists())
    binary = arguments.binaries / ("program_fail_" + program.replace("/", "_"))
    fields = run_program.parse_header(source)
    if not binary.exists():
        return program, "not built"
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        saved = find(binary.resolve(), fields, arguments.seed, work)
        if saved is None:
            return program, "nothing found"
        kept = work / "small"
        done = subprocess.run([arguments.heddle, "minimize", binary.resolve(), saved, "-o", kept, "--no-table",
                               *([f"--seconds={arguments.seconds}"] if arguments.seconds else [])],
                              capture_output=True, text=True, cwd=work, env=dict(os.environ, HEDDLE_OPTIONS=fields.get("options", "")))
        if done.returncode != 0:
            return program, (done.stderr.strip().splitlines() or ["?"])[-1].replace(str(binary.resolve()), binary.name)
        row = {}
        for name, words in ROWS.items():
            row[name] = tuple(map(int, re.search(rf"^  {words} +(\d+) +(\d+)$", done.stdout, re.M).groups()))
        executions, seconds = re.search(r"^  (\d+) executions in ([\d.]+) s", done.stdout, re.M).groups()
        row["executions"], row["seconds"], row["cut"] = int(executions), float(seconds), "stopped by" in done.stdout
        row["text"] = subprocess.run([arguments.heddle, "show", kept], capture_output=True, text=True).stdout
        return program, row


def print_summary(rows):
    def share(words, holds):
        print(f"- {words}: {sum(map(bool, map(holds, rows)))} of {len(rows)}")

    share("nothing but the strategy", lambda r: r["constraints"][1] == 0)
    share("at most 1 constraint", lambda r: r["constraints"][1] <= 1)
    share("at most 2 constraints", lambda r: r["constraints"][1] <= 2)
    share("at most 4 constraints", lambda r: r["constraints"][1] <= 4)
    share("fewer switches than before", lambda r: r["switches"][1] < r["switches"][0])
    share("without a seed", lambda r: "seed" not in r["text"] and "strategy nonpreemptive" in r["text"])
    share("stopped by a limit", lambda r: r["cut"])
    for key in ("switches", "constraints", "data"):
        print(f"- {ROWS[key]}: {sum(r[key][0] for r in rows)} before, {sum(r[key][1] for r in rows)} after")
    print(f"- executions: median {statistics.median(r['executions'] for r in rows):g}, most {max(r['executions'] for r in rows)}")
    print(f"- seconds: median {statistics.median(r['seconds'] for r in rows):g}, most {max(r['seconds'] for r in rows)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=["*/*"], help="as condvar/late_notify or 'kernels/*' (default: all)")
    parser.add_argument("--heddle", type=pathlib.Path, default=ROOT / "build" / "bin" / "heddle")
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build" / "tests" / "programs" / "bin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, help="limit of heddle minimize")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--schedules", action="store_true", help="print the schedules, too")
    arguments = parser.parse_args()
    arguments.heddle = arguments.heddle.resolve()
    names = [name for pattern in arguments.programs
             for name in sorted(str(p.relative_to(PROGRAMS / "fail").with_suffix("")) for s in (".cc", ".c") for p in (PROGRAMS / "fail").glob(pattern + s))]
    rows, failed = [], []
    print("| program | thread switches | constraints | data bytes | executions | seconds |\n| --- | --- | --- | --- | --- | --- |")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for program, row in pool.map(lambda name: measure(arguments, name), names):
            if isinstance(row, str):
                failed.append((program, row))
                continue
            rows.append(row)
            cells = ["{} -> {}".format(*row[key]) for key in ("switches", "constraints", "data")]
            print(f"| `{program}` | {' | '.join(cells)} | {row['executions']}{'+' if row['cut'] else ''} | {row['seconds']} |", flush=True)
            if arguments.schedules:
                print("\n".join("    " + line.split(" //")[0] for line in row["text"].splitlines()[1:]), flush=True)
    for program, reason in failed:
        print(f"- `{program}`: {reason}")
    if rows:
        print_summary(rows)


if __name__ == "__main__":
    main()
