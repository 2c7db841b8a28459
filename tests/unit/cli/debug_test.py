#!/usr/bin/env python3
"""heddle debug from outside: debug_test.py HEDDLE TARGET FAKE_TARGET. TARGET is built with -g1: no types, no variables."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET, FAKE = sys.argv[1:4]


SOURCE = pathlib.Path(__file__).with_name("orders_target.cc").read_text().splitlines()


def place(text):
    """Of the only line with this text, as in a regular expression."""
    lines = [number for number, line in enumerate(SOURCE, 1) if text in line]
    assert len(lines) == 1, lines
    return r"orders_target\.cc:%d" % lines[0]


def may_debug():
    if shutil.which("gdb") is None:
        return False
    tried = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "--args", "/bin/true"], capture_output=True, text=True)
    return "exited normally" in tried.stdout


@unittest.skipUnless(may_debug(), "no gdb, or no permission to debug")
class Debug(CommandCase):
    def debug(self, file, *commands, target=TARGET):
        words = [word for command in commands for word in ("-c", command)]
        result = self.heddle("debug", target, file, *words)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def rows(self, file):
        """(step, thread's column) of each row of the report."""
        report = subprocess.run([TARGET, file, "-exact_artifact_path=again"], cwd=self.root, capture_output=True, text=True).stderr
        return [int(step) for step in re.findall(r"^ +(\d+)  ", report, re.MULTILINE)]

    def test_threads_and_stacks_at_a_deadlock(self):
        seen = self.debug(self.found(TARGET, "d"), "heddle threads", "heddle bt all")
        self.assertIn("heddle: deadlock, after step", seen)
        self.assertRegex(seen, r"(?m)^  main +parked +thread_join .*orders_target.cc:\d+$")
        self.assertRegex(seen, r"(?m)^  main.0 +parked +mutex_lock .*%s$" % place("second(b)"))
        self.assertRegex(seen, r"(?m)^  main.1 +parked +mutex_lock .*%s$" % place("second(a)"))
        self.assertRegex(seen, r"(?s)\nmain.1 \(parked\)\n.*deadlock.* at .*%s\n" % place("second(a)"))
        self.assertNotIn("heddle::rt::", seen[seen.index("main.1 (parked)"):])
        self.assertNotIn("fuzzer::", seen)  # where the engine waits says nothing
        self.assertIn("heddle: no thread runs. `heddle bt all` shows where they wait", seen)

    def test_an_assertion_stops_where_it_fails(self):
        seen = self.debug(self.found(TARGET, "u"), "heddle threads")
        self.assertRegex(seen, r"(?m)^\* main +running .*%s$" % place("assert(counter"))
        self.assertRegex(seen, r"(?m)^  main.0 +finished$")

    def test_the_body_of_a_fuzz_test_is_the_users(self):
        target = os.environ["FREED_TWICE"]
        seen = self.debug(self.found(target, ""), "heddle bt main", target=target)
        self.assertRegex(seen, r"(?m)^  #\d+ +heddle_body_of_\w+.* at .*freed_twice\.cc:\d+$")

    def test_back_and_forth(self):
        file = self.found(TARGET, "u")
        rows = self.rows(file)
        seen = self.debug(file, "heddle back", "heddle back", "heddle step", f"heddle goto {rows[2]}", "heddle step main.1")
        steps = [int(step) for step in re.findall(r"^step (\d+): ", seen, re.MULTILINE)]
        self.assertEqual(steps[:4], [rows[-1], rows[-2], rows[-1], rows[2]], seen)
        self.assertGreater(steps[4], rows[2])
        self.assertRegex(seen, r"(?m)^step %d: main.1  " % steps[4])

    def test_errors_of_its_commands(self):
        seen = self.heddle("debug", TARGET, self.found(TARGET, "d"), "-c", "heddle bt main.7")
        self.assertIn("heddle: no thread main.7", seen.stdout + seen.stderr)
        seen = self.heddle("debug", TARGET, "crash-x", "-c", "heddle goto last")
        self.assertIn("heddle goto STEP", seen.stdout + seen.stderr)

    def test_an_input_without_a_finding(self):
        self.schedule("fine", "n")
        self.assertIn("heddle: the program has ended", self.debug("fine", "info inferiors"))

    def test_a_damaged_schedule(self):
        whole = (self.root / self.schedule("fine", "n", "seed 7")).read_bytes()
        (self.root / "cut").write_bytes(whole[:len(whole) // 2])
        seen = self.heddle("debug", TARGET, "cut", "-c", "info inferiors")
        self.assertIn("heddle: cut is a damaged schedule: the target takes its bytes as plain data", seen.stderr)


class Refused(CommandCase):
    def test_bad_words(self):
        self.assert_refused(self.heddle("debug", TARGET, "absent"), 2, "absent")
        (self.root / "empty").touch()
        self.assert_refused(self.heddle("debug", "/bin/true", "empty"), 2, "/bin/true")
        self.assert_refused(self.heddle("debug", TARGET, "empty", "--gdb", "no-such-gdb"), 2, "no-such-gdb")
        self.assert_refused(self.heddle("debug", TARGET, "empty", PATH="/nowhere"), 2, "no gdb in PATH")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
