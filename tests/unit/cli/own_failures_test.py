#!/usr/bin/env python3
"""heddle replay and show of a target that dies of itself: own_failures_test.py HEDDLE TARGET."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE, TARGET = sys.argv[1:3]


class OwnFailures(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def replay(self, how):
        path = pathlib.Path(self.directory.name) / "input"
        path.write_text(how)
        return subprocess.run([HEDDLE, "replay", TARGET, str(path), "--runs", "2", "--report"], capture_output=True, text=True,
                              cwd=self.directory.name, timeout=120)

    def show(self, *words):
        return subprocess.run([HEDDLE, "show", "--target", TARGET, *words], capture_output=True, text=True, cwd=self.directory.name, timeout=120,
                              check=True).stdout

    def test_positions_of_a_recorded_run(self):
        directory = pathlib.Path(self.directory.name)
        (directory / "input").write_text("u")
        subprocess.run([TARGET, "input"], env={**os.environ, "HEDDLE_OPTIONS": "exit_on_finding=0:trace_path=run.trace"}, cwd=directory, capture_output=True, timeout=120)
        lines = [line for line in self.show("run.trace").splitlines() if " thread_create @" in line]
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.assertIn("  // ", line)
        # The same for a schedule whose own run never reaches that place.
        site = re.search(r"@(0x[0-9a-f]+)", lines[-1]).group(1)
        (directory / "text").write_text(f'heddle schedule 1\nchain 0\n  any thread_create @{site}\npayload "a"\n')
        subprocess.run([HEDDLE, "show", "--binary", "text", "-o", "schedule"], cwd=directory, check=True, timeout=120)
        self.assertRegex(self.show("schedule"), rf"any thread_create @{site}  // ")

    def check(self, how, kind, reason):
        result = self.replay(how)
        self.assertEqual(result.returncode, 1, result)
        verdict = result.stdout[result.stdout.rindex("input: "):]
        self.assertIn("input: deterministic", verdict)
        operations = int(re.search(r"(\d+) operations, trace", verdict).group(1))
        self.assertGreater(operations, 2)
        self.assertRegex(verdict, rf"SUMMARY: HeddleSanitizer: {kind} \S")
        self.assertIn(reason, result.stdout)
        self.assertRegex(result.stdout, rf"ERROR: HeddleSanitizer: {kind} on address 0x0*[1-9a-f]")
        self.assertNotIn("libgcc", result.stdout.split("SUMMARY: HeddleSanitizer")[0])
        return result.stdout

    def test_assertion(self):
        self.check("a", "assertion-failure", "assertion `counter == 99'")

    def test_trap(self):
        self.check("t", "crash", "signal SIG")

    def test_call_of_a_null_pointer(self):
        self.assertRegex(self.check("0", "crash", "signal SIGSEGV"), r"main fails here:\n +#0 \S+ in call\b.*\n +#1 \S+ in LLVMFuzzerTestOneInput\b")

    def test_abort(self):
        self.check("b", "assertion-failure", "abort() was called")

    def test_exception(self):
        self.check("e", "assertion-failure", "uncaught exception of type std::out_of_range")

    def test_joinable(self):
        # Without debug information and with the destructor inlined only std::terminate can be named.
        self.check("j", "assertion-failure", "main fails: std::t")

    def test_a_run_that_could_go_on(self):
        self.check("u", "unlock-of-unlocked", "that no thread holds")

    def test_a_run_that_would_not_end(self):
        self.check("c", "double-free", "freed earlier")

    def test_a_heap_that_is_broken_behind_the_finding(self):
        # If the run goes on after the finding, the allocator crashes while it holds its lock. Nothing waits for that lock as long as replay would.
        self.check("h", "unlock-of-unlocked", "that no thread holds")

    def test_no_failure(self):
        result = self.replay("n")
        self.assertEqual(result.returncode, 0, result)
        self.assertNotIn(" 0 operations", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
