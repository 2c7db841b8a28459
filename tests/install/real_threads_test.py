#!/usr/bin/env python3
"""A HEDDLE_FUZZ_TEST in a program without heddle says so, once, unless that is asked for. real_threads_test.py BUILD_DIRECTORY INCLUDE"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, INCLUDE = sys.argv[1:3]
NOTE = "heddle: note: mistaken runs on real threads"
SOURCES = {
    "c": "#include <heddle/heddle.h>\n#include <unistd.h>\nHEDDLE_FUZZ_TEST(mistaken) { (void)write; }\n",
    "cc": "#include <heddle/heddle.h>\n#include <unistd.h>\nHEDDLE_FUZZ_TEST(mistaken) { (void)::write; }\n",
}
MAIN = {
    "c": "int LLVMFuzzerTestOneInput(const uint8_t*, size_t);\nint main(void) { return LLVMFuzzerTestOneInput(0, 0); }\n",
    "cc": 'extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t);\nint main() { return LLVMFuzzerTestOneInput(nullptr, 0); }\n',
}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wredundant-decls", "-Werror"]


class RealThreads(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)

    def says(self, compiler, kind, text, *options):
        source = self.root / f"mistaken.{kind}"
        source.write_text(text)
        built = subprocess.run([compiler, *options, f"-I{INCLUDE}", source, "-o", self.root / "program"], capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = subprocess.run([self.root / "program", *(["-runs=10"] if "fuzz" in " ".join(options) or "heddle" in str(compiler) else [])],
                             cwd=self.root, capture_output=True, text=True, errors="replace")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stderr.count(NOTE)

    def test_without_heddle(self):
        for compiler, kind in (("clang-19", "c"), ("clang++-19", "cc")):
            with self.subTest(compiler=compiler):
                self.assertEqual(self.says(compiler, kind, SOURCES[kind], "-fsanitize=fuzzer"), 1)
                self.assertEqual(self.says(compiler, kind, SOURCES[kind], "-fsanitize=fuzzer,address", "-DHEDDLE_REAL_THREADS"), 0)

    def test_with_warnings_and_a_main(self):
        for compiler, kind in (("clang-19", "c"), ("clang++-19", "cc"), ("gcc", "c"), ("g++", "cc")):
            if shutil.which(compiler) is None:
                continue
            with self.subTest(compiler=compiler):
                self.assertEqual(self.says(compiler, kind, SOURCES[kind] + MAIN[kind], *WARNINGS), 1)

    def test_with_heddle(self):
        for wrapper, kind in (("heddle-clang", "c"), ("heddle-clang++", "cc"), ("heddle-g++", "cc")):
            with self.subTest(wrapper=wrapper):
                self.assertEqual(self.says(pathlib.Path(BUILD, "bin", wrapper), kind, SOURCES[kind]), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
