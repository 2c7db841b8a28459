#!/usr/bin/env python3
"""heddle explain from outside: explain_test.py HEDDLE TARGET FAKE_TARGET [TARGET_OF_ANOTHER_ENGINE...]"""

import os
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET, FAKE = sys.argv[1:4]
OTHERS = sys.argv[4:]
# With other machine code the operations have other numbers, and the same seed makes other schedules.
BUILDS = (TARGET, os.environ["ORDERS_OTHER_FLAGS"])


class Explain(CommandCase):
    ENOUGH = ("--seconds", "200")  # on a busy machine, too

    said = {}  # several tests read the same explanation

    def explain(self, *arguments):
        if arguments not in self.said:
            self.said[arguments] = self.explain_anew(*arguments)
        return self.said[arguments]

    def explain_anew(self, data, target=TARGET, *words):
        name = self.found(target, data)
        result = self.heddle("explain", target, name, "--runs", "40", *self.ENOUGH, *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def counts(self, output):
        """What each row counts: [(words, findings, executions)]."""
        rows = re.findall(r"^  (\S.*?) +(\d+) of (\d+) have the finding$", output, re.M)
        return [(words, int(findings), int(runs)) for words, findings, runs in rows]

    def test_lost_update(self):
        output = self.explain("u")
        self.assertIn("SUMMARY: HeddleSanitizer: assertion-failure", output)
        self.assertRegex(output, r"The finding comes if and only if the (load|store) at "
                                 r"orders_target\.cc:\d+ \(main\.\d\) comes ")
        self.assertRegex(output, r"In the most similar run without the finding, (\[\d\] is|\[\d\], .* are) not so\.")

    def test_deadlock(self):
        output = self.explain("d")
        self.assertRegex(output, r"if and only if the lock at orders_target\.cc:\d+ \(main\.0\) "
                                 r"comes before the lock at :\d+ \(main\.1\), and the lock at "
                                 r":\d+ \(main\.1\) comes before the lock at :\d+ \(main\.0\)\.|"
                                 r"if and only if the lock at orders_target\.cc:\d+ \(main\.1\) "
                                 r"comes before the lock at :\d+ \(main\.0\), and the lock at "
                                 r":\d+ \(main\.0\) comes before the lock at :\d+ \(main\.1\)\.")

    def test_what_is_said_is_counted(self):
        for data in "ud":
            rows = self.counts(self.explain(data))
            self.assertEqual(len(rows), 5, rows)
            demanded, first, second, by_chance, otherwise = rows
            self.assertEqual(demanded[1], demanded[2])
            self.assertGreater(demanded[2], 0)
            for row in (first, second, otherwise):
                self.assertEqual(row[1], 0, row)
                self.assertGreater(row[2], 0, row)
            self.assertEqual(by_chance[1], by_chance[2])
            self.assertEqual(by_chance[2] + otherwise[2], 40)

    def test_one_condition(self):
        output = self.explain("xxy")
        load = r"the load in `late_data` at (orders_target\.cc)?:\d+ \(main\)"
        self.assertRegex(output, rf"comes if and only if {load} comes (after|between)|comes before {load}")

    def test_plain_accesses_become_operations_if_nothing_else_decides(self):
        output = self.explain("p")
        self.assertIn("SUMMARY: HeddleSanitizer: heap-use-after-free", output)
        self.assertRegex(output, r"comes if .*the free at .*:\d+ "
                                 r"\(main(\.0)?\) comes before the write")

    def test_both_sides_of_a_race_are_operations(self):
        self.schedule("table", "i")
        subprocess.run([TARGET, "table"], cwd=self.root, capture_output=True, timeout=60,
                       env={**os.environ, "HEDDLE_OPTIONS": "sites_path=sites"})
        write = re.search(r"^(\w+) \S*set_plain_count", (self.root / "sites").read_text(), re.M)[1]
        name = self.found(TARGET, "i", lines=(f"visible-plain @0x{write}",))
        output = self.heddle("explain", TARGET, name, "--runs", "40", *self.ENOUGH).stdout
        # Two orders, of all four accesses or of three.
        self.assertRegex(output, r"if and only if the (read|write) in .*( comes between the read in .* and the write in |, and the (read|write) in )")

    def test_a_select_that_fails(self):
        output = self.explain("c")
        self.assertIn("SUMMARY: HeddleSanitizer: send-on-closed-channel", output)
        self.assertRegex(output, r"if and only if the close .* comes before the select .*, and the select .* takes case 1\.")

    def test_an_outcome_that_follows_from_an_order_is_no_cause(self):
        for target in BUILDS:
            output = self.explain("m", target)
            self.assertRegex(output, r"if and only if the lock at .* \(main\.0\) comes between the lock at .* \(main\) and the lock at .* \(main\)\.\n")

    def test_threads_that_only_spin(self):
        output = self.explain("e")
        self.assertIn("SUMMARY: HeddleSanitizer: livelock", output)
        self.assertRegex(output, r"if and only if the store in `reset_too_late` at orders_target\.cc:\d+ \(main\) comes before the store at :\d+ \(main\.0\)\.")
        self.assertRegex(output, r"main\.0 spins at orders_target\.cc:\d+\. Each time it reads A1 = 0, which main\.0 wrote last, at orders_target\.cc:\d+\n")

    def test_what_no_order_decides(self):
        output = self.explain("b")
        self.assertIn("\nA random byte decides. No order of operations was found that does.\n", output)
        self.assertIn("The same operations in the same order also came without the finding.", output)
        self.assertRegex(output, r"This random byte decides: byte 0 of request 1 for random bytes by main\. It is 0x.[159d]\b")

    def test_data_bytes_that_decide(self):
        output = self.explain("xxy")
        self.assertIn("  byte 0 is 0x78 ('x'): the finding comes with no other value\n", output)
        self.assertRegex(output, r"  byte 1 is 0x78 \('x'\): the finding comes with no other value\n")
        self.assertNotIn("byte 3", output)

    def test_little_time_is_enough_for_a_guess(self):
        name = self.found(TARGET, "l")
        result = self.heddle("explain", TARGET, name, "--seconds", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        executions, seconds = re.search(r"(\d+) executions in ([\d.]+) s", result.stdout).groups()
        if int(executions) < 50:
            self.skipTest(f"{executions} executions in {seconds} s: the machine is too busy")
        self.assertNotIn("No few conditions", result.stdout)

    def test_the_order_does_not_matter(self):
        (self.root / "crash-empty").touch()
        result = self.heddle("explain", TARGET, "crash-empty", "--runs", "40", *self.ENOUGH)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("does not depend on the order: it came in all of 40 executions.",
                      result.stdout)
        self.assertEqual(self.counts(result.stdout), [("nothing demanded", 40, 40)])

    def test_a_bug_with_findings_at_many_places(self):
        for target in BUILDS:
            output = self.explain("g", target)
            self.assertIn("SUMMARY: HeddleSanitizer: heap-use-after-free", output)
            self.assertRegex(output, r"if and only if the read-modify-write in `used_at_many_places` at orders_target\.cc:\d+ \(main\) comes between ")
            self.assertRegex(output, r"\d+ of these findings are of the same kind at another place")
            self.assertNotIn("not counted", output)

    def test_suppressed_findings_are_none(self):
        (self.root / "suppressions").write_text("thread:wait_for_work\n")
        options = "suppressions=suppressions"
        name = self.found(TARGET, "r", HEDDLE_OPTIONS=options)
        output = self.heddle("explain", TARGET, name, "--runs", "40", *self.ENOUGH, HEDDLE_OPTIONS=options).stdout
        self.assertIn("SUMMARY: HeddleSanitizer: assertion-failure", output)
        self.assertIn("if and only if", output)
        self.assertNotIn("another finding", output)

    def test_stale_reads(self):
        name = self.found(TARGET, "w", lines=("memory-model rc11",))
        result = self.heddle("explain", TARGET, name, "--runs", "100", *self.ENOUGH)
        self.assertEqual(result.returncode, 0, result.stderr)
        # Chance decides in how many executions the load comes at all.
        self.assertRegex(result.stdout, r"(if and only if|executions in which) .*the relaxed load in `publication` at .*:\d+:\d+ \(main\) "
                                        r"(does not see the store at .*:\d+ \(main\.0\)|sees the initial value)")
        rows = self.counts(result.stdout)
        self.assertGreater(rows[0][1], 0, rows)
        for words, findings, runs in rows:
            self.assertIn(findings, (0, runs), words)

    def test_a_repaired_build(self):
        fixed = os.environ["ORDERS_FIXED"]
        self.assertRegex(self.explain("d", TARGET, "--repaired", fixed),
                         r"\nIn .*orders_fixed: .*; 0 of 40 had a finding\.\n")
        output = self.explain("d", TARGET, "--repaired", TARGET)
        said = re.search(r"\nIn .*orders_target: it was so in (\d+) of 20 executions that demand it, and in (\d+) of 20 others; "
                         r"(\d+) of 40 had a finding\.\n", output)
        self.assertIsNotNone(said, output)
        self.assertEqual(int(said[1]) + int(said[2]), int(said[3]), output)

    def test_a_wrappers_operations_in_a_repaired_build(self):
        output = self.explain("o", TARGET, "--repaired", os.environ["ORDERS_FIXED"])
        self.assertRegex(output, r"the lock at orders_target\.cc:\d+ \(main\.\d\) comes before the lock at ")
        self.assertRegex(output, r"orders_fixed: it was never so, in \d+ executions with these operations; 0 of 40 had a finding")

    def test_a_crash(self):
        for target in TARGET, os.environ["ORDERS_ASAN"]:
            self.assertRegex(self.explain("z", target), r"if and only if the load in `early_pointer` at orders_target\.cc:\d+ \(main\) comes before the store at :\d+ \(main\.0\)\.")

    def test_a_leak_is_refused(self):
        target = os.environ["ORDERS_ASAN"]
        self.assert_refused(self.heddle("explain", target, self.found(target, "k")), 2, "byte(s) leaked", "does not look for leaks")

    def test_other_engines(self):
        for target in OTHERS:
            self.assertIn("if and only if", self.explain("d", target), target)

    def test_refused(self):
        self.assert_refused(self.heddle("explain", TARGET, self.schedule("n", "n")), 2, "no finding")
        other = self.schedule("n", "n", "delay any mutex_lock @0x3333 until idle")
        self.assert_refused(self.heddle("explain", TARGET, other), 125, "does not apply")
        self.assert_refused(self.heddle("explain", TARGET, "absent"), 2, "absent")
        self.assert_refused(self.heddle("explain", HEDDLE, "n"), 2, "not a heddle fuzz target")
        self.assert_refused(self.heddle("explain", FAKE, "n"), 99, "does not answer")
        self.assert_refused(self.heddle("explain", TARGET, "n", "--runs", "1"), 2, "runs")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
