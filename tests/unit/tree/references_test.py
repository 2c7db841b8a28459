#!/usr/bin/env python3
"""References of small trees: what can be followed, and what is nearly the same and cannot."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import check_tree  # noqa: E402
import references  # noqa: E402


class References(unittest.TestCase):
    PAGE = "# A page\n\n## What `f()` does, and why\n\n## Twice\n\n## Twice\n\nUnderlined\n---\n"

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def errors(self, name, text):
        self.write("docs/design/page.md", self.PAGE)
        self.write("schedule-runtime/races/shadow.h", "#pragma once\n")
        self.write(name, text + "\n")
        return check_tree.check(self.root)[0]

    def assert_followed(self, name, text):
        self.assertEqual(self.errors(name, text), [], text)

    def assert_broken(self, name, text):
        self.assertEqual(len(self.errors(name, text)), 1, text)

    def test_links_of_pages(self):
        for link in ("design/page.md", "./design/page.md", "design/page.md#twice", "design/page.md#twice-1", "design/page.md#underlined",
                     "design/page.md#what-f-does-and-why", "#here", "design", "design/", "/docs/design/page.md", "../schedule-runtime/races",
                     "https://example.com/docs/none.md", "mailto:a@example.com", 'design/page.md "its title"'):
            self.assert_followed("docs/a.md", f"# Here\n\n[a]({link})")
        for link in ("design/pages.md", "page.md", "design/page.md#thrice", "design/page.md#twice-2", "design/page.md#what-f-does", "#there",
                     "designs", "/design/page.md", "../../a.md", 'design/pages.md "its title"', "design/page.md#Twice"):
            self.assert_broken("docs/a.md", f"# Here\n\n[a]({link})")

    def test_link_over_two_lines(self):
        self.assert_followed("docs/a.md", "[a\nlong text](design/page.md)")
        self.assert_broken("docs/a.md", "[a\nlong text](design/pages.md)")

    def test_links_by_label(self):
        self.assert_followed("docs/a.md", "[a][page]\n\n[page]: design/page.md")
        self.assert_broken("docs/a.md", "[a][page]\n\n[pages]: design/page.md")
        self.assert_broken("docs/a.md", "[a][page]\n\n[page]: design/pages.md")

    def test_code_holds_no_links(self):
        for code in ("```cpp\n[](none.md);\n```", "~~~\n[](none.md);\n```\n~~~", "`[](none.md)`", "``[](none.md) ` ``", "`over\ntwo [](none.md) lines`"):
            self.assert_followed("docs/a.md", code)
        for text in ("```cpp\n```\n[](none.md)", "`a` [](none.md) `b`", "a ` b\n\n[](none.md) ` c"):
            self.assert_broken("docs/a.md", text)

    def test_headings_in_code_are_none(self):
        self.write("docs/b.md", "```sh\n# build\n```\n")
        self.assert_broken("docs/a.md", "[a](b.md#build)")

    def test_citations_in_code(self):
        for cited in ("docs/design/page.md", "docs/design/page.md#twice.", "(docs/design/page.md)", "${PROJECT_SOURCE_DIR}/docs/design/page.md",
                      "https://example.com/x/docs/none.md", "another/docs/none.md", "docs/*.md", "docs/design/<name>.md"):
            for name, text in (("a.cc", "// " + cited), ("a.cmake", "# " + cited), ("docs/a.md", "```sh\nless " + cited + "\n```")):
                self.assert_followed(name, text)
        for cited in ("docs/page.md", "docs/design/page.md#thrice", "docs/design/pages.md", "${PROJECT_SOURCE_DIR}/docs/page.md"):
            for name, text in (("a.cc", "// " + cited), ("a.cmake", "# " + cited), ("docs/a.md", "`" + cited + "`")):
                self.assert_broken(name, text)
                self.write(name, "\n")

    def test_citations_of_what_no_reader_has(self):
        for cited in ("go-family.md 1.2", "go-family 1.2", "fuzz-integration.md A6", "DESIGN.md 6", "DESIGN 2", "RUNTIME.md 4", "RUNTIME 4", "seed 002", "Seed 000, x",
                      "spec/strategies.md", "anchors.md", "strategies.md", "weak-memory.md", "gopie.md#mutation"):
            self.assert_broken("a.cc", f"// as in {cited}")
            self.write("a.cc", "\n")
        self.write("docs/design/strategies.md", "# PCT\n")
        for kept in ("docs/design/strategies.md#pct", "a family of Go programs", "DESIGNS of 6", "RUNTIME_4", "seed 02", "seed 0x1234", "aspec/s", "/opt/spec/s"):
            self.assert_followed("a.cc", f"// as in {kept}")
        self.assert_followed("docs/design/a.md", "[strategies.md](strategies.md#pct)")
        self.assert_broken("docs/design/a.md", "go-family 1.2")

    def test_sources_that_design_pages_name(self):
        for source in ("races/shadow.h", "schedule-runtime/races/shadow.h", "page.md", "f(a/b.h, c)"):
            self.assert_followed("docs/design/a.md", f"`{source}`")
        self.assert_followed("docs/a.md", "`races/shadows.h`")
        for source in ("races/shadows.h", "aces/shadow.h"):
            self.assert_broken("docs/design/a.md", f"`{source}`")

    def test_anchors_as_github_makes_them(self):
        for heading, name in (("Plain", "plain"), ("Two  spaces", "two--spaces"), ("`f()`, `g_h`", "f-g_h"), ("A & B", "a--b"), ("[Link](x.md) it", "link-it"),
                              ("*Stars* and _lines_", "stars-and-lines"), ("GFuzz+HB", "gfuzzhb"), ("1. Läufe", "1-läufe"), ("Closed ##", "closed")):
            self.assertEqual(references.anchors(f"## {heading}\n"), {name})
        self.assertEqual(references.anchors('<a id="own"></a>\n\n#no heading\n'), {"own"})


if __name__ == "__main__":
    unittest.main()
