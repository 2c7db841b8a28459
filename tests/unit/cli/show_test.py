#!/usr/bin/env python3
"""heddle show --html, --svg and --dot from outside, without a browser: show_test.py HEDDLE TARGET [TARGET_OF_ANOTHER_ENGINE...]"""

import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from show_case import FINDINGS, ShowCase

HEDDLE, TARGET = sys.argv[1:3]
TARGETS = sys.argv[2:]


class Page(html.parser.HTMLParser):
    """Which elements a page has, as a browser would see them, and its data."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.data, self.references = [], [], "", []
        self.feed(text)
        self.model = json.loads(self.data)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        attributes = dict(attributes)
        self.references += [attributes[name] for name in ("src", "href") if name in attributes]
        if tag == "script":
            self.open.append(attributes.get("id"))

    def handle_endtag(self, tag):
        if tag == "script":
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "data":
            self.data += data


class Show(ShowCase):
    def model(self, data, kind=None, target=TARGET):
        return Page(self.page(data, target, kind).read_text()).model

    def test_page_loads_nothing_and_has_the_finding(self):
        elements = set()
        for data, kind in FINDINGS.items():
            page = Page(self.page(data, TARGET, kind).read_text())
            self.assertEqual(page.references, [])
            self.assertEqual(page.elements.count("script"), 2)
            self.assertEqual(page.model["kind"], kind)
            self.assertTrue(any(row[5] & 1 for row in page.model["rows"]))
            elements.add(tuple(page.elements))
        self.assertEqual(len(elements), 1)  # the data make no elements

    def test_hostile_texts_are_in_the_page_as_they_are(self):
        page = self.page("n1000", TARGET, "assertion-failure")
        model = Page(page.read_text()).model
        self.assertIn("</script><script>window.taken=1</script><!-- <img src=x onerror=taken=1>", model["what"])
        source = "\n".join(line for file in model["files"] for _, lines in file["parts"] for line in lines)
        self.assertIn("@DATA@ @TITLE@", source)
        self.assertNotIn("<script>window", page.read_text())

    def test_rows_have_values_writers_and_lines(self):
        model = self.model("n10", "assertion-failure")
        last = [row for row in model["rows"] if "load" in model["words"][row[2]]][-1]
        self.assertRegex(model["words"][last[2]], r"^load \w+ = \d+$")
        self.assertRegex(model["words"][last[7]], r"^read 0x[0-9a-f]+ \(4 bytes\)")
        writer = model["rows"][last[6]]
        self.assertRegex(model["words"][writer[2]], r"^store ")
        self.assertRegex(model["places"][last[3]][4], r"^show_target.cc:\d+$")

    def test_deadlock_has_bars_to_the_end_and_who_waits_for_whom(self):
        model = self.model("d", "deadlock")
        for_good = [lock for lock in model["locks"] if lock[4] & 2]
        self.assertEqual(len(for_good), 2)
        waits = [link for link in model["links"] if link[2] == 4]
        self.assertEqual({(model["rows"][a][0], model["rows"][b][0]) for a, b, _ in waits}, {(1, 2), (2, 1)})

    def test_channels_and_selects(self):
        model = self.model("s")
        self.assertTrue(any(word.startswith("select: receive") for word in model["words"]), model["words"])
        self.assertTrue(any(link[2] == 2 for link in model["links"]))

    def test_calls_that_are_no_operations_have_rows(self):
        model = self.model("m", "assertion-failure")
        notes = [row for row in model["rows"] if row[5] & 512 and not row[5] & 1]
        self.assertEqual(len(notes), 1)
        self.assertRegex(model["words"][notes[0][2]], r"^umask 0, was 0[0-7]*$")
        self.assertRegex(model["places"][notes[0][3]][4], r"^show_target.cc:\d+$")

    def test_every_engine_and_the_empty_file(self):
        (self.root / "empty").touch()
        for target in TARGETS:
            self.assertEqual(self.model("d", "deadlock", target)["kind"], "deadlock")
            result = self.heddle("show", "--html", "--target", target, "empty", "-o", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(Page(result.stdout).model["kind"], "")

    def test_a_recorded_run(self):
        name = self.input("d", TARGET, "deadlock")
        subprocess.run([TARGET, name, "-exact_artifact_path=again"], cwd=self.root, capture_output=True, env={**os.environ, "HEDDLE_OPTIONS": "trace_path=trace"})
        plain = Page(self.heddle("show", "--html", "trace", "-o", "-").stdout).model
        self.assertIn("mutex lock M1", plain["words"])
        named = Page(self.heddle("show", "--html", "trace", "--target", TARGET, "-o", "-").stdout).model
        self.assertTrue(any(place[4].startswith("show_target.cc:") for place in named["places"]), named["places"])

    def test_picture(self):
        for data, kind in FINDINGS.items():
            if data.startswith("n"):
                data = "n10"
            name = self.input(data, TARGET, kind)
            result = self.heddle("show", "--svg", "--target", TARGET, name)
            self.assertEqual(result.returncode, 0, result.stderr)
            picture = xml.etree.ElementTree.fromstring(result.stdout)
            text = "".join(picture.itertext())
            self.assertIn(kind, text)
            self.assertIn("show_target.cc:", text)
        self.assertFalse([e for e in picture.iter() if e.tag.endswith("script") or "href" in "".join(e.attrib)])

    def test_too_long_for_a_picture(self):
        name = self.input("p1000", TARGET)  # without a finding, nothing says which operations matter
        self.assert_refused(self.heddle("show", "--svg", "--target", TARGET, name), 2, "too many for a picture", "heddle minimize", "--html")

    def test_graph(self):
        name = self.input("n10", TARGET, "assertion-failure")
        graph = self.heddle("show", "--dot", "--target", TARGET, name).stdout
        self.assertRegex(graph, r"^digraph \"assertion-failure\" \{\n")
        self.assertTrue(graph.endswith("}\n"))
        nodes = set(re.findall(r"^    (n\d+) \[label=\"(?:[^\"\\]|\\.)*\"", graph, re.MULTILINE))
        edges = re.findall(r"^ +(n\d+) -> (n\d+) \[", graph, re.MULTILINE)
        self.assertLessEqual({node for edge in edges for node in edge}, nodes)
        if shutil.which("dot"):
            drawn = subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, text=True, timeout=60)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
        for label in ("rf", "mo", "sw"):
            self.assertIn(f"label={label},", graph)

    def test_weak_memory(self):
        (self.root / "text").write_text('heddle schedule 1\nmemory-model rc11\nseed 3\npayload "n10"\n')
        self.heddle("show", "--binary", "text", "-o", "weak")
        graph = self.heddle("show", "--dot", "--target", TARGET, "weak").stdout
        self.assertIn("label=mo,", graph)

    def test_output_is_not_overwritten_in_silence(self):
        name = self.input("d", TARGET, "deadlock")
        words = ("show", "--html", "--target", TARGET, name)
        self.assertIn("wrote run-crash-d.html", self.heddle(*words).stdout)
        self.assertIn("replaced run-crash-d.html", self.heddle(*words).stdout)
        self.assertEqual([path.name for path in self.root.glob("crash-*")], [name])  # a pattern for inputs
        (self.root / "run-crash-d.html").write_text("mine")
        self.assert_refused(self.heddle(*words), 2, "run-crash-d.html", "-o")
        self.assertEqual((self.root / "run-crash-d.html").read_text(), "mine")
        self.assertIn("replaced run-crash-d.html", self.heddle(*words, "-o", "run-crash-d.html").stdout)

    def test_without_source(self):
        name = self.input("d", TARGET, "deadlock")
        page = self.heddle("show", "--html", "--target", TARGET, name, "--no-source", "-o", "-").stdout
        self.assertEqual([file["parts"] for file in Page(page).model["files"]], [[]])
        self.assertNotIn("std::lock_guard", page)

    def test_bad_input(self):
        name = self.input("d", TARGET, "deadlock")
        for form in ("--html", "--svg", "--dot"):
            self.assert_refused(self.heddle("show", form, name), 2, "--target")
            self.assert_refused(self.heddle("show", form, "--target", TARGET, "absent"), 2, "absent")
            self.assert_refused(self.heddle("show", form, "--target", HEDDLE, name), 2, "not a heddle fuzz target")
            self.assert_refused(self.heddle("show", form, "--target", TARGET, name, "-o", "/dev/full"), 99, "/dev/full")
        (self.root / "cut").write_bytes((self.root / name).read_bytes()[:30])
        self.assert_refused(self.heddle("show", "--html", "--target", TARGET, "cut"), 2, "damaged")
        self.assert_refused(self.heddle("show", "--html", "--svg", "--target", TARGET, name), 2, "exclude each other")
        self.assert_refused(self.heddle("show", "--svg", "--target", TARGET, name, name), 2, "one FILE")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
