#!/usr/bin/env python3
"""Runs the commands of the documentation, so that they stay true: run_docs.py BUILD_DIRECTORY FILE.md...
The directory may also be one that heddle is installed in.

In each file, blocks fenced as ```sh run are executed by bash in the order they stand, in one new directory per file, with
the build tree's bin/ first in PATH and HEDDLE_SOURCE naming the source tree. A block fenced as ```LANGUAGE file=NAME is
written to that file first, in its place among the others. A fence may also say:

  exit=N      the last command of the block must end with that code
  needs=afl   the block is left out where AFL++ is not installed; NEEDS has the other names
  installed   the build tree is installed before, for CMake's find_package
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def debugger_works():
    """Not without gdb, nor in a container that forbids it."""
    return shutil.which("gdb") is not None and "exited normally" in run(["gdb", "-nx", "-batch", "-ex", "run", "--args", "true"]).stdout


# What a block may need, and how to test for it.
NEEDS = {"afl": lambda: shutil.which("afl-fuzz"), "gcc": lambda: shutil.which("g++"), "gdb": debugger_works}


def words_of(info):
    return dict(word.partition("=")[::2] for word in info.split())


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=300, **options)


class Page:
    """A page and the directory in which its commands run."""

    def __init__(self, path, build, directory):
        self.path = path
        self.build = build
        self.directory = pathlib.Path(directory) / "page"
        self.prefix = pathlib.Path(directory) / "prefix"
        self.directory.mkdir()
        self.environment = {**os.environ, "HEDDLE_SOURCE": str(SOURCE), "PATH": f"{build}/bin:{os.environ.get('PATH', '')}"}

    def install(self):
        if self.prefix.exists():
            return None
        if (self.build / "lib/cmake/heddle").exists():  # it is an installed tree
            self.environment["CMAKE_PREFIX_PATH"] = str(self.build)
            return None
        self.environment["CMAKE_PREFIX_PATH"] = str(self.prefix)
        result = run(["cmake", "--install", str(self.build), "--prefix", str(self.prefix)])
        return None if result.returncode == 0 else f"{self.path.name}: cannot install {self.build}:\n{result.stdout[-4000:]}"

    def block(self, words, body):
        """What went wrong, or None."""
        failed = self.install() if "installed" in words else None
        if failed:
            return failed
        wanted = int(words.get("exit", 0))
        result = run(["bash", "-euc", body], cwd=self.directory, env=self.environment)
        if result.returncode == wanted:
            return None
        return f"{self.path.name}: exit code {result.returncode}, expected {wanted}, of\n{body}\n{result.stdout[-4000:]}"

    def run(self):
        """(blocks that ran, what they lacked that did not), or None after a failure, which is printed."""
        ran, lacking = 0, []
        for language, info, body in FENCE.findall(self.path.read_text()):
            words = words_of(info)
            if "file" in words:
                file = self.directory / words["file"]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body)
            elif language == "sh" and "run" in words:
                if "needs" in words and not NEEDS[words["needs"]]():
                    lacking.append(words["needs"])
                    continue
                failed = self.block(words, body)
                if failed:
                    print(failed)
                    return None
                ran += 1
        return ran, lacking


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    total = 0
    for name in sys.argv[2:]:
        with tempfile.TemporaryDirectory(prefix="heddle-docs-") as directory:
            result = Page(pathlib.Path(name), build, directory).run()
        if result is None:
            return 1
        ran, lacking = result
        print(f"{name}: {ran} block(s) ran" + "".join(f", one left out for want of {what}" for what in lacking))
        total += ran + len(lacking)
    if total == 0:
        print("no block is marked to run: has the mark changed?")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
