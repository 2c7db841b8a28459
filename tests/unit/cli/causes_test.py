#!/usr/bin/env python3
"""heddle explain names the cause and not what follows from it: causes_test.py HEDDLE DIRECTORY, where the programs of
tests/programs are built, with their passing twins."""

import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

BINARIES = pathlib.Path(sys.argv[2])


class Causes(CommandCase):
    def explain(self, name):
        target, fixed = (BINARIES / f"program_{kind}_{name}" for kind in ("fail", "pass"))
        for seed in range(1, 6):
            subprocess.run([target, f"-seed={seed}", "-runs=5000", "-exact_artifact_path=crash"], cwd=self.root, capture_output=True, timeout=120)
            if (self.root / "crash").exists():
                break
        result = self.heddle("explain", target, "crash", "--runs", "40", "--seconds", "200", "--repaired", fixed)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def assert_cause(self, name, *parts):
        """The sentence has these parts. The finding comes each time that they are demanded, and they cannot be in the twin."""
        output = self.explain("causes_" + name)
        sentence = output.split("\n\n")[1].splitlines()[0]
        for part in parts:
            self.assertRegex(sentence, part, output)
        demanded = re.search(r"(?:all of )?this demanded +(\d+) of (\d+)", output)
        self.assertGreater(int(demanded[1]), 25, output)
        self.assertEqual(demanded[1], demanded[2], output)
        self.assertRegex(output, r"\nIn .*(not there any more|never so|none of)", output)

    def test_a_check_before_the_lock(self):
        self.assert_cause("work_before_flag", r"the read in `put` at \S*:23 \(main\.0\) comes before the write in `close` at \S*:30 \(main\.1\)|"
                                              r"the write in `close` at \S*:30 \(main\.1\) comes between the read in `put` at \S*:23")

    def test_a_place_that_two_threads_read(self):
        self.assert_cause("place_before_lock", r"the read in `add` at \S*:18 \(main\.0\) comes before the write in `add` at \S*:22 \(main\.1\)",
                          r"the read in `add` at \S*:18 \(main\.1\) comes before the write in `add` at \S*:22 \(main\.0\)")

    def test_made_by_both(self):
        self.assert_cause("made_twice", r"if and only if the read in `get` at \S*:2[23] \(main\.\d\) comes before the write in `get` at \S*:22 \(main\.\d\)")

    def test_a_lost_change(self):
        self.assert_cause("lost_reference", r"in `take` at \S*:21")

    def test_counted_down_and_looked_at_later(self):
        self.assert_cause("freed_by_both", r"the (un)?lock in `leave` at \S*:(20|25) \(main\.\d\) comes before the (un)?lock in `leave` at \S*:3[24] \(main\.\d\)")

    def test_the_reference_that_comes_too_late(self):
        self.assert_cause("counted_then_freed", r"if and only if the read-modify-write in `give_back` at \S*:27 \(main\.1\) comes before the read-modify-write in `read` at \S*:40 \(main\.0\)")

    def test_a_spurious_wake_up(self):
        self.assert_cause("wait_without_loop", r"if and only if the wait at \S*:24 \(main\) wakes up although nobody notified it, and the lock at \S*:24 \(main\) comes before the lock")

    def test_a_time_out(self):
        self.assert_cause("time_out_is_no_answer", r"if and only if the wait at \S*:25 \(main\) times out before anybody notifies it, and ")

    def test_a_circle_of_more_locks_than_sets_have(self):
        output = self.explain("classic_philosophers_5")
        self.assertIn("comes if and only if", output)
        self.assertEqual(len(re.findall(r"^  \[\d\] the lock .* comes before the (2nd )?lock ", output, re.M)), 5, output)
        demanded = re.search(r"all of this demanded +(\d+) of (\d+)", output)
        self.assertEqual(demanded[1], demanded[2], output)

    def test_a_notification_for_the_wrong_thread(self):
        for name, places in (("bounded_queue", r", as in `p\w+` at \S*, and not one that waits for something else, as in `p\w+` at "),
                             ("wrong_waiter", r" at \S*:15, called at :18, and not one that waits at :15, called at :17")):
            with self.subTest(name):
                output = self.explain("condvar_" + name)
                self.assertRegex(output, "if and only if the last notification wakes a thread that has to wait again" + places)
                self.assertRegex(output, r"\nIn .*never so")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
