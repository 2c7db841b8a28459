"""A harness that ends the process is a finding, with source lines and the interleaving; a whole program's end is the end of an execution.

usage: exits_test.py HEDDLE_CLANG++ SOURCE_DIRECTORY
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from expectations import expect, failures

wrapper, source = sys.argv[1], pathlib.Path(sys.argv[2])


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)

    def build(target, name, *flags):
        made = subprocess.run([wrapper, "-std=c++20", "-g", "-O1", *flags, source / name, "-o", work / target], capture_output=True, text=True, timeout=300)
        if made.returncode != 0:
            sys.exit(made.stderr)
        return work / target

    def run(target, how, options="", *words):
        done = subprocess.run([target, *(words or ("-runs=300", "-seed=1", f"-artifact_prefix={work}/"))], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "HEDDLE_OPTIONS": options, "HEDDLE_TEST": how}, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr

    def finding(what, code, output, line):
        expect(what, code != 0 and re.search(r"SUMMARY: HeddleSanitizer: unexpected-exit \S+exits\.h:\d+", output), output)
        expect(f"{what}: where", line in output and re.search(r"#0 0x\w+ in exits::stop \S+exits\.h:\d+", output), output)
        expect(f"{what}: the interleaving", re.search(r"^ +\d+ .*lock exits::lock", output, re.M) and "*HERE: unexpected-exit" in output, output)

    harness, program = build("harness", "exits_harness.cc"), build("program", "exits_program.cc")
    for how, status in (("exit", 3), ("exit0", 0), ("_exit", 3), ("_Exit", 3), ("quick_exit", 3), ("err", 3), ("errx", 3)):
        code, output = run(harness, how)
        name = "exit" if how == "exit0" else how
        finding(how, code, output, f"main.1 calls {name}(), which would end the process with exit code {status}")
        expect(f"{how}: the input is saved", code == 77 and len(list(work.glob("crash-*"))) == 1, output)
        for crash in work.glob("crash-*"):
            code, output = run(harness, how, "", crash)
            finding(f"{how}, again", code, output, "main.1 calls")
            crash.unlink()
        expect(f"{how}: said before it ends", ("said" in output) == how.startswith("err"), output)
        code, output = run(harness, how, "exit_on_finding=0")
        expect(f"{how}: goes on", code == 0 and "Done 300 runs" in output and output.count("SUMMARY") == 1, output)
        for way in "process", "fork":
            code, output = run(program, how, f"restore={way}")
            expect(f"{how} of a program, {way}", code == 0 and "Done 300 runs" in output and "SUMMARY" not in output, output)
            if status:
                code, output = run(program, how, f"restore={way}:report_exit=1")
                expect(f"{how} of a program, {way}: reported", "SUMMARY: HeddleSanitizer: exit-code" in output and f"{name}() ends the program" in output, output)
    # What the C library calls by itself.
    code, output = run(harness, "error")
    finding("error", code, output, "main.1 ends the process, by a function of the C library")
    for way in "process", "fork":
        code, output = run(program, "error", f"restore={way}")
        finding(f"error of a program, {way}", code, output, "main.1 ends the process, by a function of the C library")
    code, output = run(build("asan", "exits_harness.cc", "--asan"), "exit")
    finding("ASan", code, output, "main.1 calls exit()")

sys.exit(1 if failures else 0)
