#!/usr/bin/env python3
"""heddle minimize from outside: minimize_test.py HEDDLE TARGET FAKE_TARGET [TARGET_OF_ANOTHER_ENGINE...]"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET, FAKE = sys.argv[1:4]
OTHERS = sys.argv[4:]


class Minimize(CommandCase):
    def minimize(self, name, target=TARGET):
        result = self.heddle("minimize", target, name)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, self.heddle("show", f"{name}.min").stdout

    def row(self, output, words):
        return tuple(map(int, re.search(rf"^  {words} +(\d+) +(\d+)$", output, re.M).groups()))

    def assert_refused(self, result, code, *words):
        super().assert_refused(result, code, *words)
        self.assertEqual(sorted(path.name for path in self.root.glob("*.min")), [])

    def test_a_preemption_is_one_constraint(self):
        output, text = self.minimize(self.found(TARGET, "u123"))
        self.assertIn("assertion-failure", output)
        self.assertEqual(self.row(output, "thread switches")[1], 4)  # main, one, other, one, main
        self.assertEqual(self.row(output, "constraints")[1], 1)
        self.assertEqual(self.row(output, "data bytes"), (4, 1))
        self.assertEqual(text.count("delay "), 1)
        self.assertIn("strategy nonpreemptive", text)
        self.assertNotIn("seed", text)
        self.assertIn("The interleaving", output)

    def test_deadlock(self):
        output, text = self.minimize(self.found(TARGET, "d"))
        self.assertRegex(output, r"crash-x: SUMMARY: HeddleSanitizer: deadlock ")
        self.assertEqual(self.row(output, "constraints")[1], 1)
        self.assertRegex(text, r"delay \S+ mutex_lock @\S+ #1 until \S+ mutex_lock @\S+ #1")

    def test_threads_that_only_spin(self):
        output, text = self.minimize(self.found(TARGET, "q"))
        self.assertIn("SUMMARY: HeddleSanitizer: livelock", output)
        before, after = self.row(output, "thread switches")
        self.assertLess(before, 40)  # how often they spin is chance
        self.assertLess(after, 10)
        self.assertGreater(self.row(output, "operations")[0], 1000)
        self.assertEqual(text.count("delay "), 0)
        self.assertIn("strategy nonpreemptive", text)
        self.assertNotIn("seed", text)
        self.assertEqual(self.row(output, "constraints")[1], 0)

    def program(self, name):
        """The constraints after, and the schedule, of a program of tests/programs/fail."""
        program = pathlib.Path(os.environ["PROGRAMS"]) / f"program_fail_{name}"
        saved = self.root / name
        subprocess.run([program, "-seed=1", "-runs=20000", f"-exact_artifact_path={saved}"], cwd=self.root, capture_output=True, timeout=120)
        output, text = self.minimize(name, program)
        self.assertLess(int(re.search(r"^  (\d+) executions in", output, re.M)[1]), 2000)
        return self.row(output, "constraints")[1], text

    def test_lines_that_only_help_together(self):
        """As one would by hand: the usual run, with few places at which another thread goes."""
        self.assertEqual(self.program("classic_readers_writers")[0], 3)
        self.assertEqual(self.program("go_locks_cond_without_loop")[0], 3)
        constraints, text = self.program("signals_lock_in_handler")
        self.assertEqual(constraints, 2)
        self.assertNotIn("seed", text)

    def test_data_is_only_what_the_finding_needs(self):
        output, text = self.minimize(self.found(TARGET, "xxyzzz"))
        self.assertEqual(self.row(output, "data bytes"), (6, 3))
        self.assertIn('payload "xxy"', text)

    def test_the_result_is_a_normal_input_with_the_same_finding(self):
        output, _ = self.minimize(self.found(TARGET, "u"))
        replay = self.heddle("replay", TARGET, "crash-x.min", "--runs", "2")
        self.assertEqual(replay.returncode, 1)
        self.assertIn("crash-x.min: deterministic", replay.stdout)
        self.assertIn(re.search(r"SUMMARY: .*", output)[0], replay.stdout)

    def test_nothing_is_left_to_do(self):
        self.minimize(self.found(TARGET, "d"))
        self.minimize("crash-x.min")
        self.assertEqual((self.root / "crash-x.min.min").read_bytes(), (self.root / "crash-x.min").read_bytes())

    def test_the_empty_file(self):
        (self.root / "crash-empty").touch()
        output, text = self.minimize("crash-empty")
        self.assertIn("assertion-failure", output)
        self.assertIn("strategy nonpreemptive", text)
        self.assertEqual(self.row(output, "constraints")[1], 0)

    def test_other_engines(self):
        for target in OTHERS:
            output, text = self.minimize(self.found(target, "u"), target)
            self.assertEqual(self.row(output, "constraints")[1], 1, target)
            self.assertEqual(text.count("delay "), 1, target)

    def test_address_sanitizer(self):
        target = os.environ["ORDERS_ASAN"]
        output, text = self.minimize(self.found(target, "f"), target)
        self.assertRegex(output, r"SUMMARY: AddressSanitizer: heap-use-after-free ")
        self.assertEqual(self.row(output, "constraints")[1], 2)  # the exchange between the load and the use
        self.assertEqual(text.count("delay "), 2)

    def test_executions_without_a_reader_start_no_symbolizer(self):
        target = os.environ["ORDERS_ASAN"]
        symbolizer = self.root / "llvm-symbolizer"  # the sanitizers insist on the name
        symbolizer.write_text(f"#!/bin/sh\necho >> {self.root}/started\n")
        symbolizer.chmod(0o755)
        name = self.found(target, "f")
        result = self.heddle("minimize", target, name, ASAN_SYMBOLIZER_PATH=symbolizer, HEDDLE_OPTIONS="symbolize=0")
        self.assertEqual(result.returncode, 0, result.stderr)
        started = self.root / "started"
        self.assertLessEqual(len(started.read_text().splitlines()) if started.exists() else 0, 3)

    def test_a_whole_program(self):
        target, options = os.environ["ORDERS_PROGRAM"], "stdin=1"
        name = self.found(target, "u12", HEDDLE_OPTIONS=options)
        result = self.heddle("minimize", target, name, HEDDLE_OPTIONS=options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.row(result.stdout, "data bytes"), (3, 1))
        self.assertEqual(self.row(result.stdout, "constraints")[1], 1)

    def test_the_signature_does_not_depend_on_debug_information(self):
        name = self.found(TARGET, "s")
        signatures = set()
        for symbolize in "01":
            report = subprocess.run([TARGET, name, "-exact_artifact_path=again"], cwd=self.root, capture_output=True, text=True, timeout=60,
                                    env={**os.environ, "HEDDLE_OPTIONS": f"symbolize={symbolize}"}).stderr
            signatures.add(re.search(r"Signature: (\w+)", report)[1])
        self.assertEqual(len(signatures), 1)
        self.minimize(name)

    def test_output(self):
        name = self.found(TARGET, "d")
        before = (self.root / name).read_bytes()
        result = self.heddle("minimize", TARGET, name, "-o", "small", "--no-table")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("interleaving", result.stdout)
        self.assertIn("written to small", result.stdout)
        self.assertTrue((self.root / "small").exists())
        self.assertEqual((self.root / name).read_bytes(), before)

    def test_a_limit_is_told(self):
        result = self.heddle("minimize", TARGET, self.found(TARGET, "u"), "--executions", "3", "--no-table")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"3 executions in .*: stopped by --executions or --seconds")
        self.assertEqual(subprocess.run([TARGET, "crash-x.min", "-exact_artifact_path=again"], cwd=self.root, capture_output=True, timeout=60).returncode != 0, True)

    def test_known_findings_are_findings(self):
        output, _ = self.minimize(self.found(TARGET, "d"))
        report = subprocess.run([TARGET, "crash-x"], cwd=self.root, capture_output=True, text=True, timeout=60).stderr
        (self.root / "known").write_text(re.search(r"Signature: (\w+)", report)[1] + "\n")
        result = self.heddle("minimize", TARGET, "crash-x", HEDDLE_OPTIONS="known=known")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_no_finding(self):
        self.assert_refused(self.heddle("minimize", TARGET, self.schedule("crash-n", "n")), 2, "crash-n", "no finding")

    def test_does_not_apply(self):
        for line in ("delay any mutex_lock @0x3333 until idle", "graph main 1 atomic_load @0x3333 seq_cst from initial"):
            name = self.schedule("crash-n", "n", "memory-model rc11", line)
            self.assert_refused(self.heddle("minimize", TARGET, name), 125, "crash-n", "does not apply")

    def test_missing_file(self):
        self.assert_refused(self.heddle("minimize", TARGET, "absent"), 2, "absent")

    def test_no_target(self):
        (self.root / "crash-e").touch()
        self.assert_refused(self.heddle("minimize", "absent", "crash-e"), 2, "absent")
        self.assert_refused(self.heddle("minimize", HEDDLE, "crash-e"), 2, "not a heddle fuzz target")

    def test_a_target_that_does_not_answer(self):
        (self.root / "crash-e").touch()
        self.assert_refused(self.heddle("minimize", FAKE, "crash-e"), 99, FAKE, "does not answer")

    def test_wrong_options_of_the_target(self):
        (self.root / "crash-e").touch()
        self.assert_refused(self.heddle("minimize", TARGET, "crash-e", HEDDLE_OPTIONS="nonsense=1"), 2, "nonsense")

    def test_full_disk(self):
        result = self.heddle("minimize", TARGET, self.found(TARGET, "d"), "-o", "/dev/full")
        self.assert_refused(result, 99, "/dev/full")

    def test_refused_options(self):
        (self.root / "crash-e").touch()
        self.assert_refused(self.heddle("minimize", TARGET, "crash-e", "--executions", "0"), 2, "executions")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
