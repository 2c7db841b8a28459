#!/usr/bin/env python3
"""What heddle minimize makes of the programs of tests/programs/fail, as a table in Markdown.

For each program the fuzzer searches for its finding (libFuzzer's -seed=1), and the saved input is minimized. A row has the switches of threads,
the constraints and the data bytes before and after, the executions and the seconds. Programs whose finding does not come, or cannot be
minimized, are listed below with the reason. Then a summary.

With --compare (tests/programs/simplest_schedule), each result is compared with all simpler schedules, as one would write them by hand: with
fewer deviations from `nonpreemptive` than the result has constraints, and with fewer preemptions. A row then says whether there is one:
"=" no, "2 > 1" the result has 2 and 1 is enough, "?" too many to try them all.
"""
import os
import pathlib
import re
import statistics
import subprocess

import program_table

ROWS = {"switches": "thread switches", "constraints": "constraints", "data": "data bytes", "operations": "operations"}


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
    if "simplest" in rows[0]:
        for name in ("constraints", "preemptions"):
            share(f"no schedule with fewer {name}", lambda r: r["simplest"][name] == "=")
        share("none with fewer of either", lambda r: set(r["simplest"].values()) == {"="})
        share("not all simpler ones tried, and none found", lambda r: "?" in r["simplest"].values() and set(r["simplest"].values()) <= {"=", "?"})
    for key in ("switches", "constraints", "data"):
        print(f"- {ROWS[key]}: {sum(r[key][0] for r in rows)} before, {sum(r[key][1] for r in rows)} after")
    print(f"- executions: median {statistics.median(r['executions'] for r in rows):g}, most {max(r['executions'] for r in rows)}")
    print(f"- seconds: median {statistics.median(r['seconds'] for r in rows):g}, most {max(r['seconds'] for r in rows)}")


def compare(tool, target, small, options):
    """{"constraints": "=", "preemptions": "2 > 1"}"""
    done = subprocess.run([tool, target, small], capture_output=True, text=True, env=dict(os.environ, HEDDLE_OPTIONS=options))
    if done.returncode != 0:
        raise program_table.NoRow((done.stderr.strip().splitlines() or ["?"])[-1])
    out = {}
    for name, has, least, cut in re.findall(r"^(\w+) (\d+) least (\d+)(\??)", done.stdout, re.M):
        out[name] = f"{has} > {least}" if least != has else "?" if cut else "="
    return out


def main():
    parser = program_table.make_parser(__doc__)
    parser.add_argument("--seconds", type=int, help="limit of heddle minimize")
    parser.add_argument("--compare", type=pathlib.Path, help="simplest_schedule: compare with simpler schedules")
    parser.add_argument("--schedules", action="store_true", help="print the schedules, too")
    arguments = parser.parse_args()

    def command(work, _):
        return ["minimize", "-o", work / "small", "--no-table", *([f"--seconds={arguments.seconds}"] if arguments.seconds else [])]

    def row_of(output, source, work):
        row = {name: tuple(map(int, re.search(rf"^  {words} +(\d+) +(\d+)$", output, re.M).groups())) for name, words in ROWS.items()}
        executions, seconds = re.search(r"^  (\d+) executions in ([\d.]+) s", output, re.M).groups()
        row["executions"], row["seconds"], row["cut"] = int(executions), float(seconds), "stopped by" in output
        row["text"] = subprocess.run([arguments.heddle, "show", work / "small"], capture_output=True, text=True).stdout
        if arguments.compare:
            binary, options = program_table.binary_and_options(arguments, source)
            row["simplest"] = compare(arguments.compare.resolve(), binary, work / "small", options)
        return row

    def print_row(program, row):
        cells = ["{} -> {}".format(*row[key]) for key in ("switches", "constraints", "data")]
        cells += [f"{row['executions']}{'+' if row['cut'] else ''}", str(row["seconds"]), *row.get("simplest", {}).values()]
        print(f"| `{program}` | {' | '.join(cells)} |", flush=True)
        if arguments.schedules:
            print("\n".join("    " + line.split(" //")[0] for line in row["text"].splitlines()[1:]), flush=True)

    columns = ["program", "thread switches", "constraints", "data bytes", "executions", "seconds"]
    columns += ["fewest constraints", "fewest preemptions"] if arguments.compare else []
    program_table.print_table(arguments, columns, command, row_of, print_row, print_summary)


if __name__ == "__main__":
    main()
