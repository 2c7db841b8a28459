#!/usr/bin/env python3
"""Bad input and bad places for output: one clear line, the exit code of docs/reference/exit-codes.md, nothing lost.
bad_input_test.py HEDDLE TARGET."""

import pathlib
import resource
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET = sys.argv[1:3]


class BadInput(CommandCase):
    def cut(self, data="n"):
        """A schedule without its end."""
        whole = (self.root / self.schedule("whole", data, "seed 7", "delay any mutex_lock @0x3333 until idle")).read_bytes()
        (self.root / "cut").write_bytes(whole[:len(whole) // 2])
        return "cut"

    def test_damaged_schedule(self):
        self.cut()
        for words in (["minimize"], ["explain"], ["promote", "--name", "one"], ["check"]):
            self.assert_refused(self.heddle(*words, TARGET, "cut"), 2, "cut: a damaged schedule")
        replayed = self.heddle("replay", TARGET, "cut", "--runs", "2")
        self.assert_refused(replayed, 2, "cut: a damaged schedule")
        self.assertFalse((self.root / "regressions").exists())
        self.assertFalse((self.root / "cut.min").exists())

    def test_triage_lists_damaged_schedules(self):
        self.cut()
        result = self.heddle("triage", TARGET, "cut")
        self.assertEqual(result.returncode, 2, result)
        self.assertIn("damaged schedules (truncated or overwritten), without a finding:\n  cut\n", result.stdout)
        for form, words in (("markdown", "Damaged schedules\n\n- `cut`"), ("json", '"damaged": [\n    "cut"'),
                            ("junit", 'name="cut"><skipped message="a damaged schedule"/>')):
            self.assertIn(words, self.heddle("triage", TARGET, "cut", "--format", form).stdout)
        both = self.heddle("triage", TARGET, "cut", self.found(TARGET, "u"))
        self.assertEqual(both.returncode, 1, both)

    def test_wrong_options_are_no_internal_error(self):
        name = self.found(TARGET, "u")
        for words in (["replay"], ["minimize"], ["explain"], ["triage"], ["promote", "--name", "one"]):
            self.assert_refused(self.heddle(*words, TARGET, name, HEDDLE_OPTIONS="report_race=1"), 2, "heddle: HEDDLE_OPTIONS: unknown option 'report_race'")

    def test_devices(self):
        for words in (["minimize"], ["explain"], ["promote", "--name", "one"], ["check"]):
            self.assert_refused(self.heddle(*words, TARGET, "/dev/zero"), 2, "/dev/zero", "does not end")
        for command in ("replay", "triage", "debug"):
            self.assert_refused(self.heddle(command, TARGET, "/dev/zero"), 2, "/dev/zero is no regular file")

    def test_debug_needs_a_program(self):
        self.schedule("n", "n")
        script = self.root / "script"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        self.assert_refused(self.heddle("debug", "./script", "n"), 2, "./script is not a heddle fuzz target")
        self.assert_refused(self.heddle("debug", "./absent", "n"), 2, "./absent")

    def test_show_looks_at_its_target(self):
        self.assert_refused(self.heddle("show", "--target", HEDDLE, self.schedule("n", "n")), 2, "not a heddle fuzz target")

    def test_an_input_is_not_overwritten(self):
        name = self.found(TARGET, "u")
        before = (self.root / name).read_bytes()
        link = self.root / "link"
        link.symlink_to(name)
        for words in (["minimize", TARGET, name, "-o", name], ["minimize", TARGET, name, "-o", "link"], ["show", name, "-o", "./" + name],
                      ["triage", TARGET, name, "-o", name], ["triage", TARGET, name, "--known", name]):
            self.assert_refused(self.heddle(*words), 2, "is also an input")
            self.assertEqual((self.root / name).read_bytes(), before)

    def test_outputs_that_cannot_be(self):
        name = self.found(TARGET, "u")
        (self.root / "directory").mkdir()
        for output, why in (("directory", "Is a directory"), ("absent/x", "No such file or directory")):
            for words in (["minimize", TARGET, name, "-o"], ["show", name, "-o"], ["triage", TARGET, name, "-o"], ["triage", TARGET, name, "--known"]):
                self.assert_refused(self.heddle(*words, output), 2, f"cannot write {output}: {why}")
        self.assert_refused(self.heddle("promote", TARGET, name, "--name", "one", "-o", "directory"), 2, "cannot write directory")
        self.assertFalse((self.root / "absent").exists())

    def full_disk(self, *words):
        """No file can have a single byte."""
        return subprocess.run([HEDDLE, *words], cwd=self.root, capture_output=True, text=True, timeout=240, restore_signals=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))

    def test_a_full_disk_leaves_the_old_file(self):
        self.schedule("n", "n")
        old = self.root / "old"
        old.write_text("precious")
        self.assert_refused(self.full_disk("show", "n", "-o", "old"), 99, "cannot write old")
        self.assertEqual(old.read_text(), "precious")
        self.assertEqual(sorted(p.name for p in self.root.iterdir()), ["n", "old", "text"])

    def test_a_full_disk_leaves_no_half_project(self):
        self.assert_refused(self.full_disk("new", "counter"), 99, "cannot write")
        self.assertFalse((self.root / "counter").exists())
        (self.root / "counter").mkdir()
        self.assert_refused(self.full_disk("new", "counter"), 99, "cannot write")
        self.assertEqual(list((self.root / "counter").iterdir()), [])
        self.assertEqual(self.heddle("new", "counter").returncode, 0)

    def test_what_an_output_replaces(self):
        self.schedule("n", "n")
        old = self.root / "old"
        old.write_text("x" * 100000)
        old.chmod(0o640)
        link = self.root / "link"
        link.symlink_to("old")
        self.assertEqual(self.heddle("show", "n", "-o", "link").returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertTrue(old.read_text().startswith("heddle schedule 1\n"))
        self.assertEqual(old.stat().st_mode & 0o777, 0o640)
        self.assertLess(old.stat().st_size, 1000)
        pathlib.Path(self.root / "new-link").symlink_to("made")
        self.assertEqual(self.heddle("show", "n", "-o", "new-link").returncode, 0)
        self.assertTrue((self.root / "made").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
