#!/usr/bin/env python3
"""What scripts/prose_mirror.py sees, and what it does not count."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import prose_mirror


class Sentences(unittest.TestCase):
    def lengths(self, text):
        return [len(prose_mirror.words_of(sentence)) for _, sentence in prose_mirror.sentences(text)]

    def test_a_sentence_goes_on_over_lines(self):
        self.assertEqual(self.lengths("One two\nthree. Four five.\n"), [3, 2])

    def test_items_and_paragraphs_are_apart(self):
        self.assertEqual(self.lengths("- one two\n- three\n\nfour five six\n"), [2, 1, 3])

    def test_code_and_tables_do_not_count(self):
        self.assertEqual(self.lengths("# A heading\n\n| a | b |\n\n```sh\nnot this one\n```\n\nOne.\n"), [1])

    def test_code_by_indentation(self):
        self.assertEqual(self.lengths("One two:\n\n    not this one\n\n    nor this\n\nThree.\n"), [2, 1])
        self.assertEqual(self.lengths("- One two.\n\n    Three.\n- Four\n    five.\n"), [2, 1, 2])

    def test_a_piece_of_code_is_a_word_and_a_link_is_its_text(self):
        self.assertEqual(self.lengths("See `a b c` and [the page](p.md#x).\n"), [5])


class Remarks(unittest.TestCase):
    def remarks(self, text):
        return prose_mirror.look("page.md", text)[1]

    def test_long_sentence(self):
        self.assertEqual(len(self.remarks("\n".join(["word " * 9] * 4) + "\n")), 1)
        self.assertEqual(self.remarks("\n".join(["word " * 7] * 5) + "\n"), [])

    def test_long_line(self):
        self.assertEqual(len(self.remarks("a" * 101 + "\n")), 1)
        self.assertEqual(self.remarks("| " + "a" * 200 + " |\n"), [])

    def test_turns_of_phrase(self):
        self.assertEqual(len(self.remarks("It waits for ever.\n")), 1)
        self.assertEqual(self.remarks("It waits forever.\nThe `for ever` in code.\n"), [])


if __name__ == "__main__":
    unittest.main()
