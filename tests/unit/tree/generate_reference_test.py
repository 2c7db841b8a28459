#!/usr/bin/env python3
"""Tests of scripts/generate_reference.py: what it makes of symbols, and of the blocks in a page."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import generate_reference  # noqa: E402


class Fixed:
    def __init__(self, blocks):
        self.blocks = blocks

    def block(self, name):
        return self.blocks[name]


PAGE = """# Page

Before.

<!-- generated: moves -->
| old |
<!-- end of generated -->

Between.

<!-- generated: calls put_back -->
<!-- end of generated -->
After.
"""


class Blocks(unittest.TestCase):
    def test_replaced_and_nothing_else(self):
        made = generate_reference.generated(PAGE, Fixed({"moves": "| new |\n", "calls put_back": "| calls |\n"}))
        self.assertEqual(made, PAGE.replace("| old |", "| new |").replace("put_back -->\n", "put_back -->\n| calls |\n"))

    def test_the_same_again(self):
        blocks = Fixed({"moves": "| a |\n| \\1 |\n", "calls put_back": "| calls |\n"})
        once = generate_reference.generated(PAGE, blocks)
        self.assertEqual(generate_reference.generated(once, blocks), once)

    def test_unknown_block_is_an_error(self):
        with self.assertRaises(KeyError):
            generate_reference.generated(PAGE, Fixed({"moves": ""}))


class Names(unittest.TestCase):
    def test_variants_are_left_out(self):
        self.assertEqual(generate_reference.readable({"open", "open64", "__open_2", "__read_chk", "_exit"}), ["_exit", "open"])

    def test_a_name_that_only_has_the_long_form_stays(self):
        self.assertEqual(generate_reference.readable({"lio_listio64"}), ["lio_listio64"])

    def test_names_of_the_program(self):
        self.assertEqual(generate_reference.readable({"heddle_program_memcmp", "heddle_first_memcmp"}), ["memcmp"])

    def test_cxx_names_without_what_no_program_writes(self):
        self.assertEqual(generate_reference.readable({"_ZNSt6thread4joinEv", "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_ZTISt9bad_alloc"}),
                         ["std::thread::join"])

    def test_annotations_begin_with_underscores(self):
        self.assertEqual(generate_reference.readable({"__tsan_acquire"}), [])
        self.assertEqual(generate_reference.readable({"__tsan_acquire"}, with_underscores=True), ["__tsan_acquire"])

    def test_refusals_in_sources(self):
        self.assertEqual(generate_reference.REFUSED.findall('if (x) refuse("kill of another process", HEDDLE_HERE, "no");'),
                         ["kill of another process"])


if __name__ == "__main__":
    unittest.main()
