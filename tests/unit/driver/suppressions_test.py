"""HEDDLE_OPTIONS=suppressions=FILE and __tsan_default_suppressions(): what is suppressed is no finding, and what comes after it is found.

usage: suppressions_test.py HEDDLE_CLANG++ SOURCE_DIRECTORY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

wrapper, source = sys.argv[1], pathlib.Path(sys.argv[2]) / "suppressions_target.cc"
failures = []


def expect(what, condition, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output}")


def build(target, *flags):
    made = subprocess.run([wrapper, "-UNDEBUG", "-g", *flags, source, "-o", target], capture_output=True, text=True, timeout=300)
    if made.returncode != 0:
        sys.exit(made.stderr)


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    plain, default = work / "suppressed_module", work / "with_default"
    build(plain)
    build(default, "-DHEDDLE_TEST_DEFAULT")

    def run(target, bugs, lines=None, file=None, options="report_races=1:stats=1"):
        if lines is not None:
            file = work / "list"
            file.write_text(lines)
        if file is not None:
            options += f":suppressions={file}"
        done = subprocess.run([target, "-runs=2000", "-seed=1", f"-artifact_prefix={work}/"], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "HEDDLE_OPTIONS": options, "HEDDLE_TEST": bugs})
        return done.returncode, done.stderr

    # Without it, each of them is found: else nothing below would show anything.
    for bug, name in ("race", "data-race"), ("deadlock", "deadlock"), ("assert", "assertion-failure"):
        code, output = run(plain, bug)
        expect(f"{bug}: found", code != 0 and f"SUMMARY: HeddleSanitizer: {name} " in output, output)

    for line in ("race:count_up", "race:suppressions_target.cc", "race:^suppressed_counter$", "race_top:^app::Counters::count_up$", "race:Counters::*up", "data-race:count_up",
                 "called_from_lib:suppressed_module", "race:suppressed_module"):
        code, output = run(plain, "race", f"# a comment\n\n{line}\n")
        expect(f"'{line}' suppresses the race", code == 0 and "SUMMARY" not in output, output)
        counts = [int(said.split()[2]) for said in output.splitlines() if said.startswith("heddle: suppressed: ") and said.endswith(f" {line}")]
        expect(f"'{line}' is counted", len(counts) == 1 and counts[0] > 0, output)
        code, output = run(plain, "race assert", f"{line}\n")
        expect(f"behind '{line}' the assertion is found", code != 0 and "SUMMARY: HeddleSanitizer: assertion-failure " in output, output)

    for line in ("race:some_other_function", "race:^count$", "deadlock:count_up", "called_from_lib:libelsewhere.so", "race_top:heddle_body"):
        code, output = run(plain, "race", f"{line}\n")
        expect(f"'{line}' does not suppress the race", code != 0 and "SUMMARY: HeddleSanitizer: data-race " in output, output)
        expect(f"'{line}' is not counted", "heddle: suppressed: " not in output, output)

    for line in ("race:count_up", "race:suppressions_target.cc"):
        code, output = run(plain, "race", f"{line}\n", options="report_races=1:symbolize=0")
        expect(f"'{line}' suppresses the race without source lines in reports", code == 0 and "SUMMARY" not in output, output)

    code, output = run(plain, "deadlock", "deadlock:lock_both\n")
    expect("the deadlock is suppressed", code == 0 and "SUMMARY" not in output and " deadlock:lock_both\n" in output, output)
    code, output = run(plain, "race deadlock", "race:count_up\n")
    expect("behind the race the deadlock is found", code != 0 and "SUMMARY: HeddleSanitizer: deadlock " in output, output)
    code, output = run(plain, "assert", "called_from_lib:*\n")
    expect("a failed assertion cannot be suppressed", code != 0 and "SUMMARY: HeddleSanitizer: assertion-failure " in output, output)

    code, output = run(default, "race")
    expect("the program's own list", code == 0 and "SUMMARY" not in output and " race:count_up\n" in output, output)
    code, output = run(default, "race deadlock", "deadlock:lock_both\n")
    expect("the program's own list and a file", code == 0 and "SUMMARY" not in output, output)

    for name, lines, why in (("no colon", "race:a\ncount_up\n", ":2: expected type:pattern: 'count_up'"), ("a wrong type", "rice:a\n", ":1: unknown type"),
                             ("no pattern", "race:\n", ":1: no pattern: 'race:'")):
        code, output = run(plain, "race", lines)
        said = [line for line in output.splitlines() if line.startswith("heddle: ")]
        expect(name, code == 2 and len(said) == 1 and said[0].startswith(f"heddle: suppressions: {work}/list{why}"), output)
    (work / "beside").write_text("race:count_up\n")
    code, output = run(plain, "race", file="beside")
    expect("a file beside the program", code == 0 and "SUMMARY" not in output, output)
    code, output = run(plain, "race", file=work / "absent")
    said = [line for line in output.splitlines() if line.startswith("heddle: ")]
    expect("a file that is not there", code == 2 and said == [f"heddle: suppressions: cannot read the file '{work}/absent'"], output)
    code, output = run(plain, "race", file=work)
    expect("a directory", code == 2 and f"cannot read the file '{work}'" in output, output)

sys.exit(1 if failures else 0)
