#!/usr/bin/env python3
"""What heddle explain says about the programs of tests/programs/fail, as a table in Markdown.

For each program the fuzzer searches for its finding (libFuzzer's -seed=1), and the saved input is
explained. A row has the verdict, the number of conditions, the counts, whether the explanation
names a line of what the passing twin does otherwise (the lines under FIXED, and those near them),
the executions and the seconds. Programs without an explanation are listed below with the reason.
"""
import collections
import re
import statistics

import program_table

VERDICTS = {"They are few": "few", "mostly comes": "mostly", "comes if and only if": "if and only if",
            "comes if ": "if", "does not depend on the order": "always",
            "No few conditions": "none", "Perhaps": "guess"}
NEAR = 3  # lines


def repaired_lines(source):
    """The numbers of the lines that depend on FIXED, and of those beside them."""
    out, depth = set(), 0
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if re.match(r"#\s*if.*\bFIXED\b", line):
            depth = 1
        elif depth and re.match(r"#\s*if", line):
            depth += 1
        elif depth and re.match(r"#\s*endif", line):
            depth -= 1
        if depth or "FIXED" in line:
            out.update(range(number - NEAR, number + NEAR + 1))
    return out


def parse(output, source):
    verdict = next(name for words, name in VERDICTS.items() if words in output)
    sentence = output.split("\n\n")[1]
    named = {int(n) for n in re.findall(r" at \S*?:(\d+)", sentence)}
    conditions = len(re.findall(r"^  \[\d+\]", output, re.M))
    row = {"verdict": verdict, "sentence": sentence, "named": named,
           "conditions": conditions or (verdict not in ("always", "none")),
           "threads": "Other threads can" in output,
           "counts": re.findall(r"(\d+) of (\d+) have the finding", output),
           "near": bool(named & repaired_lines(source))}
    executions, seconds = re.search(r"^  (\d+) executions in ([\d.]+) s", output, re.M).groups()
    row.update(executions=int(executions), seconds=float(seconds), cut="stopped by" in output)
    return row


def print_summary(rows):
    for verdict, count in collections.Counter(row["verdict"] for row in rows).most_common():
        near = sum(row["near"] for row in rows if row["verdict"] == verdict)
        print(f"- {verdict}: {count} of {len(rows)}, {near} of them name a line of the repair")
    print(f"- stopped by a limit: {sum(row['cut'] for row in rows)}")
    for key in ("executions", "seconds"):
        values = [row[key] for row in rows]
        print(f"- {key}: median {statistics.median(values):g}, most {max(values):g}")


def main():
    parser = program_table.make_parser(__doc__)
    parser.add_argument("--more", default="", help="more options for heddle explain")
    parser.add_argument("--sentences", action="store_true", help="print the explanations, too")
    arguments = parser.parse_args()

    def print_row(program, row):
        counts = ", ".join("/".join(pair) for pair in row["counts"])
        print(f"| `{program}` | {row['verdict']}{', any threads' if row['threads'] else ''} | "
              f"{row['conditions']} | {counts} | {'yes' if row['near'] else 'no'} | "
              f"{row['executions']}{'+' if row['cut'] else ''} | {row['seconds']} |", flush=True)
        if arguments.sentences:
            print("    " + row["sentence"].replace("\n", "\n    "), flush=True)

    columns = ["program", "the finding comes", "conditions", "findings counted", "at the repair", "executions", "seconds"]
    program_table.print_table(arguments, columns, lambda _: ["explain", *arguments.more.split()],
                              lambda output, source, _: parse(output, source), print_row, print_summary)


if __name__ == "__main__":
    main()
