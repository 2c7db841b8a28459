#!/usr/bin/env python3
"""The heddle command from outside: cli_test.py HEDDLE FAKE_TARGET."""

import json
import os
import subprocess
import sys
import unittest

from command_case import CommandCase

HEDDLE, TARGET = sys.argv[1:3]

SCHEDULE = """heddle schedule 1
seed 0x2a
"""


class Command(CommandCase):
    def file(self, name, content):
        path = self.root / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def run_heddle(self, *arguments, **environment):
        return subprocess.run([HEDDLE, *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment}, timeout=120)


class Usage(Command):
    def test_help_names_the_subcommands(self):
        result = self.run_heddle("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("fuzz", "show", "replay", "125"):
            self.assertIn(word, result.stdout)

    def test_each_subcommand_has_its_own_help(self):
        for subcommand, option in (("fuzz", "--engine"), ("show", "--binary"), ("replay", "--runs")):
            result = self.run_heddle(subcommand, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(option, result.stdout)

    def test_unknown_option(self):
        self.assert_refused(self.run_heddle("show", "file", "--nonsense"), 2, "nonsense")

    def test_unknown_command_is_named(self):
        self.assert_refused(self.run_heddle("frobnicate", "file"), 2, "frobnicate", "show", "replay")

    def test_no_subcommand(self):
        self.assert_refused(self.run_heddle(), 2, "subcommand")

    def test_missing_file(self):
        self.assert_refused(self.run_heddle("show", str(self.root / "absent")), 2, "absent", "No such file")

    def test_directory(self):
        self.assert_refused(self.run_heddle("show", str(self.root)), 2, "directory")


class Show(Command):
    def binary(self, text=SCHEDULE):
        out = self.root / "made.hds"
        result = self.run_heddle("show", "--binary", self.file("schedule.txt", text), "-o", str(out))
        self.assertEqual(result.returncode, 0, result.stderr)
        return out

    def test_several_files(self):
        one = str(self.binary())
        result = self.run_heddle("show", one, one)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("heddle schedule 1"), 2)
        self.assertEqual(result.stdout.count(f"==> {one} <=="), 2)
        self.assert_refused(self.run_heddle("show", one, one, "-o", str(self.root / "out")), 2, "one FILE")

    def test_text_and_back(self):
        first = self.binary()
        text = self.run_heddle("show", str(first)).stdout
        self.assertIn("heddle schedule 1", text)
        original = first.read_bytes()
        self.assertEqual(self.binary(text).read_bytes(), original)

    def test_json(self):
        shown = json.loads(self.run_heddle("show", "--json", str(self.binary())).stdout)
        self.assertEqual(int(shown["seed"], 16), 0x2A)

    def test_foreign_bytes_are_payload(self):
        result = self.run_heddle("show", self.file("data", "hello"))
        self.assertEqual(result.returncode, 0)
        self.assertIn("payload", result.stdout)

    def test_damaged_schedule(self):
        whole = self.binary().read_bytes()
        self.assert_refused(self.run_heddle("show", self.file("cut", whole[:len(whole) // 2])), 2, "damaged")

    def test_text_with_an_error(self):
        result = self.run_heddle("show", "--binary", self.file("bad", "heddle schedule 1\nnonsense\n"), "-o",
                                 str(self.root / "out"))
        self.assert_refused(result, 2, "line 2")
        self.assertFalse((self.root / "out").exists())

    def test_full_disk(self):
        self.assert_refused(self.run_heddle("show", str(self.binary()), "-o", "/dev/full"), 99, "/dev/full")
        with open("/dev/full", "w") as full:
            result = subprocess.run([HEDDLE, "show", str(self.binary())], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 99)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1)

    def test_trace_with_source_lines(self):
        trace = str(self.root / "trace")
        subprocess.run([TARGET, self.file("in", "same")], env={"HEDDLE_OPTIONS": f"trace_path='{trace}'"}, check=True)
        result = self.run_heddle("show", trace, "--target", TARGET)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("queue.cc:41 in Queue::push", result.stdout)
        self.assertNotIn("wchar_t", result.stdout)  # what a C++ type of that name would be


class Replay(Command):
    def replay(self, mode, *arguments):
        return self.run_heddle("replay", TARGET, self.file("crash-1", mode), "--runs", "3", *arguments)

    def test_a_program_without_heddle(self):
        self.assert_refused(self.run_heddle("replay", HEDDLE, self.file("crash-1", "same")), 2, HEDDLE, "not a heddle fuzz target")

    def test_several_files(self):
        files = [self.file("a", "same"), self.file("crash-b", "same"), self.file("crash-c", "finding")]
        result = self.run_heddle("replay", TARGET, *files, "--runs", "2")
        self.assertEqual(result.returncode, 1, result.stderr)
        for file in files:
            self.assertIn(f"{file}: deterministic", result.stdout)
        self.assertEqual(self.run_heddle("replay", TARGET, *files[:2], "--runs", "2").returncode, 0)

    def test_no_finding_where_the_name_says_one(self):
        self.assertIn("another target saved it", self.replay("same").stdout)
        result = self.run_heddle("replay", TARGET, self.file("seed", "same"), "--runs", "2")
        self.assertNotIn("another target", result.stdout)

    def test_deterministic(self):
        result = self.replay("same")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("crash-1: deterministic", result.stdout)

    def test_finding(self):
        result = self.replay("finding")
        self.assertEqual(result.returncode, 1)
        self.assertIn("deterministic", result.stdout)
        self.assertIn("SUMMARY: HeddleSanitizer: deadlock", result.stdout)

    def test_the_targets_own_failure(self):
        result = self.replay("failure")
        self.assertEqual(result.returncode, 1)
        self.assertIn("SUMMARY: HeddleSanitizer: assertion-failure queue.cc:41", result.stdout)
        self.assertNotIn("libFuzzer", result.stdout)

    def test_an_empty_trace_proves_nothing(self):
        self.assert_refused(self.replay("empty"), 99, "empty trace")

    def test_report_on_demand(self):
        self.assertNotIn("==1==ERROR", self.replay("finding").stdout)
        self.assertIn("==1==ERROR", self.replay("finding", "--report").stdout)

    def test_depends_on_addresses(self):
        result = self.replay("address")
        self.assertEqual(result.returncode, 1)
        self.assertIn("depends on addresses", result.stdout)
        self.assertIn("first difference, operation 1", result.stdout)

    def test_depends_on_earlier_executions(self):
        result = self.replay("earlier")
        self.assertEqual(result.returncode, 1)
        self.assertIn("depends on earlier executions", result.stdout)
        self.assertIn("#3", result.stdout)
        self.assertNotIn("lasts from one execution", result.stdout)
        self.assertIn("lasts from one execution to the next", self.replay("earlier, with a library").stdout)

    def test_what_comes_after_the_finding_is_not_compared(self):
        result = self.replay("cut")
        self.assertEqual(result.returncode, 1)
        self.assertIn("crash-1: deterministic", result.stdout)

    def test_what_comes_before_the_finding_is(self):
        for mode in ("cut, and other", "cut, and nothing found"):
            result = self.replay(mode)
            self.assertEqual(result.returncode, 1)
            self.assertIn("depends on earlier executions", result.stdout)

    def test_what_the_clock_ends_is_compared_as_far_as_it_went(self):
        self.assertIn("crash-1: deterministic", self.replay("timed out").stdout)
        self.assertIn("not deterministic", self.replay("timed out, and other").stdout)

    def test_not_deterministic(self):
        result = self.replay("process")
        self.assertEqual(result.returncode, 1)
        self.assertIn("not deterministic", result.stdout)

    # The target's positions are 0x1111 and 0x2222.
    LINES = ("chain 1\n  any mutex_lock @{site}\n", "reads-from any atomic_load @{site} <- any atomic_store @{other}\n",
             "not-reads-from any atomic_load @{site} <- initial\n", "delay any mutex_lock @{site} until idle\n",
             "select any atomic_cas @{site} instance every takes 1\n", "visible-plain @{site}\n",
             "graph main 1 atomic_load @{site} seq_cst from initial\n")

    def replay_schedule(self, line, mode="same"):
        text = self.file("schedule.txt", f'heddle schedule 1\n{line}payload "{mode}"\n')
        binary = str(self.root / "crash-2")
        made = self.run_heddle("show", "--binary", text, "-o", binary)
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.run_heddle("replay", TARGET, binary, "--runs", "2")

    def test_does_not_apply(self):
        for line in self.LINES:
            result = self.replay_schedule(line.format(site="0x3333", other="0x4444"))
            self.assertEqual(result.returncode, 125, line)
            self.assertIn("does not apply", result.stdout)

    def test_applies_in_part(self):
        self.assertEqual(self.replay_schedule("seed 0x2a\n").returncode, 0)
        for line in self.LINES:
            self.assertEqual(self.replay_schedule(line.format(site="0x1111", other="0x4444")).returncode, 0, line)

    def test_a_finding_counts_also_where_nothing_applies(self):
        self.assertEqual(self.replay_schedule(self.LINES[0].format(site="0x3333", other="0x4444"), "finding").returncode, 1)

    def test_no_trace(self):
        self.assert_refused(self.replay("silent"), 99, "wrote no trace", "exit code 3")

    def test_no_target(self):
        self.assert_refused(self.run_heddle("replay", str(self.root / "absent"), self.file("f", "")), 2, "absent")

    def test_no_directory_for_temporary_files(self):
        self.assert_refused(self.run_heddle("replay", TARGET, self.file("crash-1", "same"), TMPDIR="/nonexistent"), 2, "TMPDIR")

    def test_no_input(self):
        self.assert_refused(self.run_heddle("replay", TARGET, str(self.root / "absent")), 2, "absent")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
