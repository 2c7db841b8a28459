"""What the tests of the engines share: a place to work in, and a way to fail."""
import pathlib
import shutil
import sys


def check(condition, what, detail=""):
    if not condition:
        sys.exit(f"{what}\n{detail[-3000:]}")


class Session:
    """One scenario: its arguments, and its own directory, empty at the start."""

    def __init__(self, arguments):
        self.a = arguments
        self.work = pathlib.Path(arguments.work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
