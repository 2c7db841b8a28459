#!/usr/bin/env python3
"""The commands that make many executions end in time, also if the machine has no time for them, and
say what they have not tried: time_limits_test.py HEDDLE SLOW_TARGET"""

import json
import re
import shutil
import sys
import time
import unittest

from command_case import CommandCase

TARGET = sys.argv[2]
SHORT = r"time was short \(more: --seconds 8\), "


class TimeLimits(CommandCase):
    SECONDS = 4
    LIMIT = 6    # in real time
    GRACE = 4    # of a busy machine. Without a limit in real time they take 12 s and more

    def run_in_time(self, command, *words, seconds=SECONDS, limit=LIMIT, code=0):
        begin = time.monotonic()
        result = self.heddle(command, TARGET, *words, "--seconds", seconds)
        self.assertLess(time.monotonic() - begin, limit + self.GRACE, result.stdout)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout

    def setUp(self):
        super().setUp()
        self.crash = self.found(TARGET, "")

    def test_minimize(self):
        output = self.run_in_time("minimize", self.crash)
        self.assertIn("stopped by --executions or --seconds", output)
        self.assertRegex(output, SHORT + r"so not tried, or not to its end: .*; fewer data bytes\n")
        self.assertIn("The interleaving", output)
        self.assertTrue((self.root / f"{self.crash}.min").exists())

    def test_explain(self):
        output = self.run_in_time("explain", self.found(TARGET, "x"))
        self.assertIn("stopped by --seconds", output)
        self.assertRegex(output, SHORT + r"so not tried, or not to its end: "
                                 r".*(which order decides|100 executions for each count)")
        counts = [int(runs) for runs in re.findall(r"\d+ of (\d+) have the finding$", output, re.M)]
        # On a busy machine there is no time for any count, and the answer says so.
        if "\nNo few conditions" not in output:
            self.assertTrue(counts and 0 < max(counts) < 100, output)
        self.assertNotRegex(output, r" at 0x[0-9a-f]{16}")  # there was time for source lines

    def test_explain_with_a_repaired_build(self):
        output = self.run_in_time("explain", self.crash, "--repaired", TARGET)
        self.assertRegex(output, r"time was short")
        self.assertRegex(output, r"\nIn .*: |\nNo few conditions")

    def test_promote(self):
        output = self.run_in_time("promote", self.crash, "--name", "slow")
        self.assertRegex(output, SHORT)
        self.assertTrue(list(self.root.glob("regressions/*/slow.heddle")))

    def test_triage(self):
        (self.root / "many").mkdir()
        for n in range(150):
            shutil.copy(self.root / self.crash, self.root / f"many/crash-{n:03}")
        output = self.run_in_time("triage", "many", limit=self.SECONDS, code=1)
        self.assertRegex(output, r": 150 files, 1 different finding\n")
        _, _, untried = output.partition("\nnot tried, because time was short (more: --seconds):\n")
        untried = untried.splitlines()
        tried = int(re.search(r"signature \w+, (\d+) file", output)[1])
        self.assertEqual(tried + len(untried), 150)
        self.assertGreater(len(untried), 50)
        self.assertEqual(untried[-1], "  many/crash-149")

    def test_a_triage_without_an_answer_is_no_success(self):
        (self.root / "many").mkdir()
        self.schedule("many/crash-000", "")
        for n in range(1, 150):
            shutil.copy(self.root / "many/crash-000", self.root / f"many/crash-{n:03}")
        begin = time.monotonic()
        result = self.heddle("triage", TARGET, "many", "--seconds", "3", "--format", "json")
        self.assertLess(time.monotonic() - begin, 3 + self.GRACE)
        seen = json.loads(result.stdout)
        self.assertEqual((seen["findings"], result.returncode), ([], 99))
        self.assertEqual(len(seen["without_finding"]) + len(seen["not_tried"]), 150)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
