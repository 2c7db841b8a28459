#!/usr/bin/env python3
"""What scripts/run_docs.py runs of a page, and when it fails."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import run_docs


def block(info, *lines):
    return "\n".join([f"```{info}", *lines, "```", ""])


class Pages(unittest.TestCase):
    def run_page(self, text):
        """(exit code, what is printed)"""
        with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()) as out:
            page = pathlib.Path(directory) / "page.md"
            page.write_text(text)
            with mock.patch.object(sys, "argv", ["run_docs.py", directory, str(page)]):
                code = run_docs.main()
        return code, out.getvalue()

    def test_files_are_written_in_their_place_among_the_commands(self):
        text = block("text file=a/one.txt", "first") + block("sh run", "grep first a/one.txt")
        text += block("text file=a/one.txt", "second") + block("sh run", "grep second a/one.txt", "! grep first a/one.txt")
        code, out = self.run_page(text)
        self.assertEqual(code, 0, out)
        self.assertIn("2 block(s) ran", out)

    def test_unmarked_blocks_do_not_run(self):
        self.assertEqual(self.run_page(block("sh", "false") + block("sh run", "true"))[0], 0)

    def test_a_command_that_fails_is_shown(self):
        code, out = self.run_page(block("sh run", "echo said", "false", "echo after"))
        self.assertEqual(code, 1)
        self.assertIn("said", out)
        self.assertNotIn("\nafter", out)

    def test_exit_code_that_a_fence_names(self):
        self.assertEqual(self.run_page(block("sh run exit=3", "exit 3"))[0], 0)
        self.assertEqual(self.run_page(block("sh run exit=3", "true"))[0], 1)

    def test_what_is_not_installed_leaves_its_blocks_out(self):
        with mock.patch.dict(run_docs.NEEDS, {"afl": lambda: None}):
            code, out = self.run_page(block("sh run needs=afl", "false"))
        self.assertEqual(code, 0)
        self.assertIn("0 block(s) ran, one left out for want of afl", out)

    def test_a_page_without_commands_is_a_mistake(self):
        self.assertEqual(self.run_page("# Nothing\n")[0], 1)

    def test_an_installation_that_fails(self):
        code, out = self.run_page(block("sh run installed", "true"))
        self.assertEqual(code, 1)
        self.assertIn("cannot install", out)


if __name__ == "__main__":
    unittest.main()
