"""What tests of the command from outside share. Their first argument is the command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class CommandCase(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = pathlib.Path(self.directory.name)

    def heddle(self, *words, **environment):
        return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, cwd=self.root, timeout=240, env={**os.environ, **environment})

    def assert_refused(self, result, code, *words):
        self.assertEqual(result.returncode, code, result)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def schedule(self, name, data, *lines):
        """Makes an input with these data bytes. Returns its name."""
        (self.root / "text").write_text("\n".join(["heddle schedule 1", *lines, f'payload "{data}"', ""]))
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        made = self.heddle("show", "--binary", "text", "-o", path)
        self.assertEqual(made.returncode, 0, made.stderr)
        return name

    def found(self, target, data, name="crash-x", lines=(), **environment):
        """Makes an input with the finding of these data bytes, with a seed and with things that it does not need."""
        for seed in range(1, 400):
            self.schedule(name, data, f"seed {seed}", "strategy random_walk", "assume no-spurious-wakes", *lines)
            run = subprocess.run([target, name, "-exact_artifact_path=again"], cwd=self.root, capture_output=True, timeout=60, env={**os.environ, **environment})
            if run.returncode != 0:
                return name
        self.fail(f"no seed has the finding of {data}")
