#!/usr/bin/env python3
"""What the executions of whole programs begin with: starts_test.py with the arguments of whole_test.py."""

import concurrent.futures
import re

from whole import PROGRAMS, Whole, run_scenarios


class Starts(Whole):
    def test_a_report_names_its_input_and_execution_wherever_it_ran(self):
        target = self.compile("-g", PROGRAMS / "opposite_locks.c")
        for way in ("process", "fork"):
            report = self.fuzz(target, 5000, f"restore={way}").stderr
            self.assertRegex(report, r"\nFound in execution \d+ of this process\n", way)
            said = re.search(r"\nTo replay: HEDDLE_OPTIONS=restore=\w+ \S+ (\S+)\n", report)
            self.assertTrue(said and (self.work / said[1]).exists(), report[-2000:])
            again = self.run_it(target, said[1], options=f"restore={way}").stderr
            self.assertIn(f" {said[1]}\n", again)
            self.assertNotIn("Found in execution", again)

    def test_constructors_leave_nothing_behind(self):
        target = self.compile("-std=c++20", PROGRAMS / "early_traces.cc")
        for way in ("process", "fork", "auto"):
            self.passes(target, 100, f"report_exit=1:restore={way}")

    def test_handlers_of_constructors(self):
        target = self.compile(PROGRAMS / "constructor_handles.c")
        for way in ("process", "fork"):
            self.passes(target, 200, f"report_exit=1:restore={way}")

    def test_constructors_read_virtual_clocks(self):
        for library in ([], ["-stdlib=libc++"], ["--asan"]):
            target = self.compile("-std=c++20", *library, PROGRAMS / "early_clock.cc")
            said = set()
            for way in ("process", "fork"):
                said |= set(re.findall("since .*", self.passes(target, 20, f"report_exit=1:restore={way}").stderr))
            self.assertEqual(len(said), 1, said)
            since = int(re.search(r"since (\d+)", said.pop())[1])
            self.assertLess(since, 1_750_000_000)
            # Run normally, its clock is the machine's.
            normal = self.succeeds(target, options="program=1").stderr
            self.assertGreater(int(re.search(r"since (\d+)", normal)[1]), 1_750_000_000)

    def test_files_that_it_makes(self):
        target = self.compile("-std=c++20", PROGRAMS / "leaves_files.cc")
        for way in ("process", "fork", "auto"):
            home = self.work / way
            home.mkdir()
            self.passes(target, 100, f"args={home}:restore={way}:report_exit=1")
            self.assertEqual(list(home.iterdir()), [])
            for name in ("settings", "state", "old"):
                (home / name).write_text("the user's")
            self.finds(target, 1000, f"args='{home} replace':restore={way}", "HeddleSanitizer: assertion-failure")
            # What was there is the program's to change, and is not removed.
            left = {p.name: p.read_text() for p in home.iterdir()}
            self.assertEqual(left, {"settings": "new settings", "state": "new state", "older": "the user's"})
        # Two processes at once do not disturb each other.
        home = self.work / "shared"
        home.mkdir()
        for way in ("process", "fork"):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                both = list(pool.map(lambda seed: self.fuzz(target, 300, f"args={home}:restore={way}:report_exit=1", f"-seed={seed}"), (1, 2)))
            for result in both:
                self.assertIn("Done 300 runs", result.stderr, result.stderr[-4000:])
        home = self.work / "kept"
        home.mkdir()
        self.run_it(target, "-runs=1", options=f"args={home}:restore=fork:keep_files=1")
        self.assertIn("log", [p.name for p in home.iterdir()])


if __name__ == "__main__":
    run_scenarios()
