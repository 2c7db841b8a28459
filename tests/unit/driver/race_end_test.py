#!/usr/bin/env python3
"""What a search says at its end, however it ends: the data races that are no findings, and the statistics.

race_end_test.py HARNESS PROGRAM HEDDLE
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HARNESS, PROGRAM, HEDDLE = sys.argv[1:]
NOTE = "heddle: note: 1 data race was seen, which is not a finding without HEDDLE_OPTIONS=report_races=1:\n"
LINE = re.compile(r"^heddle:   \S*race_end\.h:\d+:\d+ in .* (reads|writes); \S*race_end\.h:\d+:\d+ in .* (reads|writes)$", re.M)
INTERRUPTED = 72


class RaceEnd(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def start(self, target, *words, options="", **variables):
        environment = {**os.environ, "HEDDLE_OPTIONS": options, **variables}
        out = open(self.root / "err", "w")
        self.addCleanup(out.close)
        process = subprocess.Popen([target, f"-artifact_prefix={self.root}/", "-seed=1", *words], stderr=out, stdout=subprocess.DEVNULL,
                                   stdin=subprocess.DEVNULL, env=environment, cwd=self.root, start_new_session=True)
        self.addCleanup(lambda: process.poll() is not None or os.killpg(process.pid, signal.SIGKILL))
        return process

    def text(self):
        return (self.root / "err").read_text(errors="replace")

    def wait_for(self, word):
        end = time.monotonic() + 20
        while word not in self.text():
            self.assertLess(time.monotonic(), end, self.text())
            time.sleep(0.05)

    def check_list(self):
        text = self.text()
        self.assertEqual(text.count(NOTE), 1, text)
        self.assertEqual(len(LINE.findall(text)), 1, text)
        return text

    def interrupt(self, target, number, options):
        process = self.start(target, options=f"stats=1:stats_path={self.root}/stats.json{options}")
        self.wait_for("INITED")
        time.sleep(0.5)
        os.killpg(process.pid, number)
        self.assertEqual(process.wait(60), INTERRUPTED, self.text())
        text = self.check_list()
        self.assertEqual(len(re.findall(r"^heddle: \d+ executions in ", text, re.M)), 1, text)
        self.assertIn("libFuzzer: run interrupted", text)
        self.assertTrue((self.root / "stats.json").exists(), text)

    def test_interrupt(self):
        for target, options in (HARNESS, ""), (PROGRAM, ":restore=process"), (PROGRAM, ":restore=fork"):
            for number in signal.SIGINT, signal.SIGTERM:
                with self.subTest(target=target, options=options, number=number):
                    self.interrupt(target, number, options)

    def test_end_of_time(self):
        process = self.start(HARNESS, "-runs=300")
        self.assertEqual(process.wait(60), 0, self.text())
        self.check_list()

    def test_execution_that_does_not_end(self):
        for times in 1, 2:  # the second signal ends it at once
            process = self.start(HARNESS, HEDDLE_TEST_STUCK="1")
            self.wait_for("INFO: Loaded 1 modules")
            time.sleep(1)
            for _ in range(times):
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(0.2)
            self.assertEqual(process.wait(60), INTERRUPTED, self.text())
            self.assertIn("libFuzzer: run interrupted", self.text())

    def test_names_below_a_report(self):
        process = self.start(HARNESS, "-runs=2000", HEDDLE_TEST_FAIL="1")
        self.assertNotEqual(process.wait(60), 0, self.text())
        text = self.text()
        row = re.search(r"\*read (\w+) = 1 ", text)
        self.assertIsNotNone(row, text)
        self.assertRegex(text, rf"(?m)^  {row[1]}: main\.0 writes at .*race_end\.h:\d+:\d+ .*; main\.1 reads at ")
        self.assertRegex(text, r"(?m)^  (P\d+|a variable on the stack of main): main\.0 writes at .*; main\.1 writes at ")

    def test_jobs(self):
        process = self.start(HARNESS, "-fork=1", "-max_total_time=3")
        self.assertEqual(process.wait(60), 0, self.text())
        self.check_list()

    def test_run(self):
        done = subprocess.run([HEDDLE, "run", HARNESS, "--seconds", "3", "--jobs", "2"], capture_output=True, text=True, timeout=60, cwd=self.root)
        said, *lines = done.stdout.splitlines()[1:]
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual("heddle: note: " + said + "\n", NOTE, done)
        self.assertEqual(len(lines), 1, done)
        self.assertRegex("heddle: " + lines[0], LINE, done)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
