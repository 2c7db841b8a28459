#!/usr/bin/env python3
"""A search under sequential consistency says at its end that the program's atomics have weak orders, and how to try what they allow.

weak_orders_test.py WEAK STRONG HEDDLE
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

WEAK, STRONG, HEDDLE = sys.argv[1:]
NOTE = re.compile(r"^(?:heddle: )?note: \d atomic operations have an order weaker than seq_cst, such as the \w+ at weak_orders_target\.cc:\d+ \((?:release|relaxed)\)\. "
                  r"All executions were sequentially consistent\. To try what such orders allow: HEDDLE_OPTIONS=memory=rc11$", re.M)


class WeakOrders(unittest.TestCase):
    def notes(self, target, *words, options="", before=()):
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run([*before, target, *words], env={**os.environ, "HEDDLE_OPTIONS": options}, cwd=work, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done)
        output = done.stdout + done.stderr
        count = len(NOTE.findall(output))
        self.assertEqual(count, output.count("weaker than seq_cst"), output)
        return count

    def test_once_at_the_end(self):
        self.assertEqual(self.notes(WEAK, "-runs=300", "-seed=1"), 1)

    def test_the_librarys_own_orders_do_not_count(self):
        self.assertEqual(self.notes(STRONG, "-runs=300", "-seed=1"), 0)

    def test_who_has_chosen_a_model_is_not_told(self):
        for model in "sc", "rc11":
            self.assertEqual(self.notes(WEAK, "-runs=300", "-seed=1", options=f"memory={model}"), 0)

    def test_jobs(self):
        self.assertEqual(self.notes(WEAK, "-fork=1", "-max_total_time=3"), 1)

    def test_run(self):
        self.assertEqual(self.notes(WEAK, "--seconds", "3", "--jobs", "2", before=(HEDDLE, "run")), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
