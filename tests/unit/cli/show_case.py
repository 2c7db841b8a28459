"""Inputs of show_target.cc for the tests of pages and pictures."""

import subprocess

from command_case import CommandCase

# data -> the finding
FINDINGS = {"n1000": "assertion-failure", "d": "deadlock", "w": "lost-wakeup"}


class ShowCase(CommandCase):
    def input(self, data, target, kind=None):
        """A file with these data bytes whose run has the finding."""
        for seed in range(1, 60):
            name = self.schedule(f"crash-{data}", data, f"seed {seed}", "strategy random_walk")
            run = subprocess.run([target, name], cwd=self.root, capture_output=True, text=True, errors="replace", timeout=60)
            if kind is None or f"HeddleSanitizer: {kind} " in run.stderr:
                return name
        self.fail(f"no seed has {kind}")

    def page(self, data, target, kind=None):
        name = self.input(data, target, kind)
        result = self.heddle("show", "--html", "--target", target, name)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.root / f"run-{name}.html"
