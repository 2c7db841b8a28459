#!/usr/bin/env python3
"""libFuzzer's own modes with heddle's targets. One scenario per call."""
import argparse
import os
import re
import subprocess

import session
from session import check


class LibFuzzerSession(session.Session):
    def directory(self, name):
        path = self.work / name
        path.mkdir(exist_ok=True)
        return path

    def run(self, binary, *options, environment=None, timeout=200):
        return subprocess.run([binary, *map(str, options)], cwd=self.work, env=dict(os.environ, **(environment or {})),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=timeout)

    def crash(self):
        found = self.run(self.a.buggy, "-seed=5", "-runs=100000", f"-artifact_prefix={self.work}/", self.directory("bug"))
        crashes = sorted(self.work.glob("crash-*"))
        check(crashes, "no crash", found.stdout)
        return crashes[0]

    def schedule(self, path):
        shown = subprocess.run([self.a.heddle, "show", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(shown.returncode == 0, "heddle show failed", shown.stdout)
        return shown.stdout


def summary(text):
    found = re.search(r"SUMMARY: HeddleSanitizer: (\S+)", text)
    return found.group(1) if found else None


def fork(s):
    """-fork=2: children share a corpus; a crash ends it, and is saved; a correct program runs to its end."""
    done = s.run(s.a.correct, "-fork=2", "-runs=4000", "-max_total_time=20", s.directory("corpus"))
    check(done.returncode == 0, f"exit code {done.returncode}", done.stdout)
    check(len(list(s.directory("corpus").iterdir())) > 1, "the corpus did not grow", done.stdout)
    bug = s.run(s.a.buggy, "-fork=2", "-max_total_time=60", f"-artifact_prefix={s.work}/", s.directory("other"))
    check(bug.returncode != 0 and list(s.work.glob("crash-*")), "the bug was not found", bug.stdout)


def jobs(s):
    """-jobs=2 -workers=2: two processes, each with a log; the bug of one makes the whole fail."""
    done = s.run(s.a.correct, "-jobs=2", "-workers=2", "-runs=2000", s.directory("corpus"))
    check(done.returncode == 0, f"exit code {done.returncode}", done.stdout)
    logs = sorted(s.work.glob("fuzz-*.log"))
    check(len(logs) == 2 and all("DONE" in p.read_text(errors="replace") for p in logs), "the jobs left no logs", done.stdout)
    bug = s.run(s.a.buggy, "-jobs=2", "-workers=2", "-runs=100000", f"-artifact_prefix={s.work}/", s.directory("other"))
    check(bug.returncode != 0 and list(s.work.glob("crash-*")), "the bug was not found", bug.stdout)


def merge(s):
    """-merge=1 keeps the inputs that add features, and heddle's are among those."""
    s.run(s.a.correct, "-seed=1", "-runs=4000", s.directory("corpus"))
    grown = len(list(s.directory("corpus").iterdir()))
    done = s.run(s.a.correct, "-merge=1", s.directory("merged"), s.directory("corpus"))
    kept = len(list(s.directory("merged").iterdir()))
    check(done.returncode == 0 and 1 < kept <= grown, f"{kept} of {grown} inputs kept", done.stdout)
    bare = s.run(s.a.correct, "-merge=1", s.directory("bare"), s.directory("corpus"), environment={"HEDDLE_OPTIONS": "features=1"})
    check(len(list(s.directory("bare").iterdir())) < kept, "heddle's features keep nothing", bare.stdout)


def minimize(s):
    """-minimize_crash=1 makes a smaller schedule with the same finding, still a schedule and not a broken one."""
    crash = s.crash()
    wanted = summary(s.run(s.a.buggy, crash).stdout)
    large = s.work / "large"
    text = s.work / "large.txt"
    text.write_text(s.schedule(crash) + 'payload-hex ' + "00 " * 300 + "\n")
    made = subprocess.run([s.a.heddle, "show", "--binary", str(text), "-o", str(large)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(made.returncode == 0, "could not make a larger crash", made.stdout.decode())
    check(summary(s.run(s.a.buggy, large).stdout) == wanted, "the larger one finds something else")
    small = s.work / "small"
    done = s.run(s.a.buggy, "-minimize_crash=1", "-runs=3000", "-max_total_time=30", f"-exact_artifact_path={small}", large)
    check(small.exists() and small.stat().st_size < large.stat().st_size, "nothing smaller came out", done.stdout)
    replay = s.run(s.a.buggy, small)
    check(summary(replay.stdout) is not None, "the smaller one finds nothing", replay.stdout)


def reduce(s):
    """-reduce_inputs=1 replaces inputs by smaller ones, and =0 does not; dictionaries are ignored without harm; figures at the end."""
    words = s.work / "words.dict"
    words.write_text('kw1="GET"\nkw2="\\x00\\x01"\n')
    done = s.run(s.a.correct, "-seed=1", "-runs=3000", "-reduce_inputs=1", f"-dict={words}", "-print_final_stats=1", s.directory("corpus"))
    check(done.returncode == 0 and "REDUCE" in done.stdout, "no input was replaced by a smaller one", done.stdout)
    check("stat::number_of_executed_units" in done.stdout, "no final figures", done.stdout)
    off = s.run(s.a.correct, "-seed=1", "-runs=3000", "-reduce_inputs=0", s.directory("corpus2"))
    check(off.returncode == 0 and "REDUCE" not in off.stdout, "inputs were replaced with -reduce_inputs=0", off.stdout)


def value_profile(s):
    """-use_value_profile=1 gets its features, for which the engine must see what is compared."""
    features = []
    for value in 0, 1:
        done = s.run(s.a.correct, "-seed=1", "-runs=500", f"-use_value_profile={value}", environment={"HEDDLE_OPTIONS": "features=1"})
        found = re.findall(r"DONE .* ft: (\d+)", done.stdout)
        check(done.returncode == 0 and found, f"exit code {done.returncode}", done.stdout)
        features.append(int(found[0]))
    check(features[1] > features[0], f"features without and with a value profile: {features}")


def limits(s):
    """A limit of 30 s ends a thread that never yields, -rss_limit_mb one that eats memory; both save the input."""
    slow = s.run(s.a.greedy, f"-artifact_prefix={s.work}/", "-runs=3", environment={"GREEDY": "time"})
    check(slow.returncode == 70 and list(s.work.glob("timeout-*")), f"timeout: exit code {slow.returncode}", slow.stdout)
    check("the timeout value is 30 " in slow.stdout, "another limit", slow.stdout)
    check("main.0 was running" in slow.stdout and "HERE: timeout (:" in slow.stdout, "the report does not say where", slow.stdout)
    fat = s.run(s.a.greedy, "-rss_limit_mb=512", f"-artifact_prefix={s.work}/", "-runs=3", environment={"GREEDY": "memory"})
    check(fat.returncode == 71 and list(s.work.glob("oom-*")), f"memory: exit code {fat.returncode}", fat.stdout)


def large_block(s):
    """-malloc_limit_mb ends the process if a thread asks for a block above the limit, with or without ASan, and says where; the input is saved."""
    for greedy in s.a.greedy, s.a.greedy_asan:
        for saved in s.work.glob("oom-*"):
            saved.unlink()
        asked = s.run(greedy, f"-artifact_prefix={s.work}/", "-runs=3", "-malloc_limit_mb=100", environment={"GREEDY": "block"})
        check(asked.returncode == 71 and list(s.work.glob("oom-*")), f"exit code {asked.returncode}", asked.stdout)
        for words in ("main.0 allocates 314572800 bytes at once: more than -malloc_limit_mb=100 allows", "greedy.cc:22", "HERE: out-of-memory",
                      "ERROR: libFuzzer: out-of-memory (malloc(314572800))"):
            check(words in asked.stdout, f"no '{words}'", asked.stdout)
        check("Can't read from symbolizer" not in asked.stdout, "the symbolizer is under control", asked.stdout)
        replay = s.run(greedy, next(s.work.glob("oom-*")), "-malloc_limit_mb=100", environment={"GREEDY": "block"})
        check(replay.returncode == 71, f"the saved input does not replay: exit code {replay.returncode}", replay.stdout)
        enough = s.run(greedy, "-runs=3", "-malloc_limit_mb=400", environment={"GREEDY": "block"})
        check(enough.returncode == 0, f"a block below the limit: exit code {enough.returncode}", enough.stdout)


def unwritable(s):
    """If nothing can be written, libFuzzer says nevertheless that it was."""
    lost = s.run(s.a.buggy, "-seed=5", "-runs=100000", "-artifact_prefix=/proc/self/", s.directory("bug"))
    check(lost.returncode != 0 and "heddle: note: /proc/self/crash-" in lost.stdout and "cannot be written" in lost.stdout, "a lost input is not told",
          lost.stdout)


def full_disk(s):
    """libFuzzer always says that an input was written, even after an error."""
    full = s.run(s.a.buggy, "-seed=5", "-runs=100000", "-exact_artifact_path=/dev/full", s.directory("bug"))
    check("heddle: note: not all of /dev/full could be written: No space left on device" in full.stdout, "a lost input is not told", full.stdout)
    kept = s.run(s.a.buggy, "-seed=5", "-runs=100000", f"-artifact_prefix={s.work}/", s.directory("bug"))
    check("could be written" not in kept.stdout and list(s.work.glob("crash-*")), "what is saved is told to be lost", kept.stdout)


PATIENT = {"HEDDLE_OPTIONS": "timeouts=patient"}


def assumptions(s):
    """timeouts=patient: the limits hold from the first execution on, and what is found replays without the option; an input does what it does."""
    target = s.a.impatient
    hasty = s.run(target, "-seed=1", "-runs=200", f"-exact_artifact_path={s.work}/hasty")
    check(hasty.returncode != 0 and "assertion `in_time'" in hasty.stdout and not (s.work / "hasty").read_bytes(), "the default schedule is patient", hasty.stdout)
    patient = s.run(target, "-seed=1", "-runs=3000", s.directory("corpus"), environment=PATIENT)
    check(patient.returncode == 0 and "no interesting inputs" not in patient.stdout, "a limit expired", patient.stdout)
    check(all("assume patient-timeouts" in s.schedule(p) or p.read_bytes() == b"\n" for p in s.directory("corpus").iterdir()),
          "an input that does not say it")
    # The payload of a corpus of data is kept, and each of its inputs has its turn.
    data = s.directory("data")
    for word in ("alpha", "beta"):
        (data / word).write_text(word)
    s.run(target, "-seed=1", "-runs=20", f"-features_dir={s.directory('features')}", data, environment=PATIENT)
    shown = "".join(s.schedule(p) for p in data.iterdir())
    check('payload "alpha"' in shown and "assume" in shown, "the data of the corpus are lost", shown)
    for bug in "always", "sometimes":
        crash = s.work / bug
        found = s.run(target, "-seed=1", "-runs=20000", f"-exact_artifact_path={crash}", environment={**PATIENT, "IMPATIENT": bug})
        check(f'asked("{bug}")' in found.stdout and crash.exists(), f"bug '{bug}' was not found", found.stdout)
        check("assume patient-timeouts" in s.schedule(crash), "the input does not say what it needs", s.schedule(crash))
        again = s.run(target, crash, environment={"IMPATIENT": bug})
        check(again.returncode != 0 and f'asked("{bug}")' in again.stdout and "assertion `in_time'" not in again.stdout, "it does not replay without the option", again.stdout)
    # No option changes what an input does.
    check("assertion `in_time'" in s.run(target, s.work / "hasty", environment=PATIENT).stdout, "an empty file does something else with the option")
    wrong = s.run(target, "-runs=1", environment={"HEDDLE_OPTIONS": "timeouts=lazy"})
    check(wrong.returncode == 2 and "timeouts is any or patient" in wrong.stdout, "a wrong word passes", wrong.stdout)


def fork_over_crashes(s):
    """-fork=1 -ignore_crashes=1 gets on although the default schedule fails, which only the first job runs."""
    done = s.run(s.a.impatient, "-fork=1", "-ignore_crashes=1", "-max_total_time=20", f"-artifact_prefix={s.work}/", s.directory("corpus"))
    crashes = [p.read_bytes() for p in s.work.glob("crash-*")]
    check(b"" in crashes, "the default schedule is not among what failed", done.stdout)
    check(len(crashes) > 2, f"{len(crashes)} inputs failed", done.stdout)
    check(len(list(s.directory("corpus").iterdir())) > 2, "the corpus does not grow", done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", choices=["fork", "jobs", "merge", "minimize", "reduce", "value_profile", "limits", "large_block", "full_disk", "unwritable", "assumptions", "fork_over_crashes"])
    for name in ("buggy", "correct", "greedy", "greedy_asan", "impatient", "heddle", "work"):
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    globals()[arguments.scenario](LibFuzzerSession(arguments))


if __name__ == "__main__":
    main()
