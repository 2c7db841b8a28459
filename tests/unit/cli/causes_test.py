#!/usr/bin/env python3
"""heddle explain names the cause and not what follows from it: causes_test.py HEDDLE DIRECTORY, where the programs of
tests/programs are built, with their passing twins."""

import pathlib
import re
import subprocess
import sys
import unittest

from command_case import CommandCase

BINARIES = pathlib.Path(sys.argv[2])


class Causes(CommandCase):
    def explain(self, name, most=5000, runs=40):
        target, fixed = (BINARIES / f"program_{kind}_{name}" for kind in ("fail", "pass"))
        for seed in range(1, 6):
            subprocess.run([target, f"-seed={seed}", f"-runs={most}", "-exact_artifact_path=crash"], cwd=self.root, capture_output=True, timeout=120)
            if (self.root / "crash").exists():
                break
        result = self.heddle("explain", target, "crash", "--runs", str(runs), "--seconds", "200", "--repaired", fixed)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def assert_cause(self, name, *parts):
        """The sentence has these parts. The finding comes each time that they are demanded, and they cannot be in the twin."""
        output = self.explain("causes_" + name)
        sentence = output.split("\n\n")[1].splitlines()[0]
        for part in parts:
            self.assertRegex(sentence, part, output)
        demanded = re.search(r"(?:all of )?this demanded +(\d+) of (\d+)", output)
        self.assertGreater(int(demanded[1]), 25, output)
        self.assertEqual(demanded[1], demanded[2], output)
        self.assertRegex(output, r"\nIn .*(not there any more|never so|none of)", output)

    def test_a_check_before_the_lock(self):
        self.assert_cause("work_before_flag", r"the read in `put` at \S*:23 \(main\.0\) comes before the write in `close` at \S*:30 \(main\.1\)|"
                                              r"the write in `close` at \S*:30 \(main\.1\) comes between the read in `put` at \S*:23")

    def test_a_place_that_two_threads_read(self):
        self.assert_cause("place_before_lock", r"the read in `add` at \S*:18 \(main\.0\) comes before the write in `add` at \S*:22 \(main\.1\)",
                          r"the read in `add` at \S*:18 \(main\.1\) comes before the write in `add` at \S*:22 \(main\.0\)")

    def test_made_by_both(self):
        self.assert_cause("made_twice", r"if and only if the read in `get` at \S*:2[23] \(main\.\d\) comes before the write in `get` at \S*:22 \(main\.\d\)")

    def test_a_lost_change(self):
        self.assert_cause("lost_reference", r"in `take` at \S*:21")

    def test_counted_down_and_looked_at_later(self):
        self.assert_cause("freed_by_both", r"the (un)?lock in `leave` at \S*:(20|25) \(main\.\d\) comes before the (un)?lock in `leave` at \S*:3[24] \(main\.\d\)")

    def test_the_reference_that_comes_too_late(self):
        self.assert_cause("counted_then_freed", r"if and only if the read-modify-write in `give_back` at \S*:27 \(main\.1\) comes before the read-modify-write in `read` at \S*:40 \(main\.0\)")

    def test_a_spurious_wake_up(self):
        self.assert_cause("wait_without_loop", r"if and only if the wait at \S*:24 \(main\) wakes up although nobody notified it, and the lock at \S*:24 \(main\) comes before the lock")

    def test_a_time_out(self):
        self.assert_cause("time_out_is_no_answer", r"if and only if the wait at \S*:25 \(main\) times out before anybody notifies it, and ")

    def assert_says(self, name, sentence, twin="", runs=40):
        output = self.explain(name, runs=runs)
        self.assertRegex(output.split("\n\n")[1], sentence, output)
        if twin:
            self.assertRegex(output, r"\nIn .*" + twin, output)

    def test_the_earliest_operation_that_is_enough(self):
        self.assert_says("seeds_two_sends_noise", r"if and only if the send at \S*:11 \(main\) comes before the send at :9 \(main\.0\)\.")
        # Time passes in the sleep, and not when the thread ends.
        self.assert_says("descriptor_timerfd_missed", r"comes if the end of the sleep at \S*:18 \(main\.0\) comes before the read at :24 \(main\)\.")

    def test_an_exact_order_of_many_operations(self):
        output = self.explain("atomics_exact_order", 300000)
        self.assertIn("\nThe finding comes if 9 conditions hold together. No few of them decide.\n", output)
        self.assertEqual(len(re.findall(r"^  \[\d\] the (2nd )?read-modify-write .* comes before the (2nd )?read-modify-write ", output, re.M)), 9, output)
        self.assertIn("\nEach of them is needed: if one is not demanded, there are executions without the finding.\n", output)
        self.assertIn("all of this demanded, and it came so            40 of 40 have the finding\n", output)
        self.assertEqual(len(re.findall(r"^  all but \[(\d)\] demanded, and \[\1\] was not so +0 of 20 have the finding", output, re.M)), 9, output)

    def test_a_handler_that_seldom_runs_there(self):
        self.assert_says("signals_timer_before_pause", r"if and only if a signal handler runs in main right before the beginning of the wait for a signal at \S*:32 \(main\)\.",
                         runs=100)  # it comes so in 1 of 130 executions, and is counted in at most 30 for each run

    def test_the_last_round_of_a_loop_and_not_the_one_that_fails(self):
        self.assert_says("descriptor_broken_pipe", r"if and only if the close at \S*:21 \(main\) comes before the 3rd write at :16 \(main\.0\)\.")

    def test_a_look_and_what_the_thread_does_then(self):
        self.assert_says("heap_free_of_static", r"if and only if the read-modify-write in `replace` at \S*:18, called at :28 \(main\.0\) comes between "
                                                r"the load in `replace` at :16.* and the read-modify-write in `replace` at :18", "not there any more")

    def test_a_clock_that_is_read_before_the_lock(self):
        self.assert_says("time_token_bucket", r"if and only if .*the start of main\.0 comes before the end of the sleep at \S*:\d+ \(main\)")

    def test_a_race_that_only_runs_without_the_finding_have(self):
        for name in ("compared", "printed"):
            with self.subTest(name):
                self.assert_says(f"library_{name}_name", r"if and only if the free in `forget` at \S*:22 \(main\.0\) comes before the (2nd )?read at :3[34] \(main\)\.",
                                 "not there any more")

    def test_a_condition_that_held_in_each_run(self):
        self.assert_says("atomics_setters_100", r"comes if the load at \S*:27:26 \(main\.100\) comes before every other thread's store at :20, and "
                                                r"another thread's store at \S*:19 comes before the load at :27:19 \(main\.100\)\. There are other ways")

    def test_a_claim_that_does_not_hold_with_more_operations(self):
        # The loop can fail in either round. The order with the later one covers both, and there is time to find it.
        self.assert_says("plain_invariant", r"comes if the write at \S*:19 \(main\.0\) comes before the read of b at :26 \(main\), and "
                                            r"the read of a at \S*:26 \(main\) comes before the 2nd (read|write) at :1[89] \(main\.0\)\. "
                                            r"There are other ways", "never so")

    def test_a_thread_that_ends_without_the_operation(self):
        self.assert_says("atomics_election", r"if and only if another thread's load at \S*:16 comes before the store at :17 \(main\.\d\)\.\n"
                                             r"The same can happen with other threads in these roles\.")

    def test_conditions_that_seldom_come_about_are_demanded_more_often(self):
        self.assert_says("atomics_peterson", r"^The finding comes if ")

    def test_a_default_case_and_not_what_it_forces(self):
        self.assert_says("channels_select_default", r"if and only if the select at \S*:20 \(main\) takes its default case\.", "never so")

    def test_what_the_library_throws_for_the_program(self):
        # Without source lines, which the command's executions do without, the signature was another one.
        self.assert_says("future_answered_by_two", r"if and only if the load in `on_answer` at \S*:21 \(main\.\d\) comes before the store in `on_answer` at :23",
                         "not there any more")

    def test_one_of_two_equal_lines_in_a_repaired_build(self):
        self.assert_says("signals_sigwait_twice", r"the sending of the signal in `main` at \S*:25 \(main\) comes before the wait", "not there any more")

    def test_a_handler_between_a_look_and_a_wait(self):
        self.assert_says("signals_stop_between", r"if and only if a signal handler runs in main\.0 right before the read in `work` at \S*:22 \(main\.0\)\.", "it was so")

    def test_a_handler_before_the_read_of_a_variable(self):
        self.assert_says("signals_errno_of_handler", r"a signal handler runs in main\.0 right before the read of errno of main\.0 in `worker` at \S*:27:40 \(main\.0\)\.",
                         "it was so")

    def test_a_jump_of_the_clock_that_only_makes_the_rest_possible(self):
        self.assert_says("time_two_owners", r"if and only if .*at least 900 s pass before the reading of the clock in `take` at \S*:21 \(main\.\d\)")
        self.assert_says("time_slow_answer", r"if and only if .*at least 10 s pass before the reading of the clock in `seconds` at \S*:15 \(main\)")

    def test_executions_in_which_threads_only_spin_take_no_time_from_the_others(self):
        self.assert_says("spin_missed", r"if and only if the store at \S*:16 \(main\) comes before the store at \S*:12 \(main\.0\)\.")
        self.assert_says("atomics_ticket_lock", r"if and only if ")

    def test_executions_go_on_for_as_long_after_main_as_the_one_with_the_finding(self):
        self.assertRegex(self.explain("go_programs_leak_beside_ticker"), r"the select at \S*:26 \(main\) takes the case `receive timer`")

    def test_a_stream_that_two_threads_share(self):
        # Both only move the stream, and read from it.
        self.assert_says("streams_position_shared", r"the fseek on the stream of .* comes between .* and the fread on the stream of ", "none of")

    def test_a_thread_that_polls_for_ever(self):
        self.assert_says("condvar_woken_the_poller", r"comes if ")

    def test_a_circle_of_more_locks_than_sets_have(self):
        output = self.explain("classic_philosophers_5")
        self.assertIn("comes if and only if", output)
        self.assertEqual(len(re.findall(r"^  \[\d\] the lock .* comes before the (2nd )?lock ", output, re.M)), 5, output)
        demanded = re.search(r"all of this demanded +(\d+) of (\d+)", output)
        self.assertEqual(demanded[1], demanded[2], output)

    def test_a_notification_for_the_wrong_thread(self):
        for name, places in (("bounded_queue", r", as in `p\w+` at \S*, and not one that waits for something else, as in `p\w+` at "),
                             ("wrong_waiter", r" at \S*:15, called at :18, and not one that waits at :15, called at :17")):
            with self.subTest(name):
                output = self.explain("condvar_" + name)
                self.assertRegex(output, "if and only if the last notification wakes a thread that has to wait again" + places)
                self.assertRegex(output, r"\nIn .*never so")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
