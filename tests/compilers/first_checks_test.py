#!/usr/bin/env python3
"""The first checks of accesses, comparisons and calls are in the program's code (harness/gate), and change nothing that heddle finds.

first_checks_test.py WRAPPERS: WRAPPERS has heddle-clang++.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WRAPPERS = pathlib.Path(sys.argv.pop(1)).resolve()

LIBRARY = """
struct Account { int balance = 0; char note[8]; };
int deposit(Account& account, int amount) {
  int old = account.balance;
  if (amount > 1000) return -1;
  account.balance = old + amount;
  return old;
}
"""
# A lost update, behind a computation of several windows of accesses (Thread::kPlainWindow).
TARGET = """
#include <heddle/heddle.h>
#include <cassert>
#include <thread>
#include <vector>
struct Account { int balance = 0; char note[8]; };
int deposit(Account& account, int amount);
HEDDLE_FUZZ_TEST(deposits) {
  Account account;
  const auto run = [&] {
    std::vector<int> numbers(100);
    for (int i = 0; i < 20000; ++i) numbers[i % 100] += i;
    deposit(account, numbers[3] != 0 ? 5 : 0);
  };
  std::thread one(run), other(run);
  one.join();
  other.join();
  assert(account.balance == 10);
}
"""


class FirstChecks(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        (self.work / "library.cc").write_text(LIBRARY)
        (self.work / "target.cc").write_text(TARGET)

    def runs(self, *command, expect=0, environment=None):
        done = subprocess.run([str(word) for word in command], cwd=self.work, capture_output=True, text=True, env={**os.environ, "HEDDLE_INLINE_CHECKS": "1", **(environment or {})})
        self.assertEqual(done.returncode, expect, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def compiled(self, *options, environment=None):
        """What the code of the library refers to."""
        self.runs(WRAPPERS / "heddle-clang++", *options, "-c", "library.cc", "-o", "out.o", environment=environment)
        return {line.split()[-1] for line in self.runs("nm", "--undefined-only", "out.o").splitlines()}

    def without_checks(self, *arguments):
        command = self.runs(WRAPPERS / "heddle-clang++", "--heddle-show", *arguments).split()
        self.runs(*(word for word in command if not word.startswith("-fpass-plugin=")))

    def test_optimised_code_has_the_checks(self):
        for options in (["-O1"], ["-O2"], ["-Os"], ["-O2", "-fPIC"], ["-O1", "--asan"], []):
            names = self.compiled(*options)
            self.assertLessEqual({"heddle_gate", "heddle_thread", "heddle_comparisons", "heddle_gate_read4", "heddle_gate_write4"}, names, options)
            self.assertFalse({"__tsan_read4", "__tsan_write4"} & names, options)

    def test_other_code_calls(self):
        for options, environment in ((["-O0"], {}), (["-O1"], {"HEDDLE_CLANGXX": "clang++-22"}), (["-O1"], {"HEDDLE_INLINE_CHECKS": ""})):
            names = self.compiled(*options, environment=environment)
            self.assertLessEqual({"__tsan_read4", "__tsan_write4"}, names, options)
            self.assertFalse({name for name in names if name.startswith("heddle_")}, options)

    def test_a_library_that_is_opened_later_finds_what_the_checks_read(self):
        self.runs(WRAPPERS / "heddle-clang++", "-std=c++20", "-O1", "target.cc", "library.cc", "-o", "target")
        exported = {line.split()[-1] for line in self.runs("nm", "-D", "--defined-only", "target").splitlines()}
        self.assertLessEqual({"heddle_gate", "heddle_thread", "heddle_comparisons", "heddle_gate_read8"}, exported)

    def test_unwatched_executions_do_the_same(self):
        self.runs(WRAPPERS / "heddle-clang++", "-std=c++20", "-O1", "target.cc", "library.cc", "-o", "target")
        self.runs("./target", "-runs=400", "-seed=1", "-rss_limit_mb=0", environment={"HEDDLE_OPTIONS": "check_watching=1:exit_on_finding=0"})

    def test_both_forms_in_one_target(self):
        """Frames and counts of code with the checks and of code without them fit together. Also across a shared library."""
        self.without_checks("-std=c++20", "-O1", "-c", "target.cc", "-o", "calls.o")
        self.without_checks("-O1", "-c", "library.cc", "-o", "library_calls.o")
        self.runs(WRAPPERS / "heddle-clang++", "-std=c++20", "-O1", "-c", "target.cc", "-o", "checks.o")
        self.runs(WRAPPERS / "heddle-clang++", "-O1", "-c", "library.cc", "-o", "library_checks.o")
        self.runs(WRAPPERS / "heddle-clang++", "-O1", "-fPIC", "-shared", "library.cc", "-o", "liblibrary.so")
        for inputs in (["calls.o", "library_checks.o"], ["checks.o", "library_calls.o"], ["checks.o", "./liblibrary.so"]):
            self.runs(WRAPPERS / "heddle-clang++", *inputs, "-o", "target")
            report = self.runs("./target", "-runs=20000", "-seed=1", "-rss_limit_mb=0", expect=77)
            self.assertIn("assertion-failure", report)
            self.assertRegex(report, r"store \w+: 0 -> 5 .*library.cc:6|:6\)", inputs)


if __name__ == "__main__":
    unittest.main()
