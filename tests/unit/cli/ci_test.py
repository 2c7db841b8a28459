#!/usr/bin/env python3
"""The actions for GitHub and the template for GitLab, as far as that goes without their servers: ci_test.py HEDDLE TARGET...
Their steps run in a directory of their own, with the files and variables that a runner gives them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

try:
    import yaml
except ImportError:
    yaml = None

HEDDLE, TARGET = sys.argv[1:3]
SOURCE = pathlib.Path(__file__).resolve().parents[3]
SEARCH = SOURCE / ".github/actions/search"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def sarif_errors(log):
    """What SARIF 2.1.0 requires, and GitHub's code scanning beyond it."""
    errors = []

    def need(condition, what):
        if not condition:
            errors.append(what)

    need(log.get("version") == "2.1.0", "version")
    need(str(log.get("$schema", "")).endswith("sarif-2.1.0.json"), "$schema")
    need(isinstance(log.get("runs"), list), "runs")
    for run in log.get("runs", []):
        driver = run.get("tool", {}).get("driver", {})
        need(driver.get("name"), "tool.driver.name")
        rules = [rule.get("id") for rule in driver.get("rules", [])]
        need(len(rules) == len(set(rules)) and all(rules), "rules with different ids")
        for result in run.get("results", []):
            need(result.get("message", {}).get("text"), "message.text")
            need(result.get("ruleId") in rules, "ruleId")
            need(result.get("level") in ("none", "note", "warning", "error"), "level")
            need(all(isinstance(text, str) for text in result.get("partialFingerprints", {}).values()), "partialFingerprints")
            need(result.get("locations"), "locations")
            for location in result.get("locations", []):
                place = location["physicalLocation"]
                need(re.fullmatch(r"(file://)?[\w/.~+%-]+", place["artifactLocation"]["uri"]), "uri")
                need(place["region"]["startLine"] >= 1 and place["region"].get("startColumn", 1) >= 1, "region")
    return errors


class CiCase(CommandCase):
    def setUp(self):
        super().setUp()
        self.files = {name: self.root / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        for file in self.files.values():
            file.touch()
        self.environment = {**os.environ, **{name: str(file) for name, file in self.files.items()}, "GITHUB_ACTION_PATH": str(SEARCH),
                            "PATH": f"{pathlib.Path(HEDDLE).parent}:{os.environ['PATH']}"}
        self.environment.pop("HEDDLE_OPTIONS", None)

    def shell(self, script, **environment):
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.root, capture_output=True, text=True, timeout=240,
                              env={**self.environment, **environment})

    def outputs(self):
        return dict(line.split("=", 1) for line in self.files["GITHUB_OUTPUT"].read_text().splitlines())

    def ci_search(self, targets, **environment):
        return self.shell(f"'{SOURCE}/scripts/ci_search.sh'", HEDDLE_TARGETS=targets, HEDDLE_SECONDS="2", **environment)


class Script(CiCase):
    def test_a_finding(self):
        result = self.ci_search(f"\n{TARGET}\n")
        self.assertEqual(result.returncode, 1, result.stderr)
        name = pathlib.Path(TARGET).name
        self.assertEqual(self.outputs()["exit-code"], "1")
        log = json.loads((self.root / f"out/reports/sarif/{name}.sarif").read_text())
        self.assertEqual(sarif_errors(log), [])
        self.assertEqual(int(self.outputs()["findings"]), len(log["runs"][0]["results"]))
        summary = self.files["GITHUB_STEP_SUMMARY"].read_text()
        self.assertIn("| finding | place |", summary)
        self.assertIn("different orders", summary)
        self.assertEqual(summary.count("```") % 2, 0)
        pages = list((self.root / f"out/{name}/pages").iterdir())
        self.assertEqual(len(pages), int(self.outputs()["findings"]))
        self.assertTrue((self.root / f"out/{name}/stats.html").exists())
        self.assertTrue(list((self.root / f"out/{name}/corpus").iterdir()))

    def test_paths_that_a_viewer_finds(self):
        """Relative to the checkout, with the characters of a URI."""
        (self.root / "src").mkdir()
        (self.root / "src/lost update.cc").write_text('#include <cstdlib>\n#include <thread>\n'
                                                      'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) {\n'
                                                      '  std::thread([] { std::abort(); }).join();\n  return 0;\n}\n')
        built = self.shell("heddle-clang++ 'src/lost update.cc' -o target && touch crash-empty")
        self.assertEqual(built.returncode, 0, built.stderr)
        for name, uri in ((".", "src/lost%20update.cc"), ("src", "lost%20update.cc")):
            found = self.shell(f"cd {name} && heddle triage {self.root}/target {self.root}/crash-empty --format sarif")
            place = json.loads(found.stdout)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
            self.assertEqual(place, {"artifactLocation": {"uri": uri}, "region": {"startLine": 4, "startColumn": 20}})

    def test_known_findings_and_seeds(self):
        self.ci_search(TARGET, HEDDLE_MINIMIZE="0")
        name = pathlib.Path(TARGET).name
        known = self.root / f"out/{name}/known.txt"
        known.rename(self.root / "known.txt")
        (self.root / "corpora" / name).mkdir(parents=True)
        result = self.ci_search(TARGET, HEDDLE_KNOWN="known.txt", HEDDLE_SEEDS="corpora", HEDDLE_OUT="again")
        self.assertIn(f"-i corpora/{name}", result.stdout)
        self.assertIn(result.returncode, (0, 1), result.stderr)
        log = json.loads((self.root / f"again/reports/sarif/{name}.sarif").read_text())
        self.assertEqual(sarif_errors(log), [])
        signatures = {one["partialFingerprints"]["heddleSignature/v1"] for one in log["runs"][0]["results"]}
        self.assertFalse(signatures & set(re.findall(r"^[0-9a-f]{16}", (self.root / "known.txt").read_text(), re.MULTILINE)))

    def test_cannot_search(self):
        result = self.ci_search(f"{TARGET}\nabsent")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(self.outputs()["exit-code"], "2")
        self.assertIn("absent could not search", self.files["GITHUB_STEP_SUMMARY"].read_text())
        self.assertEqual(self.ci_search("").returncode, 2)
        result = self.shell(f"'{SOURCE}/scripts/ci_search.sh'", HEDDLE_TARGETS=TARGET, PATH="/usr/bin:/bin")
        self.assertEqual((result.returncode, "install it first" in result.stderr), (2, True))


@unittest.skipUnless(yaml, "no YAML in Python: install it to test the actions (Debian: apt-get install python3-yaml)")
class Actions(CiCase):
    def load(self, path):
        return yaml.safe_load((SOURCE / path).read_text())

    def test_actions_are_whole(self):
        for path in sorted((SOURCE / ".github/actions").glob("*/action.yml")):
            action = self.load(path)
            self.assertTrue(action["name"] and action["description"])
            self.assertEqual(action["runs"]["using"], "composite")
            ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
            for step in action["runs"]["steps"]:
                self.assertEqual(("run" in step) + ("uses" in step), 1)
                self.assertEqual("shell" in step, "run" in step)
                # What a user of the action gives is no part of a script.
                self.assertNotRegex(step.get("run", ""), EXPRESSION)
                if "uses" in step:
                    self.assertRegex(step["uses"], r"^(actions|github)/[\w/-]+@v\d+$")
            for declared in action["inputs"].values():
                self.assertTrue(declared["description"])
                self.assertTrue(declared.get("required") or isinstance(declared["default"], str))
            text = path.read_text()
            for name in re.findall(r"inputs\.([\w-]+)", text):
                self.assertIn(name, action["inputs"])
            for name in action["inputs"]:
                self.assertIn(f"inputs.{name}", text)
            for name in re.findall(r"steps\.([\w-]+)", text):
                self.assertIn(name, ids)

    def steps(self, **inputs):
        """Runs the steps of the search that are scripts, as a runner does. Returns the code of the last one."""
        action = self.load(".github/actions/search/action.yml")
        given = {name: declared.get("default") for name, declared in action["inputs"].items()} | inputs
        code = None
        for step in action["runs"]["steps"]:
            if "run" not in step:
                continue

            def value(match):
                kind, _, name = match[1].partition(".")
                return given[name] if kind == "inputs" else self.outputs().get(name.rpartition(".")[2], "")

            result = self.shell(step["run"], **{name: EXPRESSION.sub(value, text) for name, text in step.get("env", {}).items()})
            code = result.returncode
            self.said = result.stdout
        return code

    def test_steps(self):
        self.assertEqual(self.steps(targets=TARGET, seconds="2", minimize="0"), 1)
        self.assertIn("::error::heddle found", self.said)
        self.files["GITHUB_OUTPUT"].write_text("")
        self.assertEqual(self.steps(targets=TARGET, seconds="1", minimize="0", **{"fail-on-finding": "false"}), 0)
        self.files["GITHUB_OUTPUT"].write_text("")
        self.assertEqual(self.steps(targets="absent; touch taken"), 2)
        self.files["GITHUB_OUTPUT"].write_text("")
        self.assertEqual(self.steps(targets=""), 2)
        self.assertFalse((self.root / "taken").exists())

    def test_gitlab(self):
        job = self.load(".gitlab/heddle.yml")[".heddle"]
        (self.root / "heddle").symlink_to(SOURCE)
        result = self.shell("\n".join(job["script"]), **job["variables"] | {"HEDDLE_TARGETS": TARGET, "HEDDLE_SECONDS": "1", "HEDDLE_MINIMIZE": "0", "HEDDLE_BUILD": "echo built > here && true"})
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertTrue((self.root / "here").exists())
        for path in job["artifacts"]["paths"] + job["cache"]["paths"] + [job["artifacts"]["reports"]["junit"]]:
            self.assertTrue(list(self.root.glob(path)), path)
        names = set(re.findall(r"HEDDLE_[A-Z]+", (SOURCE / "scripts/ci_search.sh").read_text()))
        self.assertLessEqual(names, set(job["variables"]))

    def test_examples_of_the_page(self):
        """Inputs, variables and paths in the examples exist."""
        blocks = re.findall(r"^```yaml\n(.*?)^```$", (SOURCE / "docs/how-to/ci.md").read_text(), re.MULTILINE | re.DOTALL)
        github, gitlab = map(yaml.safe_load, blocks)
        inputs = self.load(".github/actions/search/action.yml")["inputs"]
        search = github["jobs"]["schedules"]["steps"][-1]
        self.assertTrue((SOURCE / search["uses"].removeprefix("./heddle/") / "action.yml").exists())
        self.assertLessEqual(set(search["with"]), set(inputs))
        self.assertLessEqual(set(gitlab["schedules"]["variables"]), set(self.load(".gitlab/heddle.yml")[gitlab["schedules"]["extends"]]["variables"]))
        page = (SOURCE / "docs/how-to/ci.md").read_text()
        for name, declared in inputs.items():
            default = "required" if declared.get("required") else declared["default"] or "none"
            self.assertRegex(page, rf"\| `{name}` \| .* \| `?{re.escape(default)}`? \|\n")

    def test_the_project_of_heddle_new_uses_them(self):
        self.assertEqual(self.heddle("new", "tickets").returncode, 0)
        workflow = yaml.safe_load((self.root / "tickets/.github/workflows/schedules.yml").read_text())
        used = {}
        for step in workflow["jobs"]["schedules"]["steps"]:
            if step.get("uses", "").startswith("./heddle/"):
                path = SOURCE / step["uses"].removeprefix("./heddle/") / "action.yml"
                used[path.parent.name] = step
                inputs = yaml.safe_load(path.read_text())["inputs"]
                self.assertLessEqual(set(step.get("with", {})), set(inputs))
                self.assertLessEqual({name for name, declared in inputs.items() if declared.get("required")}, set(step.get("with", {})))
        self.assertEqual(set(used), {"install", "search"})
        self.assertTrue((self.root / "tickets/corpora/tickets_fuzz").is_dir())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
