#!/usr/bin/env python3
"""heddle stats, and the history that heddle run writes: stats_test.py HEDDLE TARGET..."""

import json
import os
import re
import subprocess
import sys
import unittest

import browser
from command_case import CommandCase

TARGET = sys.argv[2]
HISTORY = [
    {"begin": 1700000000, "target": "./first </script><script>window.taken=1</script>", "jobs": 2},
    {"t": 0.5, "executions": 10, "orders": 2, "pairs": 3, "both_ways": 1, "news": 0.4},
    {"t": 0.7, "finding": "deadlock", "place": "queue.cc:41:3 in f<!--", "signature": "0123456789abcdef"},
    {"t": 100, "executions": 5000, "orders": 70, "pairs": 4, "both_ways": 3, "news": 60},
    {"begin": 1700001000, "target": "./queue", "jobs": 1},
    {"t": 50, "executions": 1000, "orders": 20, "pairs": 4, "both_ways": 4, "news": 50},
]


class Stats(CommandCase):
    def history(self, *lines):
        (self.root / "out").mkdir(exist_ok=True)
        (self.root / "out/history.jsonl").write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))

    def test_history_of_a_search(self):
        result = self.heddle("run", TARGET, "--seconds", 4, "--jobs", 1)
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = [json.loads(line) for line in (self.root / "out/history.jsonl").read_text().splitlines()]
        self.assertEqual(lines[0]["target"], TARGET)
        points = [line for line in lines if "executions" in line]
        self.assertGreater(len(points), 2)
        for key in ("t", "executions", "orders", "pairs", "both_ways"):
            self.assertEqual([p[key] for p in points], sorted(p[key] for p in points), key)
        found = {line["signature"] for line in lines if "finding" in line}
        said = set(re.findall(r"signature ([0-9a-f]{16})", result.stdout))
        self.assertEqual(found, said)
        text = self.heddle("stats").stdout
        self.assertIn(f"findings          {len(found)}\n", text)
        self.heddle("run", TARGET, "--seconds", 1, "--jobs", 1)
        self.assertEqual(len(json.loads(self.heddle("stats", "--json").stdout)["searches"]), 2)

    def test_text(self):
        self.history(*HISTORY)
        text = self.heddle("stats", "out").stdout
        self.assertIn("  executions        5,000, 50 a second\n  different orders  70\n  racing pairs      3 of 4 in both orders\n  last news         40.0 s before the end\n", text)
        self.assertIn("    after 0.7 s: deadlock queue.cc:41:3 in f<!-- 0123456789abcdef\n", text)

    def afl_instance(self, name, start):
        instance = self.root / "afl" / name
        (instance / "crashes").mkdir(parents=True)
        (instance / "hangs").mkdir()
        (instance / "fuzzer_stats").write_text(f"start_time        : {start}\nlast_find         : {start + 30}\nrun_time          : 50\n"
                                               "execs_done        : 9000\nafl_banner        : queue_afl\n")
        (instance / "plot_data").write_text("# relative_time, cycles_done, saved_crashes, total_execs, edges_found\n"
                                            "0, 0, 0, 0, 1\n5, 0, 0, 1000, 7\n40, 2, 1, 8000, 9\n")
        (instance / "crashes/id:000000,sig:06,src:000002,time:1500,execs:300,op:havoc,rep:2").touch()
        (instance / "crashes/README.txt").touch()
        return instance

    def test_afl(self):
        self.afl_instance("default", 1700000000)
        text = self.heddle("stats", "afl").stdout
        self.assertRegex(text, r"^2023-11-14 22:13 UTC: queue_afl, 1 process, 50.0 s\n  executions        9,000, 180 a second\n  last news         20.0 s before")
        self.assertIn("    after 1.5 s: crash default/crashes/id:000000\n", text)
        self.assertEqual(self.heddle("stats", "afl/default").stdout, text)
        self.afl_instance("second", 1700000001)
        searches = json.loads(self.heddle("stats", "afl", "--json").stdout)["searches"]
        self.assertEqual([[p["executions"] for p in s["points"]] for s in searches], [[1000, 8000, 9000]] * 2)
        self.assertIn("wrote afl/stats.html", self.heddle("stats", "afl", "--html").stdout)

    def test_damaged_lines_are_skipped(self):
        self.history({"t": 1, "executions": 7}, "nonsense\n", *HISTORY, '{"t": 60, "execu', "\n[1]\n", '{"t":"x","executions":-3}\n')
        searches = json.loads(self.heddle("stats", "--json").stdout)["searches"]
        self.assertEqual([len(s["points"]) for s in searches], [2, 2])

    def test_statistics_of_a_target(self):
        subprocess.run([TARGET, "-runs=50"], cwd=self.root, capture_output=True, env={**os.environ, "HEDDLE_OPTIONS": "stats_path=stats.json:exit_on_finding=0:report_abort=0"})
        self.assertRegex(self.heddle("stats", "stats.json").stdout, r"executions +\d+")

    def test_page(self):
        self.history(*HISTORY)
        self.assertIn("wrote out/stats.html", self.heddle("stats", "--html").stdout)
        self.assertIn("replaced out/stats.html", self.heddle("stats", "--html").stdout)
        page = (self.root / "out/stats.html").read_text()
        self.assertEqual((page.count("<script"), page.count("</script")), (2, 2))
        self.assertNotRegex(page, r"https?://(?!www\.w3\.org/2000/svg)")

    @unittest.skipUnless(browser.find(), "no chromium: install it to test the page in a browser (Debian: apt-get install chromium)")
    def test_page_in_browser(self):
        self.history(*HISTORY)
        self.heddle("stats", "--html")
        with browser.Browser(browser.find()) as chromium:
            chromium.open(self.root / "out/stats.html")
            self.assertEqual((len(chromium.requests()), chromium.complaints()), (1, []))
            self.assertEqual(chromium.evaluate("typeof window.taken"), "undefined")
            self.assertEqual(chromium.evaluate("document.querySelectorAll('figure').length"), 4)
            self.assertEqual(chromium.evaluate("document.querySelectorAll('figure')[0].querySelectorAll('.finding').length"), 1)
            self.assertIn("6,000", chromium.evaluate("document.getElementById('tiles').textContent"))

    def test_bad_input(self):
        (self.root / "out").mkdir()
        self.assert_refused(self.heddle("stats"), 2, "history.jsonl", "heddle run")
        self.assert_refused(self.heddle("stats", "absent"), 2, "absent")
        self.history("nothing\n")
        self.assert_refused(self.heddle("stats"), 2, "no search")
        self.history(*HISTORY)
        self.assert_refused(self.heddle("stats", "--html", "--json"), 2, "exclude each other")
        self.assert_refused(self.heddle("stats", "-o", "/dev/full"), 99, "/dev/full")
        (self.root / "out/stats.html").write_text("mine")
        self.assert_refused(self.heddle("stats", "--html"), 2, "stats.html", "-o")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
