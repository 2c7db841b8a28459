#!/usr/bin/env python3
"""Pages of heddle show --html in a headless Chromium: show_browser_test.py HEDDLE TARGET. Prints what pages of 10, 1,000 and 20,000 operations cost."""

import sys
import unittest

import browser
from show_case import FINDINGS, ShowCase

TARGET = sys.argv[2]
PROGRAM = browser.find()

SCROLL = """(async () => {
  const box = document.getElementById("scroll"), frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [], nodes = [];
  setFolded(false);
  box.scrollTop = 0;
  await frame();
  for (let i = 0; i < 60; ++i) {
    box.scrollTop += box.scrollHeight / 60;
    const begin = performance.now();
    draw();
    times.push(performance.now() - begin);
    nodes.push(document.querySelectorAll("*").length);
    await frame();
  }
  times.sort((a, b) => a - b);
  return { median: times[30], worst: times[59], nodes: Math.max(...nodes) };
})()"""


@unittest.skipUnless(PROGRAM, "no chromium: install it to test the pages in a browser (Debian: apt-get install chromium)")
class InBrowser(ShowCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser(PROGRAM)
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def open(self, page):
        seconds = self.browser.open(page)
        self.assertEqual([url for url in self.browser.requests() if not url.startswith("file:")], [])
        self.assertEqual(len(self.browser.requests()), 1)
        self.assertEqual(self.browser.complaints(), [])
        return seconds

    def press(self, *keys):
        for key in keys:
            self.browser.key(key)

    def chosen(self):
        return self.browser.evaluate("state.chosen")

    def test_the_finding_is_seen_first(self):
        for data, kind in FINDINGS.items():
            self.open(self.page(data, TARGET, kind))
            seen = self.browser.evaluate("""(() => {
              const box = document.getElementById("scroll").getBoundingClientRect();
              return [...document.querySelectorAll(".row.marked, .row.here")].filter((row) => {
                const at = row.getBoundingClientRect();
                return at.top >= box.top && at.bottom <= box.bottom;
              }).map((row) => row.textContent);
            })()""")
            self.assertTrue(seen, kind)
            self.assertEqual(self.browser.evaluate("document.getElementById('kind').textContent"), kind)
            self.assertIn("show_target.cc", self.browser.evaluate("document.getElementById('source').textContent"))
            self.assertTrue(self.browser.evaluate("document.querySelector('#source tr.chosen .mono:last-child').textContent.trim()"))

    def test_hostile_texts_do_not_run(self):
        self.open(self.page("n1000", TARGET, "assertion-failure"))
        self.assertEqual(self.browser.evaluate("typeof window.taken"), "undefined")
        self.assertIn("<script>window.taken", self.browser.evaluate("document.getElementById('what').textContent"))

    def test_keys(self):
        self.open(self.page("n1000", TARGET, "assertion-failure"))
        last = self.chosen()
        self.press("k")
        self.assertLess(self.chosen(), last)
        self.press("j")
        self.assertEqual(self.chosen(), last)
        self.press("g")
        self.assertEqual(self.chosen(), 0)
        self.press("f")
        first = self.chosen()
        self.assertTrue(self.browser.evaluate("is(state.chosen, MARKED)"))
        self.press("f", "F")
        self.assertEqual(self.chosen(), first)
        self.press("w")
        self.assertEqual(self.chosen(), self.browser.evaluate(f"Math.max(partner({first}), {first} * (partner({first}) < 0))"))
        self.press("G", "h")
        self.assertEqual(self.browser.evaluate("thread(state.chosen)"), self.browser.evaluate("thread(count - 1)"))
        folded = self.browser.evaluate("state.folded")
        self.press("a")
        self.assertNotEqual(self.browser.evaluate("state.folded"), folded)
        self.press("?")
        self.assertTrue(self.browser.evaluate("document.getElementById('keys').open"))

    def test_search(self):
        self.open(self.page("n1000", TARGET, "assertion-failure"))
        self.press("/")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "search")
        self.browser.call("Input.insertText", text="lock")
        hits = self.browser.evaluate("state.hits.length")
        self.assertGreater(hits, 10)
        self.browser.key("Enter", "\r")
        self.browser.key("Escape")
        first = self.chosen()
        self.assertIn("lock", self.browser.evaluate("words(state.chosen)"))
        self.press("n")
        self.assertGreater(self.chosen(), first)
        self.press("N")
        self.assertEqual(self.chosen(), first)

    def test_values_under_the_mouse(self):
        self.open(self.page("n10", TARGET, "assertion-failure"))
        titles = self.browser.evaluate("[...document.querySelectorAll('.row')].map((row) => row.title)")
        self.assertTrue(any("read 0x" in title and "stored 0x" in title for title in titles), titles)

    def test_on_paper(self):
        self.open(self.page("d", TARGET, "deadlock"))
        self.browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        self.assertIn("BLOCKED: lock", self.browser.evaluate("document.getElementById('print').textContent"))

    def test_long_runs_cost_no_more_elements(self):
        nodes = {}
        for n in (10, 1000, 20000):
            page = self.page(f"n{n}", TARGET, "assertion-failure")
            seconds = self.open(page)
            operations = self.browser.evaluate("data.operations")
            result = self.browser.evaluate(SCROLL)
            nodes[n] = result["nodes"]
            print(f"{operations} operations: {page.stat().st_size} bytes, drawn after {1000 * seconds:.0f} ms, at most {result['nodes']} elements; a frame while "
                  f"scrolling: median {result['median']:.1f} ms, worst {result['worst']:.1f} ms", flush=True)
            self.assertTrue(self.browser.evaluate("(() => { choose(count - 1); return document.getElementById(`row-${count - 1}`) !== null; })()"))
        self.assertLess(nodes[20000], 2500)
        self.assertLess(nodes[20000], 1.5 * nodes[1000])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
