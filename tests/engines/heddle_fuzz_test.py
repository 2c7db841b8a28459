#!/usr/bin/env python3
"""heddle fuzz, with both engines: heddle_fuzz_test.py HEDDLE SOURCE BUILD LIBFUZZER_TARGET STANDALONE_TARGET [AFL_TARGET FAILING_AFL_TARGET]."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HEDDLE, SOURCE, BUILD, FOR_LIBFUZZER, STANDALONE = (pathlib.Path(a) for a in sys.argv[1:6])
FOR_AFL, FAILING = (pathlib.Path(a) for a in sys.argv[6:8]) if len(sys.argv) > 7 else (None, None)


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def heddle(self, *words, **environment):
        environment = {**os.environ, "AFL_NO_AFFINITY": "1", **environment}
        return subprocess.run([HEDDLE, "fuzz", *words], cwd=self.root, env=environment, capture_output=True, text=True, errors="replace", timeout=120)

    def refused(self, done, *words, code=2):
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def file(self, name, text, mode=0o644):
        path = self.root / name
        path.write_text(text)
        path.chmod(mode)
        return path


class LibFuzzer(Fuzz):
    def test_finds_and_saves(self):
        done = self.heddle(FOR_LIBFUZZER, "-i", SOURCE / "corpora/bounded_queue", "-o", "deep/found", "--seconds", "60", "--", "-seed=1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SUMMARY: HeddleSanitizer", done.stderr)
        self.assertTrue(list((self.root / "deep/found").glob("crash-*")))
        self.assertTrue((self.root / "deep/found/corpus").is_dir())

    def test_exit_code_is_the_engines(self):
        self.assertEqual(self.heddle(FOR_LIBFUZZER, "--", "-runs=1").returncode, 0)

    def test_target_of_the_working_directory(self):
        shutil.copy(FOR_LIBFUZZER, self.root / "target")
        self.assertEqual(self.heddle("target", "--", "-runs=1").returncode, 0)

    def test_what_is_no_target(self):
        self.refused(self.heddle("absent"), "absent", "No such file")
        self.refused(self.heddle("."), "not a program")
        self.refused(self.heddle(self.file("text", "x")), "Permission denied")
        self.refused(self.heddle(self.file("script", "#!/bin/sh\n", 0o755)), "is not a heddle fuzz target", "heddle-clang++")
        self.refused(self.heddle(STANDALONE), "--engine=standalone")

    def test_the_other_engine(self):
        self.refused(self.heddle("--engine=afl", FOR_LIBFUZZER), "is built for libFuzzer", "heddle-clang++ --engine=afl")
        self.refused(self.heddle("--engine=nonsense", FOR_LIBFUZZER), "nonsense")

    def test_directories(self):
        self.refused(self.heddle(FOR_LIBFUZZER, "-i", "absent"), "-i absent", "No such file")
        self.file("taken", "x")
        self.refused(self.heddle(FOR_LIBFUZZER, "-i", "taken"), "-i taken")
        self.refused(self.heddle(FOR_LIBFUZZER, "-o", "taken/out"), "cannot create taken/out")


@unittest.skipUnless(FOR_AFL, "no AFL++")
class Afl(Fuzz):
    def finds(self, *words):
        done = self.heddle("-o", "out", "--until-finding", "--seconds", "60", *words, "--", "-s", "1")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        crashes = list((self.root / "out/default/crashes").glob("id*"))
        self.assertTrue(crashes, done.stdout[-2000:])
        self.assertTrue(any("heddle-" in path.name for path in (self.root / "out/default/queue").glob("id*")), "not heddle's mutator")

    def test_with_inputs(self):
        self.finds("--engine=afl", FOR_AFL, "-i", SOURCE / "corpora/bounded_queue")

    def test_without_inputs(self):
        self.finds(FOR_AFL)

    def test_what_the_user_has_set_stays(self):
        shown = self.heddle("--show", FOR_AFL, "--", "-t", "7", AFL_FAST_CAL="0", AFL_NO_UI="1").stdout
        self.assertNotIn("AFL_FAST_CAL", shown)
        self.assertEqual(re.findall(r" -t \d+", shown), [" -t 7"])
        self.assertFalse((self.root / "out").exists())

    def test_no_afl_fuzz(self):
        self.refused(self.heddle(FOR_AFL, PATH="/nonexistent", AFL_PATH=""), "no afl-fuzz", "install AFL++")

    def test_inputs(self):
        self.refused(self.heddle(FOR_AFL, "-i", "absent"), "-i absent", "No such file")
        (self.root / "empty").mkdir()
        self.refused(self.heddle(FOR_AFL, "-i", "empty"), "-i empty", "no input")

    def test_a_target_that_does_not_start(self):
        self.refused(self.heddle(FOR_AFL, HEDDLE_OPTIONS="nonsense=1"), "HEDDLE_OPTIONS: unknown option 'nonsense'")
        self.refused(self.heddle(FAILING), "fails with every seed input", "out/seeds/", code=1)

    def test_the_line_of_the_readme(self):
        line = re.search(r"^build/bin/heddle fuzz .*$", (SOURCE / "README.md").read_text(), re.M).group(0)
        (self.root / "build").symlink_to(BUILD)
        (self.root / "corpora").symlink_to(SOURCE / "corpora")
        done = subprocess.run(shlex.split(line) + ["--seconds", "3"], cwd=self.root, env={**os.environ, "AFL_NO_AFFINITY": "1"},
                              capture_output=True, text=True, errors="replace", timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertTrue((self.root / "out/afl/default/fuzzer_stats").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
