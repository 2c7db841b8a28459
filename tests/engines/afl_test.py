#!/usr/bin/env python3
"""afl-fuzz and its tools with heddle's mutator and target, without a terminal. One scenario per call."""
import argparse
import os
import re
import subprocess
import time

import session
from afl_environment import UNATTENDED
from session import check


class AflSession(session.Session):
    def environment(self, extra=None, only=True):
        e = dict(os.environ, **UNATTENDED, AFL_HANG_TMOUT="20000", AFL_CUSTOM_MUTATOR_LIBRARY=self.a.mutator)
        if only:
            e["AFL_CUSTOM_MUTATOR_ONLY"] = "1"
        e.update(extra or {})
        return e

    def fuzz_command(self, target, out, *options):
        return ["afl-fuzz", "-t", "20000", "-i", self.a.corpus, "-o", str(self.work / out), *options, "--", target]

    def fuzz(self, target, out, *options, extra=None, only=True):
        done = subprocess.run(self.fuzz_command(target, out, *options), env=self.environment(extra, only), cwd=self.work,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=200)
        check(done.returncode == 0, f"afl-fuzz ended with {done.returncode}", done.stdout[-3000:])
        return done.stdout

    def stats(self, out, instance="default"):
        text = (self.work / out / instance / "fuzzer_stats").read_text()
        return dict(re.findall(r"^(\w+)\s*: (.*)$", text, re.M))

    def files(self, out, what, instance="default"):
        return sorted(p for p in (self.work / out / instance / what).glob("id:*"))

    def run(self, *command, timeout=100):
        return subprocess.run([str(c) for c in command], cwd=self.work, env=self.environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace", timeout=timeout)


def finds(s):
    """The bug of the example; crashes replay in the other engine's binary, and back."""
    log = s.fuzz(s.a.buggy, "out", "-V", "60", "-s", "1", extra={"AFL_BENCH_UNTIL_CRASH": "1"})
    crashes = s.files("out", "crashes")
    check(crashes, "no crash found", log[-3000:])
    stats = s.stats("out")
    check(stats["stability"] == "100.00%", f"stability {stats['stability']}")
    check(any("heddle-" in p.name for p in s.files("out", "queue") + crashes), "no file tells the moves that made it")
    for replayer in (s.a.buggy, s.a.libfuzzer):
        replay = s.run(replayer, crashes[0])
        check(replay.returncode != 0 and "SUMMARY: HeddleSanitizer:" in replay.stdout, f"{replayer} does not replay it", replay.stdout)
    summaries = {re.search(r"SUMMARY: .*", s.run(r, crashes[0]).stdout).group(0) for r in (s.a.buggy, s.a.libfuzzer)}
    check(len(summaries) == 1, "the engines see different findings", str(summaries))
    own = s.work / "corpus"  # where libFuzzer writes
    own.mkdir()
    found = s.run(s.a.libfuzzer, "-seed=3", "-runs=100000", "-artifact_prefix=" + str(s.work) + "/", own, s.a.corpus)
    saved = list(s.work.glob("crash-*"))
    check(saved, "libFuzzer found nothing", found.stdout[-2000:])
    back = s.run(s.a.buggy, saved[0])
    check("SUMMARY: HeddleSanitizer:" in back.stdout, "the AFL++ target does not replay libFuzzer's crash", back.stdout)


def steady(s):
    """An input has the same map each time, also late, when most executions go without the race detector at first."""
    s.fuzz(s.a.correct, "out", "-E", "30000", "-V", "100", "-s", "1", extra={"AFL_FAST_CAL": "1"})
    stats = s.stats("out")
    check(stats["stability"] == "100.00%", f"stability {stats['stability']}", str(stats))


def resumes(s):
    """A session that is stopped goes on, and knows the runs of its queue from the disk."""
    s.fuzz(s.a.correct, "out", "-V", "5", "-s", "1")
    first = s.stats("out")
    runs = list((s.work / "out/default/heddle-runs").glob("*.hdt"))
    entries = len(s.files("out", "queue"))
    check(len(runs) >= entries, f"{len(runs)} recorded runs beside {entries} queue entries")
    runs[0].write_bytes(runs[0].read_bytes()[:40])  # one damaged, one gone
    if len(runs) > 1:
        runs[1].unlink()
    s.fuzz(s.a.correct, "out", "-V", "5", extra={"AFL_AUTORESUME": "1"})
    second = s.stats("out")
    check(int(second["corpus_count"]) >= int(first["corpus_count"]), "the queue was lost", f"{first}\n{second}")
    check(int(second["saved_crashes"]) == 0, "a correct program crashed")


def parallel(s):
    """Two instances, -M and -S, share what they find."""
    main = subprocess.Popen(s.fuzz_command(s.a.correct, "out", "-V", "15", "-M", "one"), env=s.environment(), cwd=s.work,
                            stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    time.sleep(2)
    other = subprocess.Popen(s.fuzz_command(s.a.correct, "out", "-V", "15", "-S", "two"), env=s.environment({"AFL_SYNC_TIME": "1"}),
                             cwd=s.work, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    check(main.wait(120) == 0 and other.wait(120) == 0, "an instance failed")
    imported = sum(int(s.stats("out", i)["corpus_imported"]) for i in ("one", "two"))
    check(imported > 0, "nothing was shared")


def tools(s):
    """afl-showmap, afl-cmin and afl-tmin work on schedules."""
    s.fuzz(s.a.correct, "out", "-V", "6", "-s", "1")
    queue = s.work / "out/default/queue"
    shown = s.run("afl-showmap", "-q", "-o", s.work / "map", "--", s.a.correct, s.files("out", "queue")[0])
    check((s.work / "map").read_text().strip(), "afl-showmap saw nothing", shown.stdout)
    small = s.run("afl-cmin", "-i", queue, "-o", s.work / "min", "--", s.a.correct, timeout=200)
    kept = len(list((s.work / "min").glob("*")))
    check(0 < kept <= len(s.files("out", "queue")), f"afl-cmin kept {kept}", small.stdout[-2000:])
    s.fuzz(s.a.buggy, "bug", "-V", "60", "-s", "1", extra={"AFL_BENCH_UNTIL_CRASH": "1"})
    crash = s.files("bug", "crashes")[0]
    s.run("afl-tmin", "-i", crash, "-o", s.work / "small", "--", s.a.buggy, timeout=200)
    check((s.work / "small").stat().st_size <= crash.stat().st_size, "afl-tmin made it larger")
    check("SUMMARY: HeddleSanitizer:" in s.run(s.a.buggy, s.work / "small").stdout, "what afl-tmin made finds nothing")
    # By meaning it shrinks in the other engine's binary (libfuzzer_test.py: minimize), unless nothing can go.
    least = s.work / "least"
    done = s.run(s.a.libfuzzer, "-minimize_crash=1", "-runs=3000", "-max_total_time=20", f"-exact_artifact_path={least}", crash)
    check(least.exists() and least.stat().st_size <= crash.stat().st_size, "libFuzzer takes no crash of AFL++'s", done.stdout)
    check("SUMMARY: HeddleSanitizer:" in s.run(s.a.buggy, least).stdout, "what libFuzzer made finds nothing in AFL++'s target")


def feedback(s):
    """New order classes make new queue entries: hardly any without heddle's features."""
    s.fuzz(s.a.correct, "with", "-E", "1500", "-s", "1")
    s.fuzz(s.a.correct, "without", "-E", "1500", "-s", "1", extra={"HEDDLE_OPTIONS": "features=1"})
    on, off = (int(s.stats(out)["corpus_count"]) for out in ("with", "without"))
    check(on >= 2 * off, f"{on} entries with feedback, {off} without")


def symbolizer(s):
    """Nobody reads reports under afl-fuzz: no symbolizer is started, unless it is asked for, or suppressions need it."""
    marker, program = s.work / "started", s.work / "symbolizer"
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    program.chmod(0o755)
    nothing = s.work / "nothing.supp"
    nothing.write_text("deadlock:no_such_function\n")
    for out, options, started in (("quiet", "", False), ("asked", "symbolize=1", True), ("suppressed", f"suppressions='{nothing}'", True)):
        s.fuzz(s.a.buggy, out, "-V", "60", "-s", "1",
               extra={"AFL_BENCH_UNTIL_CRASH": "1", "HEDDLE_SYMBOLIZER": str(program), "HEDDLE_OPTIONS": options})
        check(s.files(out, "crashes"), f"{out}: no crash found")
        check(marker.exists() == started, f"HEDDLE_OPTIONS={options}: a symbolizer was {'not ' if started else ''}started")
        marker.unlink(missing_ok=True)
    replay = s.run(s.a.buggy, s.files("quiet", "crashes")[0])
    check("bounded_queue_fuzz.cc:" in replay.stdout, "a replay has no source lines", replay.stdout)


def weak(s):
    """A bug of weak memory, in both modes that change execution graphs. The crash replays without HEDDLE_OPTIONS: it names the model."""
    for mode in ("mixed", "execution-graphs"):
        s.fuzz(s.a.weak, mode, "-E", "20000", "-V", "100", "-s", "1",
               extra={"AFL_BENCH_UNTIL_CRASH": "1", "HEDDLE_OPTIONS": f"memory=rc11:mode={mode}"})
        crashes = s.files(mode, "crashes")
        check(crashes, f"{mode}: nothing found in 20,000 executions")
        stats = s.stats(mode)
        check(stats["stability"] == "100.00%", f"{mode}: stability {stats['stability']}")
        summaries = set()
        for _ in range(3):
            replay = s.run(s.a.weak, crashes[0])
            check(replay.returncode != 0, f"{mode}: the crash does not replay", replay.stdout)
            summaries.update(re.findall(r"SUMMARY: .*", replay.stdout))
        check(len(summaries) == 1, f"{mode}: the replays differ", str(summaries))


def words(s):
    """Two words and also an order: an input whose second line was not useful so far gets its turn, too."""
    corpus = s.work / "corpus"
    corpus.mkdir()
    (corpus / "one").write_text("0")
    s.a.corpus = str(corpus)
    for seed in ("1", "2"):
        log = s.fuzz(s.a.shell, "out" + seed, "-E", "15000", "-V", "100", "-s", seed,
                     extra={"AFL_BENCH_UNTIL_CRASH": "1", "AFL_FAST_CAL": "1", "HEDDLE_OPTIONS": "stdin=1:symbolize=0"})
        check(s.files("out" + seed, "crashes"), f"seed {seed}: nothing found in 15,000 executions", log)


def havoc(s):
    """With AFL++'s own stages as well: what byte havoc breaks is still a valid input."""
    s.fuzz(s.a.correct, "out", "-V", "8", "-s", "1", only=False)
    stats = s.stats("out")
    check(int(stats["saved_crashes"]) == 0 and int(stats["saved_hangs"]) == 0, "a correct program crashed or hung", str(stats))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", choices=["finds", "steady", "resumes", "parallel", "tools", "feedback", "symbolizer", "weak", "words", "havoc"])
    for name in ("buggy", "correct", "shell", "weak", "libfuzzer", "mutator", "corpus", "work"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    globals()[arguments.scenario](AflSession(arguments))


if __name__ == "__main__":
    main()
