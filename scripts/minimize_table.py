#!/usr/bin/env python3
"""What heddle minimize makes of the programs of tests/programs/fail, as a table in Markdown.

For each program the fuzzer searches for its finding (libFuzzer's -seed=1), and the saved input is minimized. A row has the switches of threads,
the constraints and the data bytes before and after, the executions and the seconds. Programs whose finding does not come, or cannot be
minimized, are listed below with the reason. Then a summary.
"""
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
    for key in ("switches", "constraints", "data"):
        print(f"- {ROWS[key]}: {sum(r[key][0] for r in rows)} before, {sum(r[key][1] for r in rows)} after")
    print(f"- executions: median {statistics.median(r['executions'] for r in rows):g}, most {max(r['executions'] for r in rows)}")
    print(f"- seconds: median {statistics.median(r['seconds'] for r in rows):g}, most {max(r['seconds'] for r in rows)}")


def main():
    parser = program_table.make_parser(__doc__)
    parser.add_argument("--seconds", type=int, help="limit of heddle minimize")
    parser.add_argument("--schedules", action="store_true", help="print the schedules, too")
    arguments = parser.parse_args()

    def command(work):
        return ["minimize", "-o", work / "small", "--no-table", *([f"--seconds={arguments.seconds}"] if arguments.seconds else [])]

    def row_of(output, _, work):
        row = {name: tuple(map(int, re.search(rf"^  {words} +(\d+) +(\d+)$", output, re.M).groups())) for name, words in ROWS.items()}
        executions, seconds = re.search(r"^  (\d+) executions in ([\d.]+) s", output, re.M).groups()
        row["executions"], row["seconds"], row["cut"] = int(executions), float(seconds), "stopped by" in output
        row["text"] = subprocess.run([arguments.heddle, "show", work / "small"], capture_output=True, text=True).stdout
        return row

    def print_row(program, row):
        cells = ["{} -> {}".format(*row[key]) for key in ("switches", "constraints", "data")]
        print(f"| `{program}` | {' | '.join(cells)} | {row['executions']}{'+' if row['cut'] else ''} | {row['seconds']} |", flush=True)
        if arguments.schedules:
            print("\n".join("    " + line.split(" //")[0] for line in row["text"].splitlines()[1:]), flush=True)

    columns = ["program", "thread switches", "constraints", "data bytes", "executions", "seconds"]
    program_table.print_table(arguments, columns, command, row_of, print_row, print_summary)


if __name__ == "__main__":
    main()
