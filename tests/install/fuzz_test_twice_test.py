#!/usr/bin/env python3
"""HEDDLE_FUZZ_TEST twice in a program: the message says what to do. fuzz_test_twice_test.py BUILD_DIRECTORY"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv[1]).resolve() / "bin"
HEADER = "#include <heddle/heddle.h>\n"
ONE = "HEDDLE_FUZZ_TEST(one) { (void)0; }\n"
OTHER = "HEDDLE_FUZZ_TEST(other) { (void)0; }\n"
# Also with warnings that a project may make errors.
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wredundant-decls", "-Wmissing-declarations", "-Werror"]

# (wrapper, extension, environment)
COMPILERS = [("heddle-clang++", "cc", {}), ("heddle-clang", "c", {}), ("heddle-g++", "cc", {}), ("heddle-gcc", "c", {}),
             ("heddle-clang++", "cc", {"HEDDLE_CLANGXX": "clang++-14"}), ("heddle-clang", "c", {"HEDDLE_CLANG": "clang-14"})]


class FuzzTestTwice(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-twice-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def run_wrapper(self, wrapper, environment, *arguments):
        flags = [*STRICT, "-std=c++17" if wrapper.endswith("++") else "-std=c11"]
        result = subprocess.run([str(BIN / wrapper), *flags, *arguments], cwd=self.directory, env={**os.environ, **environment}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return result.returncode, result.stdout

    def test_once(self):
        for wrapper, extension, environment in COMPILERS:
            with self.subTest(wrapper=wrapper, **environment):
                (self.directory / f"once.{extension}").write_text(HEADER + ONE)
                status, out = self.run_wrapper(wrapper, environment, "-c", f"once.{extension}")
                self.assertEqual((status, out), (0, ""))

    def test_twice_in_a_file(self):
        for wrapper, extension, environment in COMPILERS:
            with self.subTest(wrapper=wrapper, **environment):
                (self.directory / f"twice.{extension}").write_text(HEADER + ONE + OTHER)
                status, out = self.run_wrapper(wrapper, environment, "-c", f"twice.{extension}")
                self.assertNotEqual(status, 0)
                self.assertIn("a second HEDDLE_FUZZ_TEST in this file", out)
                self.assertIn("a file of its own", out)
                self.assertEqual(out.count("error:"), 1, out)
                self.assertIn(f"twice.{extension}:3:", out)
                self.assertNotIn("redefinition", out)

    def test_twice_in_two_files(self):
        for wrapper, extension, environment in COMPILERS[:4]:
            with self.subTest(wrapper=wrapper, **environment):
                for name, text in (("one", ONE), ("other", OTHER)):
                    (self.directory / f"{name}.{extension}").write_text(HEADER + text)
                status, out = self.run_wrapper(wrapper, environment, f"one.{extension}", f"other.{extension}", "-o", "twice")
                self.assertNotEqual(status, 0)
                self.assertIn("only_one_HEDDLE_FUZZ_TEST_in_a_program", out)
                self.assertIn("other", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
