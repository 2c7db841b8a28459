#!/usr/bin/env python3
"""heddle run and heddle new from outside:

run_test.py HEDDLE TARGET FAKE_TARGET STANDALONE_TARGET [AFL_TARGET]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET, FAKE, STANDALONE = sys.argv[1:5]
AFL = sys.argv[5:]


class Run(CommandCase):
    def seeds(self, *data):
        directory = self.root / "seeds"
        directory.mkdir()
        for bug in data:
            (directory / bug).write_text(bug)
        return "seeds"

    def run_target(self, code, *words, **environment):
        result = self.heddle("run", TARGET, *words, **environment)
        self.assertEqual(result.returncode, code, result)
        return result

    def test_goes_on_past_findings(self):
        # The default schedule has one, and hides the others.
        result = self.run_target(1, "-i", self.seeds("u", "d"), "--findings", "3", "--seconds",
                                 "120", "--jobs", "2", "--report", "json=found.json")
        self.assertRegex(result.stderr, r"heddle run: after \d+ s: SUMMARY: HeddleSanitizer: ")
        self.assertRegex(result.stderr, r"\d+ executions, \d+ a second; \d+ orders; \d+ of \d+ "
                                        r"racing pairs both ways; \d findings; last news \d+ s ago")
        self.assertRegex(result.stdout, r", \d different findings\n")
        found = json.loads((self.root / "found.json").read_text())["findings"]
        signatures = {group["signature"] for group in found}
        self.assertGreaterEqual(len(signatures), 3)
        known = re.findall(r"^[0-9a-f]{16}", (self.root / "out/known.txt").read_text(), re.M)
        self.assertEqual(set(known), signatures)
        for group in found:
            self.assertTrue(group["smallest"].startswith("out/findings/crash-"))

    def test_known_findings_are_no_findings(self):
        self.run_target(1, "--findings", "1", "--seconds", "60", "--jobs", "1")
        known = (self.root / "out/known.txt").rename(self.root / "known.txt")
        result = self.run_target(0, "--known", known, "-o", "again", "--jobs", "1", "--", "-runs=1")
        self.assertEqual(result.stdout, "nothing found\n")
        self.assertIn("0 findings", result.stderr)

    def test_a_known_finding_before_a_new_one(self):
        """Races that are known, and then the assertion that follows from them, in one execution."""
        known = self.root / "known.txt"
        known.write_text("")
        seeds = self.seeds("i")
        for _ in range(20):  # all that comes before it becomes known
            run = subprocess.run([TARGET, "-runs=20000", "-seed=1", "-exact_artifact_path=found", seeds], cwd=self.root, capture_output=True, text=True,
                                 timeout=120, env={**os.environ, "HEDDLE_OPTIONS": "report_races=1:known=known.txt"})
            signature = re.search(r"^Signature: (\w+)$", run.stderr, re.M)[1]
            if re.search(r"SUMMARY: .* assertion-failure .* in plain_lost_update$", run.stderr, re.M):
                break
            known.write_text(known.read_text() + signature + "\n")
        (self.root / "found").rename(self.root / "seeds" / "i")
        result = self.run_target(1, "-i", seeds, "--known", "known.txt", "--findings", "1", "--seconds", "60", "--jobs", "1", "--minimize",
                                 "--report", "json=found.json", HEDDLE_OPTIONS="report_races=1")
        found = json.loads((self.root / "found.json").read_text())["findings"]
        self.assertEqual([group["signature"] for group in found], [signature], result.stdout)
        self.assertRegex(found[0]["report"], r"SUMMARY: .* assertion-failure .* in plain_lost_update")

    def test_minimize(self):
        result = self.run_target(1, "--findings", "1", "--seconds", "60", "--jobs", "1",
                                 "--minimize")
        kept = re.search(r"^  kept as (\S+\.min)$", result.stdout, re.M)[1]
        self.assertEqual(self.heddle("check", TARGET, kept).returncode, 1)

    def test_the_time_is_up(self):
        self.run_target(1, "--seconds", "1", "--jobs", "1")

    def test_the_time_is_up_before_the_search_begins(self):
        result = self.heddle("run", os.environ["SLOW_START"], "--seconds", "1", "--jobs", "1")
        self.assertEqual((result.returncode, result.stdout), (0, "nothing found\n"), result.stderr)

    def test_refused(self):
        def refused(*words, code=2, target=TARGET):
            self.assert_refused(self.heddle("run", target, *words[1:]), code, words[0])

        refused("not a heddle fuzz target", target=HEDDLE)
        refused("no fuzzing engine", target=STANDALONE)
        for target in AFL:
            refused("built for AFL++", target=target)
        refused("absent", target="absent")
        refused("not a directory", "-i", "absent")
        refused("absent", "--known", "absent")
        refused("FORMAT=FILE", "--report", "sarif")
        refused("FORMAT=FILE", "--report", "word=file")
        refused("cannot write absent/x", "--report", "sarif=absent/x")
        refused("Is a directory", "--report", "text=.")
        refused("seconds", "--seconds", "0")
        (self.root / "file").touch()
        refused("cannot create file/corpus", "-o", "file")

    def test_a_target_that_cannot_search(self):
        result = self.heddle("run", TARGET, "--seconds", "60", HEDDLE_OPTIONS="nonsense=1")
        self.assert_refused(result, 2, "exit code 2", "nonsense")


class New(CommandCase):
    def test_what_it_makes_works(self):
        made = self.heddle("new", "tickets")
        self.assertEqual(made.returncode, 0, made.stderr)
        project = self.root / "tickets"
        for name in ("tickets_fuzz.cc", "CMakeLists.txt", "README.md", ".gitignore",
                     ".github/workflows/schedules.yml"):
            self.assertIn(f"tickets/{name}\n", made.stdout)
            self.assertNotIn("@NAME@", (project / name).read_text())
        seeds = sorted((project / "corpora/tickets_fuzz").iterdir())
        self.assertEqual(len(seeds), 3)
        wrapper = pathlib.Path(HEDDLE).with_name("heddle-clang++")
        built = subprocess.run([wrapper, "-std=c++20", "tickets_fuzz.cc", "-o", "tickets_fuzz"],
                               cwd=project, capture_output=True, text=True, timeout=240)
        self.assertEqual(built.returncode, 0, built.stderr)
        result = self.heddle("run", "tickets/tickets_fuzz", "-i", "tickets/corpora/tickets_fuzz",
                             "--jobs", "2", "--", "-runs=200")
        self.assertEqual(result.returncode, 0, result)
        self.assertEqual(result.stdout, "nothing found\n")

    def test_in_another_directory(self):
        self.assertEqual(self.heddle("new", "tickets", "-o", "elsewhere").returncode, 0)
        self.assertTrue((self.root / "elsewhere/tickets_fuzz.cc").exists())

    def test_refused(self):
        self.assert_refused(self.heddle("new"), 2, "NAME")
        self.assert_refused(self.heddle("new", "two-words"), 2, "no name for a function")
        (self.root / "there").mkdir()
        (self.root / "there/file").write_text("mine")
        self.assert_refused(self.heddle("new", "there"), 2, "not empty")
        self.assertEqual((self.root / "there/file").read_text(), "mine")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
