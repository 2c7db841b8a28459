"""What the tests of whole programs share: a target is built as its owners would build it, and runs under the engine."""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
arguments = argparse.ArgumentParser()
arguments.add_argument("--bin", type=pathlib.Path)
arguments.add_argument("--trace-tool", type=pathlib.Path)
arguments.add_argument("--afl", default="")
arguments, rest = arguments.parse_known_args()


def as_from_a_shell():
    """What a process is given by who starts it: continuous integration may ignore or block signals, or have a file mode mask of its own."""
    os.umask(0o022)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Whole(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="heddle-whole-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)

    def setUp(self):
        self.work = self.root / self.id().rsplit(".", 1)[-1]
        self.work.mkdir()

    def run_it(self, *command, options=None, cwd=None, **more):
        environment = {name: value for name, value in os.environ.items() if name not in ("HEDDLE_OPTIONS", "MAKEFLAGS", "MAKELEVEL")}
        environment.update(more.pop("env", {}))
        if options is not None:
            environment["HEDDLE_OPTIONS"] = options
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("preexec_fn", as_from_a_shell)
        return subprocess.run([str(word) for word in command], cwd=cwd or self.work, env=environment, timeout=200, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def succeeds(self, *command, **more):
        result = self.run_it(*command, **more)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def compile(self, *words, name=None):
        source = next(str(word) for word in words if str(word).endswith((".c", ".cc")))
        wrapper = "heddle-clang" if source.endswith(".c") else "heddle-clang++"
        target = self.work / (name or pathlib.Path(source).stem + "_fuzz")
        self.succeeds(arguments.bin / wrapper, *words, "-o", target)
        return target

    def fuzz(self, target, runs, options, *engine):
        return self.run_it(target, f"-runs={runs}", "-seed=1", *engine, options=options)

    def passes(self, target, runs, options):
        result = self.fuzz(target, runs, options)
        self.assertEqual(result.returncode, 0, result.stderr[-4000:])
        self.assertIn(f"Done {runs} runs", result.stderr)
        self.assertNotIn("SUMMARY", result.stderr)
        return result

    # Fails within the runs, of this, and again three times in processes of their own, by equal traces. The saved input.
    def finds(self, target, runs, options, finding):
        saved = self.work / f"saved{len(list(self.work.glob('saved*')))}"
        saved.mkdir()
        result = self.fuzz(target, runs, options, f"-artifact_prefix={saved}/")
        self.assertIn(f"SUMMARY: {finding}", result.stderr, result.stderr[-4000:])
        crashes = list(saved.glob("crash-*"))
        self.assertEqual(len(crashes), 1, result.stderr[-2000:])
        traces = []
        for number in range(3):
            traces.append(saved / f"trace{number}")
            again = self.run_it(target, crashes[0], options=f"{options}:trace_path={traces[-1]}")
            self.assertIn(f"SUMMARY: {finding}", again.stderr)
            self.assertNotEqual(again.returncode, 0)
        for trace in traces[1:]:
            self.succeeds(arguments.trace_tool, "compare", traces[0], trace)
        return crashes[0], traces[0]


def run_scenarios():
    unittest.main(module="__main__", argv=[sys.argv[0]] + rest)
