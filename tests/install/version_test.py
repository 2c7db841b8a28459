#!/usr/bin/env python3
"""--version of the command and the wrappers: version_test.py BUILD_DIRECTORY VERSION"""

import pathlib
import shutil
import subprocess
import sys
import unittest

BIN = pathlib.Path(sys.argv[1]).resolve() / "bin"
VERSION = sys.argv[2]
COMPILERS = {"heddle-clang": "clang-19", "heddle-clang++": "clang++-19", "heddle-gcc": "gcc", "heddle-g++": "g++"}


def output(*command):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    return result.returncode, result.stdout, result.stderr


class Version(unittest.TestCase):
    def test_command(self):
        status, out, _ = output(BIN / "heddle", "--version")
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines()[0], f"heddle {VERSION}")
        self.assertRegex(out, r"(?m)^built by clang \d+\.")

    def test_wrappers_add_a_line_to_what_the_compiler_says(self):
        # Meson, libtool, SCons and configure scripts take the first line or the first version, and look for "clang" or "Free Software Foundation".
        for wrapper, compiler in COMPILERS.items():
            if not shutil.which(compiler):
                continue
            with self.subTest(wrapper=wrapper):
                for options in (["--version"], ["-g", "--version"]):
                    self.assertEqual(output(BIN / wrapper, *options), (0, output(compiler, *options)[1] + f"heddle {VERSION}\n", ""))

    def test_other_questions_are_the_compilers(self):
        for wrapper, compiler in COMPILERS.items():
            if not shutil.which(compiler):
                continue
            with self.subTest(wrapper=wrapper):
                for options in (["-dumpversion"], ["-dumpmachine"], ["-print-search-dirs"]):
                    self.assertEqual(output(BIN / wrapper, *options), output(compiler, *options))
                self.assertNotIn("heddle", output(BIN / wrapper, "-v")[1])

    def test_a_value_is_no_question(self):
        status, out, _ = output(BIN / "heddle-clang", "--heddle-show", "-c", "x.c", "-o", "--version")
        self.assertEqual(status, 0)
        self.assertNotIn(f"heddle {VERSION}", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
