#!/usr/bin/env python3
"""Runs one program of tests/programs and checks what its first line expects.

fail: from an empty corpus, with several seeds, the finding must come within the budget of executions, with its name in the
SUMMARY line and an input saved; the saved input of the first seed must then give the same finding and the same trace in three fresh
processes, and those of the others the same finding in one.
pass: the given number of executions, with the mutators on, must end without a report.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


# Findings that heddle names: the word in a program's header -> the word in the report. All others are a sanitizer's.
HEDDLE_NAMES = {
    "deadlock": "deadlock",
    "blocked_threads": "blocked-threads",
    "lost_wakeup": "lost-wakeup",
    "livelock": "livelock",
    "endless_threads": "endless-threads",
    "unlock_not_owner": "unlock-by-non-owner",
    "unlock_not_locked": "unlock-of-unlocked",
    "double_lock": "double-lock",
    "destroy_held": "destroy-while-held",
    "destroy_waited": "destroy-while-waited-on",
    "use_after_destroy": "use-after-destroy",
    "use_before_init": "use-before-init",
    "join_self": "join-of-self",
    "double_join": "double-join",
    "send_on_closed_channel": "send-on-closed-channel",
    "close_of_closed_channel": "close-of-closed-channel",
    "close_of_nil_channel": "close-of-nil-channel",
    "negative_wait_group": "negative-wait-group",
    "wait_group_misuse": "wait-group-misuse",
    "broken_pipe": "broken-pipe",
    "mixed_deadlock": "mixed-deadlock",
    "data_race": "data-race",
    "assertion": "assertion-failure",
    "crash": "crash",
    "unsupported": "unsupported-call",
    "exit_code": "exit-code",
}


def summary_pattern(name):
    if name == "leak":
        return r"SUMMARY: AddressSanitizer: \d+ byte\(s\) leaked\b"
    if name in HEDDLE_NAMES:
        return rf"SUMMARY: HeddleSanitizer: {HEDDLE_NAMES[name]}\b"
    return rf"SUMMARY: (?:Address|UndefinedBehavior|Heddle)Sanitizer: {re.escape(name)}\b"


def parse_header(source, number=1):
    line = source.read_text().splitlines()[number - 1]
    fields = {}
    for word in shlex.split(line)[2:]:
        key, _, value = word.partition("=")
        fields[key] = value
    return fields


class Failure(Exception):
    pass


class Program:
    def __init__(self, arguments, fields):
        self.binary = os.path.abspath(arguments.binary)
        self.trace_tool = os.path.abspath(arguments.trace_tool)
        self.work = arguments.work
        self.fields = fields

    def run(self, options, extra=(), timeout=240):
        environment = dict(os.environ)
        parts = ["symbolize=0"] + [p for p in (self.fields.get("options", ""), extra and ":".join(extra)) if p]
        environment["HEDDLE_OPTIONS"] = ":".join(parts)
        environment.pop("ASAN_OPTIONS", None)
        environment["UBSAN_OPTIONS"] = "symbolize=0"  # libFuzzer's own stack is not needed here
        done = subprocess.run([self.binary, *options], env=environment, cwd=self.work, capture_output=True, timeout=timeout)
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")

    def search(self, seed, budget):
        """Runs the fuzzer from nothing; returns (exit code, output, saved inputs)."""
        prefix = self.work / f"seed{seed}-"
        code, output = self.run([f"-seed={seed}", f"-runs={budget}", f"-artifact_prefix={prefix}", "-print_final_stats=1",
                                 "-timeout=20", "-verbosity=1"] + [o for o in self.fields.get("engine", "").split(",") if o])
        return code, output, sorted(self.work.glob(f"seed{seed}-*"))


def summary_of(output):
    lines = re.findall(r"^SUMMARY:.*$", output, re.MULTILINE)
    return lines[0] if lines else None


def executions(output):
    # libFuzzer prints no figures where the program has broken its heap before the finding.
    found = re.search(r"stat::number_of_executed_units:\s+(\d+)", output) or re.search(r"^Found in execution (\d+) of", output, re.M)
    return int(found.group(1)) if found else None


def tail(output, lines=40):
    return "\n".join(output.splitlines()[-lines:])


def expect_pass(program):
    runs = int(program.fields.get("runs", "1000"))
    code, output, saved = program.search(1, runs)
    if code != 0 or summary_of(output) or saved:
        raise Failure(f"exit code {code}, saved {[p.name for p in saved]}:\n{tail(output, 60)}")
    notes = re.findall(r"^heddle: note: memory=.*$", output, re.MULTILINE)
    note = program.fields.get("note")
    if len(notes) != (note is not None) or (notes and note not in notes[0]):
        raise Failure(f"notes {notes} instead of {'one with ' + note if note else 'none'}")
    done = executions(output)
    if done is not None and done < runs:
        raise Failure(f"only {done} of {runs} executions:\n{tail(output)}")
    print(f"passed {done} executions")


def expect_finding(program, wanted):
    pattern = "|".join(f"(?:{summary_pattern(name)})" for name in wanted)
    budget = int(program.fields.get("budget", "2000"))
    for seed in range(1, 1 + int(program.fields.get("seeds", "3"))):
        code, output, saved = program.search(seed, budget)
        summary = summary_of(output)
        if code == 0 or summary is None:
            raise Failure(f"seed {seed}: nothing found in {budget} executions (exit code {code}):\n{tail(output)}")
        if not re.search(pattern, summary):
            raise Failure(f"seed {seed}: found '{summary}' instead of {'|'.join(wanted)}:\n{tail(output, 60)}")
        if output.count("The interleaving, one column per thread") > 1:
            raise Failure(f"seed {seed}: told more than once:\n{tail(output, 100)}")
        if len(saved) != 1:
            raise Failure(f"seed {seed}: {len(saved)} inputs saved instead of one:\n{tail(output)}")
        print(f"seed {seed}: {summary} after {executions(output)} executions")
        check_replay(program, seed, saved[0], summary, pattern)


def check_replay(program, seed, saved, summary, pattern):
    traces = []
    for n in range(3 if seed == 1 else 1):
        trace = program.work / f"trace{seed}.{n}"
        code, output = program.run([str(saved)], extra=[f"trace_path={trace}"])
        again = summary_of(output)
        if code == 0 or again is None or not re.search(pattern, again):
            raise Failure(f"seed {seed}: replay {n} of {saved.name} gave '{again}', exit code {code}, not '{summary}':\n{tail(output)}")
        if not trace.exists():
            raise Failure(f"seed {seed}: replay {n} wrote no trace")
        traces.append(trace)
    if len(traces) == 1:
        return
    compared = subprocess.run([program.trace_tool, "compare", *traces], capture_output=True, text=True)
    if compared.returncode != 0:
        raise Failure(f"seed {seed}: replays differ: {compared.stdout}{compared.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--trace-tool", required=True)
    parser.add_argument("--line", type=int, default=1, help="the line of the source that says what is expected")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="scratch directory; emptied first")
    parser.add_argument("--seeds", help="in the place of the program's own number")
    parser.add_argument("--runs", help="the same")
    arguments = parser.parse_args()
    fields = parse_header(arguments.source, arguments.line)
    fields.update({key: value for key in ("seeds", "runs") if (value := getattr(arguments, key))})
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    program = Program(arguments, fields)
    wanted = fields["expect"].split("|")
    try:
        if wanted == ["pass"]:
            expect_pass(program)
        else:
            expect_finding(program, wanted)
    except Failure as failure:
        print(f"{arguments.source.name}: {failure}")
        return 1
    except subprocess.TimeoutExpired as hang:
        print(f"{arguments.source.name}: no end after {hang.timeout} s:\n{tail((hang.stderr or b'').decode(errors='replace'))}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
