#!/usr/bin/env python3
"""The checkers of scripts/ on small trees made for them."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import check_layers  # noqa: E402
import check_tree  # noqa: E402


class Tree(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Layers(Tree):
    def verdict(self, including, included):
        self.write(included, "#pragma once\n")
        name = included.removeprefix("schedule-runtime/")
        self.write(including, f'#include "{name}"\n')
        return not list(check_layers.breaches(self.root))

    def test_rooms_see_only_what_is_below(self):
        self.assertTrue(self.verdict("schedule-runtime/engine/a.cc", "schedule-runtime/trace/t.h"))

    def test_no_room_sees_one_above(self):
        self.assertFalse(self.verdict("schedule-runtime/trace/a.cc", "schedule-runtime/engine/e.h"))

    def test_folders_of_intercept_see_its_top_and_what_is_below_them(self):
        self.assertTrue(self.verdict("schedule-runtime/intercept/stdio/a.cc", "schedule-runtime/intercept/real.h"))
        self.assertTrue(self.verdict("schedule-runtime/intercept/stdio/b.cc", "schedule-runtime/intercept/descriptors/d.h"))
        self.assertTrue(self.verdict("schedule-runtime/intercept/stdio/c.cc", "schedule-runtime/primitives/p.h"))

    def test_folders_of_intercept_see_none_above(self):
        self.assertFalse(self.verdict("schedule-runtime/intercept/descriptors/a.cc", "schedule-runtime/intercept/stdio/s.h"))

    def test_top_of_intercept_sees_no_folder(self):
        self.assertFalse(self.verdict("schedule-runtime/intercept/real.h", "schedule-runtime/intercept/stdio/s.h"))

    def test_mutator_sees_order(self):
        self.assertTrue(self.verdict("mutator/operators/flip.cc", "schedule-runtime/order/clock.h"))

    def test_mutator_sees_no_other_room(self):
        self.assertFalse(self.verdict("mutator/operators/flip.cc", "schedule-runtime/trace/t.h"))

    def test_observers_are_known_to_the_registry_alone(self):
        self.assertFalse(self.verdict("schedule-runtime/engine/a.cc", "schedule-runtime/analyses/leak.h"))

    def test_registry_knows_observers(self):
        self.assertTrue(self.verdict("schedule-runtime/analyses/registry.cc", "schedule-runtime/analyses/leak.h"))

    def test_observers_see_order_but_no_engine_internals(self):
        self.assertTrue(self.verdict("schedule-runtime/analyses/leak.cc", "schedule-runtime/order/clock.h"))
        self.assertFalse(self.verdict("schedule-runtime/analyses/leak.cc", "schedule-runtime/engine/engine.h"))

    def test_schema_sees_nothing(self):
        self.assertFalse(self.verdict("schema/codec.cc", "schedule-runtime/base/line.h"))

    def test_nobody_sees_the_harness(self):
        self.assertFalse(self.verdict("mutator/mutator.cc", "harness/driver/target.h"))
        self.assertFalse(self.verdict("schedule-runtime/engine/a.cc", "harness/driver/target.h"))


class State(Tree):
    def errors(self):
        return check_tree.check(self.root)[0]

    def test_clean(self):
        self.write("a.h", "#pragma once\n")
        self.write("a.cc", '#include "a.h"\n')
        self.assertEqual(self.errors(), [])

    def test_long_file(self):
        self.write("a.cc", "\n" * 501)
        self.assertEqual(len(self.errors()), 1)

    def test_budget_is_a_warning(self):
        self.write("a.cc", "\n" * 251)
        self.assertEqual([len(found) for found in check_tree.check(self.root)], [0, 1])

    def test_one_name_twice(self):
        self.write("x/a.cc", "\n")
        self.write("y/a.cc", "\n")
        self.assertEqual(len(self.errors()), 1)

    def test_shim_named_as_what_it_stands_in_front_of(self):
        self.write("schedule-runtime/primitives/futex.cc", "\n")
        self.write("schedule-runtime/intercept/threads/futex.cc", "\n")
        self.assertEqual(self.errors(), [])
        self.write("schedule-runtime/intercept/process/futex.cc", "\n")
        self.assertEqual(len(self.errors()), 1)

    def test_missing_guard(self):
        self.write("a.h", "int x;\n")
        self.assertEqual(len(self.errors()), 1)

    def test_machine_paths_and_hosts(self):
        for text in ("see /wo" + "rk/main/x", "from deb.deb" + "ian.org"):
            self.write("a.md", text + "\n")
            self.assertEqual(len(self.errors()), 1, text)


if __name__ == "__main__":
    unittest.main()
