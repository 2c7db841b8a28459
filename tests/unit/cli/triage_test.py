#!/usr/bin/env python3
"""heddle triage from outside: triage_test.py HEDDLE TARGET FAKE_TARGET [TARGET_OF_ANOTHER_ENGINE...]"""

import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from command_case import CommandCase

HEDDLE, TARGET, FAKE = sys.argv[1:4]
OTHERS = sys.argv[4:]


class Triage(CommandCase):
    def run_target(self, name, target=TARGET, **environment):
        return subprocess.run([target, name, "-exact_artifact_path=again"], cwd=self.root, capture_output=True, text=True, timeout=60,
                              env={**os.environ, **environment})

    def found(self, name, data, first_seed=1):
        for seed in range(first_seed, first_seed + 400):
            self.schedule(name, data, f"seed {seed}", "strategy random_walk")
            if self.run_target(name).returncode != 0:
                return seed
        self.fail(f"no seed has the finding of {data}")

    def fill(self):
        """Two lost updates, a deadlock, a file without a finding, one that does not apply, and what is not to be looked at."""
        seed = self.found("found/crash-1", "u")
        self.found("found/crash-2", "u12345", seed + 1)
        self.found("found/default/crashes/id:000000,sig:06,src:000000", "d")
        self.schedule("found/crash-passes", "n")
        self.schedule("found/crash-other", "n", "delay any mutex_lock @0x3333 until idle")
        for name in ("found/crash-1.html", "found/default/queue/id:000000", "found/README.txt", "found/corpus/crash-like"):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("u")

    def json(self, *words):
        result = self.heddle("triage", TARGET, *words, "--format", "json")
        self.assertEqual(result.returncode, 1, result.stderr)
        return json.loads(result.stdout)

    def test_groups(self):
        self.fill()
        seen = self.json("found")
        self.assertEqual(seen["files"], 5)
        self.assertEqual([(g["kind"], len(g["files"])) for g in seen["findings"]], [("assertion-failure", 2), ("deadlock", 1)])
        self.assertEqual(seen["findings"][0]["smallest"], "found/crash-1")
        self.assertEqual(seen["without_finding"], ["found/crash-passes"])
        self.assertEqual(seen["not_applicable"], ["found/crash-other"])
        for group in seen["findings"]:
            report = self.run_target(group["smallest"]).stderr
            self.assertIn(f"Signature: {group['signature']}\n", report)
            self.assertIn("The interleaving", group["report"])

    def search(self, target, name):
        """An input with a finding of the 'g', where the block is used is chance, that is not known. Mode flow changes data seldom."""
        (self.root / "seeds").mkdir(exist_ok=True)
        (self.root / "seeds/g").write_text("g")
        for seed in range(1, 40):
            subprocess.run([target, "-runs=20000", f"-seed={seed}", f"-exact_artifact_path={name}", "seeds"], cwd=self.root, capture_output=True,
                           timeout=120, env={**os.environ, "HEDDLE_OPTIONS": "known=known:mode=flow"})
            group = json.loads(self.heddle("triage", target, name, "--known", "known", "--format", "json").stdout)["findings"][0]
            # The engine may have changed the first byte, and so found another bug.
            if "freed_at" in group and '\npayload "g' in self.heddle("show", name).stdout:
                return group
        self.fail("nothing found")

    def test_uses_of_what_was_freed_at_one_place(self):
        (self.root / "known").write_text("")
        groups = [self.search(TARGET, f"crash-{n}") for n in range(2)]
        self.assertNotEqual(groups[0]["signature"], groups[1]["signature"])
        self.assertEqual(groups[0]["freed_at"], groups[1]["freed_at"])
        text = self.heddle("triage", TARGET, "crash-0", "crash-1").stdout
        self.assertEqual(text.count(f"\n  freed at {groups[0]['freed_at']}, as in 1 other finding: perhaps one bug\n"), 2, text)
        self.assertNotIn("perhaps", self.heddle("triage", TARGET, "crash-0").stdout)
        self.assertEqual(self.search(os.environ["ORDERS_ASAN"], "crash-asan")["freed_at"], groups[0]["freed_at"])

    def test_text_and_markdown(self):
        self.fill()
        text = self.heddle("triage", TARGET, "found").stdout
        self.assertRegex(text, r": 5 files, 2 different findings\n")
        self.assertRegex(text, r"\nassertion-failure \S+orders_target.cc:\d+:\d+ in .*\n  signature [0-9a-f]{16}, 2 files\n  smallest: found/crash-1\n")
        self.assertIn("do not apply to this build:\n  found/crash-other\n", text)
        markdown = self.heddle("triage", TARGET, "found", "--format", "markdown").stdout
        self.assertRegex(markdown, r"\| deadlock \| `.*` \| `[0-9a-f]{16}` \| 1 \| `found/default/crashes/id:000000,")
        self.assertIn("```text\nThe interleaving", markdown)

    def test_sarif(self):
        self.fill()
        result = self.heddle("triage", TARGET, "found", "--format", "sarif", "-o", "report.sarif")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        run = json.loads((self.root / "report.sarif").read_text())["runs"][0]
        self.assertEqual([rule["id"] for rule in run["tool"]["driver"]["rules"]], ["assertion-failure", "deadlock"])
        first = run["results"][0]
        place = first["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("orders_target.cc"))
        self.assertGreater(place["region"]["startLine"], 1)
        self.assertRegex(first["partialFingerprints"]["heddleSignature/v1"], r"^[0-9a-f]{16}$")

    def test_junit(self):
        self.fill()
        suite = xml.etree.ElementTree.fromstring(self.heddle("triage", TARGET, "found", "--format", "junit").stdout)[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("4", "2", "1"))
        self.assertEqual([case[0].get("type") for case in suite if len(case) and case[0].tag == "failure"], ["assertion-failure", "deadlock"])
        self.assertIn("The interleaving", suite[0][0].text)

    def test_known(self):
        self.fill()
        (self.root / "known").write_text("# ours\n0123456789abcdef\n")
        self.heddle("triage", TARGET, "found", "--known", "known")
        lines = (self.root / "known").read_text().splitlines()
        self.assertEqual(lines[:2], ["# ours", "0123456789abcdef"])
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[3], r"^[0-9a-f]{16}  # deadlock \S+orders_target.cc:")
        self.heddle("triage", TARGET, "found", "--known", "known")
        self.assertEqual((self.root / "known").read_text().splitlines(), lines)
        self.assertEqual(self.run_target("found/crash-1", HEDDLE_OPTIONS="known=known").returncode, 0)

    def test_keep_and_minimize(self):
        self.fill()
        kept = {g["kind"]: g for g in self.json("found", "--keep", "kept", "--minimize")["findings"]}
        self.assertEqual(sorted(path.name for path in (self.root / "kept").iterdir()), sorted(f"{k}-{g['signature']}" for k, g in kept.items()))
        for group in kept.values():
            self.assertIn(f"Signature: {group['signature']}\n", self.run_target(group["kept"]).stderr)
        self.assertEqual(kept["deadlock"]["minimized"]["after"]["constraints"], 1)
        plain = {g["kind"]: g for g in self.json("found", "--keep", "plain")["findings"]}
        self.assertEqual((self.root / plain["deadlock"]["kept"]).read_bytes(), (self.root / plain["deadlock"]["smallest"]).read_bytes())

    def test_files_and_the_empty_file(self):
        (self.root / "empty").touch()
        self.assertEqual(self.json("empty")["findings"][0]["kind"], "assertion-failure")

    def test_other_engines(self):
        for target in OTHERS:
            (self.root / "crash-e").touch()
            result = self.heddle("triage", target, ".", "--format", "json")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(json.loads(result.stdout)["findings"][0]["kind"], "assertion-failure", target)

    def test_address_sanitizer(self):
        target = os.environ["ORDERS_ASAN"]
        for data in "fu":
            os.rename(self.root / super().found(target, data), self.root / f"crash-{data}")
        result = self.heddle("triage", target, ".", "--keep", "kept", "--minimize", "--format", "json")
        self.assertEqual(result.returncode, 1, result.stderr)
        groups = json.loads(result.stdout)["findings"]
        self.assertEqual(sorted(group["kind"] for group in groups), ["assertion-failure", "heap-use-after-free"])
        self.assertEqual({group["kind"]: group["minimized"]["after"]["constraints"] for group in groups},
                         {"assertion-failure": 1, "heap-use-after-free": 2})

    def test_a_whole_program(self):
        target, options = os.environ["ORDERS_PROGRAM"], "stdin=1"
        for data in "ud":
            os.rename(self.root / super().found(target, data, HEDDLE_OPTIONS=options), self.root / f"crash-{data}")
        result = self.heddle("triage", target, ".", "--format", "json", HEDDLE_OPTIONS=options)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(sorted(group["kind"] for group in json.loads(result.stdout)["findings"]), ["assertion-failure", "deadlock"])

    def test_nothing_found(self):
        self.schedule("found/crash-n", "n")
        result = self.heddle("triage", TARGET, "found")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 file, 0 different findings", result.stdout)
        (self.root / "none").mkdir()
        self.assertEqual(self.heddle("triage", TARGET, "none").returncode, 0)
        self.schedule("other/crash-n", "n", "delay any mutex_lock @0x3333 until idle")
        self.assertEqual(self.heddle("triage", TARGET, "other").returncode, 125)

    def test_bad_input(self):
        self.assert_refused(self.heddle("triage", TARGET, "absent"), 2, "absent")
        self.assert_refused(self.heddle("triage", HEDDLE, "."), 2, "not a heddle fuzz target")
        self.assert_refused(self.heddle("triage", TARGET, ".", "--format", "word"), 2, "word")
        self.assert_refused(self.heddle("triage", TARGET, ".", "--minimize"), 2, "--keep")
        (self.root / "crash-e").touch()
        self.assert_refused(self.heddle("triage", FAKE, "."), 99, "does not answer")
        self.assert_refused(self.heddle("triage", TARGET, ".", "-o", "/dev/full"), 99, "/dev/full")
        self.assert_refused(self.heddle("triage", TARGET, ".", "--keep", "crash-e"), 2, "crash-e")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
