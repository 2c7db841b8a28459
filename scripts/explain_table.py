#!/usr/bin/env python3
"""What heddle explain says about the programs of tests/programs/fail, as a table in Markdown.

For each program the fuzzer searches for its finding (libFuzzer's -seed=1), and the saved input is
explained, with the passing twin as the repaired build. A row has the verdict, the number of
conditions, the counts, what became of the conditions in the twin, the executions and the seconds.
Programs without an explanation are listed below with the reason.

The explanation is right if the repair removes what it names. In the twin
- gone: an operation that is named is not there any more,
- impossible: the operations are there, but never in this order, or they are on different objects,
- apart: no execution has all of these operations,
- changed: it can still be so, but a line that is named is one that the twin has otherwise.
- kept: none of that. Either the explanation is wrong, or the twin differs by something else than
  an order.
"""
import collections
import re
import statistics

import program_table

VERDICTS = {"conditions hold together": "chain", "They are few": "few", "in the only execution": "few", "mostly comes": "mostly", "Perhaps": "guess",
            "comes if and only if": "if and only if", "comes if ": "if",
            "does not depend on the order": "always", "A random byte decides": "random", "No few conditions": "none"}
RIGHT = ("gone", "impossible", "apart", "changed")


def changed_lines(source):
    """The lines that depend on FIXED, of the program and of the headers beside it: {(file, line)}."""
    out = set()
    for path in [source, *source.parent.glob("*.h")]:
        depth = 0
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"#\s*if.*\bFIXED\b", line):
                depth = 1
            elif depth and re.match(r"#\s*if", line):
                depth += 1
            elif depth and re.match(r"#\s*endif", line):
                depth -= 1
            if depth or "FIXED" in line:
                out.add((path.name, number))
    return out


def named_lines(sentence):
    """A place without a file is in the file of the one before."""
    out, file = set(), ""
    for name, line in re.findall(r" at ([^\s:]*):(\d+)", sentence):
        file = name or file
        out.add((file, int(line)))
    return out


def in_twin(output, source, sentence):
    row = re.search(r"^In .*: (?:(the operations of)|it was (?:so in (\d+) of|(never) so)|(none of))", output, re.M)
    if row is None:
        return "-"
    gone, held, never, apart = row.groups()
    if held is None:
        return "gone" if gone else "impossible" if never else "apart"
    return "changed" if named_lines(sentence) & changed_lines(source) else "kept"


def parse(output, source):
    verdict = next(name for words, name in VERDICTS.items() if words in output)
    sentence = output.split("\n\n")[1]
    conditions = len(re.findall(r"^  \[\d+\]", output, re.M))
    row = {"verdict": verdict, "sentence": sentence,
           "conditions": conditions or (verdict not in ("always", "none", "random")),
           "threads": "Other threads can" in output,
           "counts": re.findall(r"(\d+) of (\d+) have the finding", output),
           "twin": in_twin(output, source, sentence)}
    executions, seconds = re.search(r"^  (\d+) executions in ([\d.]+) s", output, re.M).groups()
    row.update(executions=int(executions), seconds=float(seconds), cut="stopped by" in output)
    return row


def print_summary(rows):
    for verdict, count in collections.Counter(row["verdict"] for row in rows).most_common():
        right = sum(row["twin"] in RIGHT for row in rows if row["verdict"] == verdict)
        print(f"- {verdict}: {count} of {len(rows)}, {right} of them right by the twin")
    twins = collections.Counter(row["twin"] for row in rows)
    print("- in the twin: " + ", ".join(f"{name} {count}" for name, count in twins.most_common()))
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
              f"{row['conditions']} | {counts} | {row['twin']} | "
              f"{row['executions']}{'+' if row['cut'] else ''} | {row['seconds']} |", flush=True)
        if arguments.sentences:
            print("    " + row["sentence"].replace("\n", "\n    "), flush=True)

    columns = ["program", "the finding comes", "conditions", "findings counted", "in the twin", "executions", "seconds"]
    program_table.print_table(arguments, columns, lambda _, twin: ["explain", *(["--repaired", twin] if twin.exists() else []), *arguments.more.split()],
                              lambda output, source, _: parse(output, source), print_row, print_summary)


if __name__ == "__main__":
    main()
