#!/usr/bin/env python3
"""Whole programs that start child processes: processes_test.py with the arguments of whole_test.py."""

import re

from whole import HERE, PROGRAMS, Whole, arguments, run_scenarios

SOURCES = HERE.parent / "programs" / "fail" / "processes"


class Processes(Whole):
    def test_advice_for_a_framework(self):
        source = self.work / "framework.c"
        source.write_text((SOURCES / "test_runner.c").read_text() + "\nvoid acutest_run_(void) {}\n")
        advice = "heddle: note: these processes make executions slow: acutest starts a process for each test. Let it run them in one: HEDDLE_OPTIONS=args=--no-exec"
        self.assertIn(advice, self.passes(self.compile("-UNDEBUG", "-DFIXED", source, name="framework"), 5, "").stderr)
        self.assertNotIn(advice, self.passes(self.compile("-UNDEBUG", "-DFIXED", SOURCES / "test_runner.c"), 5, "").stderr)

    def test_check_makes_a_timer_in_any_case(self):
        source = self.work / "timer.c"
        source.write_text("#include <time.h>\nvoid srunner_run_all(void) {}\n"
                          "int main(void) { timer_t id; return timer_create(CLOCK_MONOTONIC, 0, &id) != 0 || timer_delete(id) != 0; }\n")
        self.assertNotIn("exit code", self.passes(self.compile(source, name="timer"), 5, "").stderr)

    def test_the_engine_allocates_with_the_program(self):
        program = self.compile(PROGRAMS / "pool.cc")
        self.assertIn("heddle: each execution runs in a forked process, because libFuzzer allocates with the program's operator new", self.passes(program, 100, "").stderr)
        harness = self.compile("-DHARNESS", PROGRAMS / "pool.cc", name="pool_harness")
        self.assertIn("heddle: note: libFuzzer allocates with the operator new of this program", self.fuzz(harness, 1, "").stderr)
        keeps = self.work / "keeps.cc"
        keeps.write_text("#include <heddle/heddle.h>\nHEDDLE_KEEP_EVERYTHING();\n")
        self.assertNotIn("operator new", self.passes(self.compile("-DHARNESS", PROGRAMS / "pool.cc", keeps, name="pool_kept"), 1000, "").stderr)
        self.assertNotIn("operator new", self.passes(self.compile("-UNDEBUG", "-DFIXED", SOURCES / "test_runner.c"), 2, "").stderr)

    # libFuzzer's blocks and heddle's must not come from it: its variables are put back.
    def test_an_allocator_in_a_library(self):
        for compiler in arguments.bin / "heddle-clang", "cc":
            library = self.work / "liballocator.so"
            self.succeeds(compiler, "-shared", "-fPIC", "-O1", "-fno-builtin", PROGRAMS / "allocator_library.c", "-o", library)
            target = self.compile(PROGRAMS / "uses_allocator.cc", library, f"-Wl,-rpath,{self.work}")
            self.assertIn("restored in process", self.passes(target, 2000, "report_exit=1").stderr)

    def test_both_ways_are_one(self):
        target = self.compile("-UNDEBUG", SOURCES / "test_runner.c")
        found = [self.finds(target, 2000, f"restore={way}", "HeddleSanitizer: assertion-failure") for way in ("process", "fork")]
        self.assertEqual(found[0][0].read_bytes(), found[1][0].read_bytes())
        self.succeeds(arguments.trace_tool, "compare", found[0][1], found[1][1])
        for command in ("replay", "minimize"):
            result = self.run_it(arguments.bin / "heddle", command, target, found[0][0])
            self.assertIn("assertion-failure", result.stdout)
            self.assertNotIn("differ", result.stdout)
        report = self.run_it(target, found[0][0], options="verify=1").stderr
        self.assertEqual(report.count("SUMMARY"), 1)
        self.assertIn("main.1.0, main.1.1: created by main.1 at test_runner.c:29", report)

    def test_goes_on_after_findings(self):
        target = self.compile("-UNDEBUG", SOURCES / "test_runner.c")
        counts = set()
        for way in ("process", "fork"):
            result = self.fuzz(target, 60, f"restore={way}:exit_on_finding=0")
            self.assertEqual(result.returncode, 0, result.stderr)
            counts.add(re.search(r"heddle: findings: (\d+), 1 different", result.stderr).group(1))
        self.assertEqual(len(counts), 1)

    def test_address_sanitizer(self):
        self.passes(self.compile("--asan", "-UNDEBUG", "-DFIXED", SOURCES / "test_runner.c", name="passes"), 50, "")
        self.finds(self.compile("--asan", "-UNDEBUG", SOURCES / "test_runner.c"), 2000, "", "HeddleSanitizer: assertion-failure")

    def test_the_parent_judges_exit_codes(self):
        result = self.passes(self.compile("-UNDEBUG", "-DFIXED", SOURCES / "test_runner.c"), 50, "report_exit=1")
        self.assertIn("runs in a forked process, because the program starts processes", result.stderr)

    def test_by_clone(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "child_by_clone.c")
        failing = self.compile("-UNDEBUG", "-DASSERT", PROGRAMS / "child_by_clone.c", name="clone_asserts")
        for how in ("clone", "syscall"):
            self.passes(target, 200, f"args={how}")
            self.finds(failing, 200, f"args={how}", "HeddleSanitizer: assertion-failure")
        self.finds(target, 3, "args=shared", "HeddleSanitizer: unsupported-call")

    def test_waits_for_a_named_semaphore(self):
        for how in ("inherits", "opens"):
            self.finds(self.compile(PROGRAMS / "child_named_semaphore.c"), 3, f"args={how}", "HeddleSanitizer: unsupported-call")

    def test_abort_as_the_user_sets(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "child_aborts.c")
        self.passes(target, 20, "report_abort=0")
        self.finds(target, 20, "", "HeddleSanitizer: assertion-failure")

    def test_reports_of_a_program_without_errors(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "changes_errors.c")
        for way in ("dup2", "close", "freopen", "fclose", "child", "address"):
            with self.subTest(way):
                self.finds(target, 3, f"args={way}", "HeddleSanitizer: crash" if way == "address" else "HeddleSanitizer: assertion-failure")
        report = self.fuzz(target, 3, "args=dup2:exit_on_finding=0").stderr
        self.assertEqual(report.count("SUMMARY"), 1, report)
        self.assertIn("#3\tDONE", report)  # the engine's messages are not lost, either
        self.assertIn("SUMMARY: libFuzzer: timeout", self.fuzz(target, 3, "args=endless", "-timeout=2", f"-artifact_prefix={self.work}/").stderr)
        asan = self.compile("--asan", PROGRAMS / "changes_errors.c", name="with_asan")
        self.assertIn("SUMMARY: AddressSanitizer: SEGV", self.fuzz(asan, 3, "args=address", f"-artifact_prefix={self.work}/").stderr)

    def test_one_without_end(self):
        target = self.compile(PROGRAMS / "endless_child.c")
        for way in ("process", "fork"):
            saved = self.work / way
            saved.mkdir()
            result = self.fuzz(target, 10, f"restore={way}", "-timeout=2", f"-artifact_prefix={saved}/")
            self.assertEqual(result.returncode, 70, result.stderr)
            self.assertRegex(result.stderr, r"main\.0\.0 was here:\n +#0 0x\w+ in spin ", result.stderr)
            self.assertEqual(len(list(saved.glob("timeout-*"))), 1)

    def test_a_child_that_waits_for_its_parent(self):
        target = self.compile(PROGRAMS / "child_waits.c")
        for way in ("pipe", "pause", "sigwait", "semaphore", "condition", "mutex", "spin", "sleep"):
            with self.subTest(way):
                report = self.fuzz(target, 10, f"args={way}").stderr
                self.assertRegex(report, r"SUMMARY: HeddleSanitizer: unsupported-call .* in (wait_for_it|heddle_\w*|wait)", report)
                self.assertIn("its parent stands still", report)
        for way in ("pipe", "semaphore", "condition", "mutex", "spin", "sleep"):
            with self.subTest(way, first=True):
                self.passes(target, 20, f"args='{way} first'")

    def test_another_program_that_waits(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "asks_other.c")
        for way in ("after cat", "after sh -c 'cat; true'"):
            with self.subTest(way):
                report = self.fuzz(target, 10, f'args="{way}"', "-timeout=20").stderr
                self.assertIn("SUMMARY: HeddleSanitizer: unsupported-call", report)
                self.assertIn("the other program runs to its end first", report)
        for way in ("before head -c5", "before sh -c 'sleep 1.5; head -c5'"):
            with self.subTest(way):
                self.passes(target, 3, f'args="{way}"')

    def test_another_program_that_is_a_target(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "asks_other.c")
        self.passes(target, 20, f"args='before {target} copies'")
        self.passes(target, 20, f"report_exit=1:args='runs \"echo hello | {target} copies\"'")

    def test_a_child_that_cannot_be_helped(self):
        self.finds(self.compile(PROGRAMS / "child_in_cycle.c"), 2000, "", "HeddleSanitizer: deadlock")


if __name__ == "__main__":
    run_scenarios()
