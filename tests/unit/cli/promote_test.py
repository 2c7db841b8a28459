#!/usr/bin/env python3
"""heddle promote and heddle check from outside:

promote_test.py HEDDLE TARGET FAKE_TARGET CHANGED FIXED OTHER_FLAGS

The last three are later builds of the target: with more lines, with its bugs fixed, with other
compiler flags.
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET, FAKE, CHANGED, FIXED, OTHER_FLAGS = sys.argv[1:7]
TEST = f"regressions/{pathlib.Path(TARGET).name}/one.heddle"


class Promote(CommandCase):
    def promoted(self, data, *words, **environment):
        name = self.found(TARGET, data)
        result = self.heddle("promote", TARGET, name, "--name", "one", *words, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def check(self, code, target, file=TEST, **environment):
        result = self.heddle("check", target, file, **environment)
        self.assertEqual(result.returncode, code, result)
        return result.stdout

    def test_the_schedule_is_text_by_source_position(self):
        said = self.promoted("u")
        text = (self.root / TEST).read_text()
        self.assertRegex(text, r"^heddle regression 1\n// assertion-failure orders_target.cc:")
        self.assertRegex(text, r"\nsignature [0-9a-f]{16}\n")
        self.assertRegex(text, r"\nplace P\d atomic_(load|store) orders_target.cc:\d+ #1 in .* \| "
                         r"const auto increment = \[&\] \{ counter = counter \+ 1; \};\n")
        self.assertRegex(text, r"\ndelay .* @P\d.* until .* @P\d #1\n")
        self.assertNotRegex(text, "@0x")
        self.assertNotIn(str(self.root), text)
        self.assertIn(f"written to {TEST}\nto run it: heddle check {TARGET} {TEST}\n", said)

    def test_functions_have_their_names_in_reports(self):
        name = self.found(TARGET, "s")
        promoted = self.heddle("promote", TARGET, name, "--name", "s")
        self.assertEqual(promoted.returncode, 0, promoted.stderr)
        test = next(self.root.glob("regressions/*/s.heddle")).read_text()
        self.assertIn(" in checked_in_function::", test)
        self.assertNotIn(" in std::", test)

    def test_a_wrappers_operations_have_their_callers(self):
        self.promoted("o")
        text = (self.root / TEST).read_text()
        self.assertRegex(text, r"\nplace P1 mutex_lock orders_target.cc:\d+ #1 in \S+ \| .* void lock\(\) \{ mutex_.lock\(\); \}\n"
                         r"called P1 orders_target.cc:\d+ in .* \| (first|second)\.lock\(\);\n")
        self.assertRegex(text, r"\ndelay main\.\d mutex_lock @P\d #1 until main\.\d mutex_lock @P\d #1\n")

    def test_fails_while_the_bug_is_there(self):
        for data in ("u", "d", "xxy", "o"):
            with self.subTest(data=data):
                self.promoted(data)
                for target in (TARGET, CHANGED, OTHER_FLAGS):
                    said = self.check(1, target)
                    self.assertIn("The interleaving", said)
                    self.assertRegex(said, f"{TEST}: fails: SUMMARY: HeddleSanitizer: ")
                (self.root / TEST).unlink()

    def promote_first(self, target, finding):
        """Searches for it past all others. The regression test."""
        known = self.root / "known"
        known.touch()
        for seed in range(1, 20):
            ran = subprocess.run([target, "-runs=20000", f"-seed={seed}", "-exact_artifact_path=crash-x"], cwd=self.root, capture_output=True, text=True, timeout=120,
                                 env={**os.environ, "HEDDLE_OPTIONS": f"known={known}"})
            if f"SUMMARY: HeddleSanitizer: {finding}" in ran.stderr:
                break
            known.write_text(known.read_text() + re.search(r"Signature: (\w+)", ran.stderr)[1] + "\n")
        promoted = self.heddle("promote", target, "crash-x", "--name", "one")
        self.assertEqual(promoted.returncode, 0, promoted.stderr)
        test = f"regressions/{pathlib.Path(target).name}/one.heddle"
        said = self.check(1, target, test)
        self.assertIn(f"SUMMARY: HeddleSanitizer: {finding}", said)
        self.assertIn(f"\nTo replay: heddle check {target} {test}\n", said)
        return (self.root / test).read_text()

    def test_positions_of_an_inlined_function(self):
        text = self.promote_first(os.environ["FREED_TWICE"], "double-free")
        self.assertRegex(text, r"\nplace P\d plain_write freed_twice.cc:\d+ #\d in .* \| delete image;\n")

    def test_without_its_schedule_the_target_has_another_finding_first(self):
        text = self.promote_first(os.environ["MADE_UNDER_LOCK"], "deadlock")
        self.assertRegex(text, r"\ncalled P1 made_under_lock.cc:\d+ in .* \| .*registry\(\)")

    def promote_program(self, name):
        """As text; it fails in the program, and passes in its twin."""
        target, twin = (f"{os.environ['PROGRAMS']}/program_{kind}_{name}" for kind in ("fail", "pass"))
        subprocess.run([target, "-seed=1", "-runs=2000", "-exact_artifact_path=crash"], cwd=self.root, capture_output=True, timeout=120)
        promoted = self.heddle("promote", target, "crash", "--name", "one", "-o", "one.heddle")
        self.assertEqual(promoted.returncode, 0, promoted.stderr)
        self.check(1, target, "one.heddle")
        self.check(0, twin, "one.heddle")
        return (self.root / "one.heddle").read_text()

    def test_the_end_of_main_has_no_line(self):
        text = self.promote_program("kernels_canceled_consumer")
        self.assertRegex(text, r"\nplace P\d thread_exit \?:0 #1 in \S+ \| \n")

    def test_a_function_of_the_program_has_the_name_of_one_of_heddle(self):
        self.assertRegex(self.promote_program("kinds_freed_message"), r"\nplace P\d plain_write freed_message\.c:2\d #\d in send \| ")

    def test_one_of_several_accesses_in_a_line(self):
        text = self.promote_program("library_moved_by_readers")
        self.assertRegex(text, r"\nplace P1 plain_\w+ moved_by_readers\.cc:27 #\d in Cache::get \| entries_\.splice")

    def test_an_access_that_races_with_none(self):
        self.schedule("table", "v")
        (self.root / "wanted").write_text("plain")
        subprocess.run([TARGET, "table"], cwd=self.root, capture_output=True, timeout=60, env={**os.environ, "HEDDLE_OPTIONS": "sites_path=sites:sites_wanted=wanted"})
        step = re.search(r"^(\w+) \S*make_step", (self.root / "sites").read_text(), re.M)[1]
        name = self.found(TARGET, "v", lines=(f"visible-plain @0x{step}",))
        promoted = self.heddle("promote", TARGET, name, "--name", "one")
        self.assertEqual(promoted.returncode, 0, promoted.stderr)
        self.assertRegex((self.root / TEST).read_text(), r"\nplace P\d plain_write orders_target.cc:\d+ #1 in make_step \| steps_made = step;\n")
        for target in (TARGET, CHANGED, OTHER_FLAGS):
            self.assertIn("SUMMARY: HeddleSanitizer: assertion-failure", self.check(1, target))

    def test_passes_when_the_bug_is_fixed(self):
        for data in ("u", "d", "xxy", "o"):
            with self.subTest(data=data):
                self.promoted(data)
                self.assertRegex(self.check(0, FIXED), f"^{TEST}: passes")
                (self.root / TEST).unlink()

    def test_does_not_apply_any_more(self):
        self.promoted("u")
        path = self.root / TEST
        path.write_text(re.sub(r"orders_target\.cc", "gone.cc", path.read_text()))
        self.assertIn("does not apply", self.check(125, TARGET))

    def test_some_operations_are_gone(self):
        self.promoted("d")
        path = self.root / TEST
        self.assertIn("place P2", path.read_text())
        text = re.sub(r"(place P1 \w+) orders_target\.cc", r"\1 gone.cc", path.read_text())
        path.write_text(text)
        self.assertIn("passes (1 of its 2 operations are not in this build", self.check(0, TARGET))

    def test_threads_that_only_spin(self):
        # Each execution with this finding is cut as soon as it is likely, except the last one.
        said = self.promoted("q")
        self.assertIn("  0 constraints at 0 positions of the source\n", said)
        self.assertNotIn("seed", said)
        self.assertRegex((self.root / TEST).read_text(), r'^heddle regression 1\n// livelock orders_target.cc:\d+:\d+ in both_spin\n(.|\n)*'
                         r'\nstrategy nonpreemptive\npayload "q"\n$')
        failed = self.check(1, TARGET)
        self.assertIn("2 threads spin, and no other thread can change what they wait for", failed)
        self.assertRegex(failed, f"{TEST}: fails: SUMMARY: HeddleSanitizer: livelock ")
        for target in (CHANGED, OTHER_FLAGS):
            self.check(1, target)
        self.assertIn(f"{TEST}: passes", self.check(0, FIXED))

    def test_a_livelock_that_needs_an_order(self):
        program = pathlib.Path(os.environ["PROGRAMS"]) / "program_fail_spin_two_upgrades"
        saved = self.root / "crash-upgrades"
        subprocess.run([program, "-seed=1", "-runs=2000", f"-exact_artifact_path={saved}"], cwd=self.root, capture_output=True, timeout=120)
        self.assertTrue(saved.exists())
        promoted = self.heddle("promote", program, saved, "--name", "one", "-o", "test")
        self.assertEqual(promoted.returncode, 0, promoted.stderr)
        self.assertRegex((self.root / "test").read_text(), r"\ndelay ")
        self.assertIn("fails: SUMMARY: HeddleSanitizer: livelock ", self.check(1, program, "test"))
        self.check(0, str(program).replace("program_fail", "program_pass"), "test")

    def test_positions_that_are_not_found_again(self):
        """Late rounds of a loop in the standard library; one of several accesses of a library in one line."""
        for name in ("futex_atomic_wait", "library_torn_status"):
            with self.subTest(name):
                program = pathlib.Path(os.environ["PROGRAMS"]) / f"program_fail_{name}"
                saved = self.root / f"crash-{name}"
                subprocess.run([program, "-seed=1", "-runs=10000", f"-exact_artifact_path={saved}"], cwd=self.root, capture_output=True, timeout=120)
                promoted = self.heddle("promote", program, saved, "--name", "one", "-o", name)
                self.assertEqual(promoted.returncode, 0, promoted.stderr)
                self.assertIn("it depends on a seed, because the positions of its schedule are not found again", promoted.stdout)
                self.check(1, program, name)
                twin = self.heddle("check", str(program).replace("program_fail", "program_pass"), name)
                self.assertIn(twin.returncode, (0, 125), twin)  # 125: what it makes visible is under a lock there

    def test_leaks_are_checked_by_their_input(self):
        program = pathlib.Path(os.environ["PROGRAMS"]) / "program_fail_heap_leaked_asan"
        saved = self.root / "leak-x"
        subprocess.run([program, "-seed=1", "-runs=2000", f"-exact_artifact_path={saved}"], cwd=self.root, capture_output=True, timeout=120)
        refused = self.heddle("promote", program, "leak-x", "--name", "one")
        self.assert_refused(refused, 2, "does not look for leaks", f"heddle check {program} leak-x")
        self.assertIn("leak-x: fails: SUMMARY: AddressSanitizer: ", self.check(1, program, "leak-x"))

    def test_the_default_schedule(self):
        (self.root / "empty").touch()
        self.heddle("promote", TARGET, "empty", "--name", "one")
        self.assertNotIn("place", (self.root / TEST).read_text())
        self.check(1, TARGET)
        self.check(0, FIXED)

    def test_options_of_the_run_are_kept(self):
        self.promoted("u", HEDDLE_OPTIONS="stats=1:report_leaks=0:args='-n 1'")
        self.assertIn("\noptions args='-n 1':report_leaks=0\n", (self.root / TEST).read_text())
        self.check(1, TARGET)

    def test_saved_inputs_can_be_checked(self):
        name = self.found(TARGET, "u")
        self.check(1, TARGET, name)
        self.check(0, TARGET, self.schedule("fine", "n"))
        other = self.schedule("other", "n", "delay any mutex_lock @0x3333 until idle")
        self.check(125, TARGET, other)
        (self.root / "empty").touch()
        self.check(1, TARGET, "empty")
        self.assertEqual(self.heddle("check", TARGET, "fine", "other").returncode, 125)
        self.assertEqual(self.heddle("check", TARGET, "other", name).returncode, 1)

    def test_a_test_is_not_overwritten(self):
        self.promoted("u")
        before = (self.root / TEST).read_text()
        again = self.heddle("promote", TARGET, "crash-x", "--name", "one")
        self.assert_refused(again, 2, "one.heddle is already there")
        self.assertEqual((self.root / TEST).read_text(), before)
        self.heddle("promote", TARGET, "crash-x", "--name", "one", "-o", "elsewhere")
        self.assertEqual((self.root / "elsewhere").read_text(), before)

    def refused(self, code, *words, target=TARGET, file="crash-x", name="one", output=None):
        output = ["-o", output] if output else []
        result = self.heddle("promote", target, file, "--name", name, *output)
        self.assert_refused(result, code, *words)

    def test_bad_input(self):
        self.found(TARGET, "u")
        self.assert_refused(self.heddle("promote", TARGET, "crash-x"), 2, "--name")
        self.refused(2, "--name", name="../up")
        self.refused(2, "absent", file="absent")
        self.refused(2, "not a heddle fuzz target", target=HEDDLE)
        self.refused(99, "does not answer", target=FAKE)
        self.refused(2, "no finding", file=self.schedule("n", "n"))
        self.assertFalse((self.root / TEST).exists())
        self.refused(99, "/dev/full", output="/dev/full")

    def test_bad_tests(self):
        header = "heddle regression 1\n"
        schedule = "heddle schedule 1\n"
        for text, *words in (("heddle regression 2\n", "version 1"),
                             (header, "the schedule is missing"),
                             (header + "nonsense\n", "line 2", "nonsense"),
                             (header + "place P1 x\n", "line 2", "place"),
                             (header + "place P2 mutex_lock a.c:1 #1 in f | x\n", "expected P1"),
                             (header + "place P1 lock a.c:1 #1 in f | x\n", "'lock'"),
                             (header + "called P1 a.c:1 in f | x\n", "line 2", "after a place"),
                             (header + schedule + "delay any mutex_lock @P1 until idle\n", "P1"),
                             (header + schedule + "nonsense\n", "nonsense")):
            (self.root / "bad").write_text(text)
            self.assert_refused(self.heddle("check", TARGET, "bad"), 2, "bad", *words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
