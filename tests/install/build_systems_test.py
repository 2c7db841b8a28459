#!/usr/bin/env python3
"""Projects with Meson and with libtool, built by the wrappers: build_systems_test.py BIN_DIRECTORY. Both recognise a compiler by what --version says."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv[1]).resolve()
FILES = {
    "counter.cc": "#include <mutex>\nstatic std::mutex mutex;\nstatic int count;\nint next() { std::lock_guard lock(mutex); return ++count; }\n",
    "twice.c": "int twice(int x) { return 2 * x; }\n",
    "fuzz.cc": """#include <heddle/heddle.h>
#include <cstdlib>
#include <thread>
int next();
extern "C" int twice(int);
HEDDLE_FUZZ_TEST(counter) {
  int a = 0, b = 0;
  std::thread t([&] { a = next(); });
  b = next();
  t.join();
  if (twice(a) < twice(b)) std::abort();  // the bug: threads may run in this order
}
""",
    "meson.build": """project('counter', 'c', 'cpp', default_options : 'cpp_std=c++20')
threads = dependency('threads')
counter = shared_library('counter', 'counter.cc', dependencies : threads)
twice = static_library('twice', 'twice.c')
executable('counter_fuzz', 'fuzz.cc', link_with : [counter, twice], dependencies : threads)
""",
    "configure.ac": """AC_INIT([counter], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""",
    "Makefile.am": """AM_CXXFLAGS = -std=c++20 -pthread
lib_LTLIBRARIES = libcounter.la libtwice.la
libcounter_la_SOURCES = counter.cc
libtwice_la_SOURCES = twice.c
bin_PROGRAMS = counter_fuzz
counter_fuzz_SOURCES = fuzz.cc
counter_fuzz_LDADD = libcounter.la libtwice.la
""",
}


class BuildSystems(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="heddle-build-systems-"))
        self.addCleanup(shutil.rmtree, self.directory)
        for name, text in FILES.items():
            (self.directory / name).write_text(text)
        compilers = ("heddle-gcc", "heddle-g++") if shutil.which("g++") and self.id().endswith("gcc") else ("heddle-clang", "heddle-clang++")
        self.environment = {**os.environ, "CC": compilers[0], "CXX": compilers[1], "PATH": f"{BIN}:{os.environ['PATH']}"}

    def run_here(self, *command, status=0):
        done = subprocess.run(command, cwd=self.directory, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def finds_the_bug(self, target):
        done = subprocess.run([self.directory / target, "-runs=10000"], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertIn("SUMMARY: HeddleSanitizer: assertion-failure", done.stdout)

    def meson(self, recognised):
        if not shutil.which("meson"):
            self.skipTest("no meson")
        self.assertIn(recognised, self.run_here("meson", "setup", "build"))
        self.run_here("ninja", "-C", "build")
        self.finds_the_bug("build/counter_fuzz")

    def test_meson(self):
        self.meson("C++ compiler for the host machine: heddle-clang++ (clang ")

    def test_meson_gcc(self):
        self.meson("C++ compiler for the host machine: heddle-g++ (gcc ")

    def libtool(self):
        for tool in ("autoreconf", "libtoolize", "automake", "make"):
            if not shutil.which(tool):
                self.skipTest(f"no {tool}")
        self.run_here("autoreconf", "-i")
        self.assertRegex(self.run_here("./configure"), "whether the heddle-.* linker .* supports shared libraries... yes")
        self.run_here("make")
        self.finds_the_bug("counter_fuzz")

    def test_libtool(self):
        self.libtool()

    def test_libtool_gcc(self):
        self.libtool()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
