#!/usr/bin/env python3
"""Runs the commands of the documentation, so that they stay true: run_docs.py BUILD_DIRECTORY FILE.md...

In each file, blocks fenced as ```sh run are executed by bash in the order they stand, in one new directory per file, with
the build tree's bin/ first in PATH and HEDDLE_SOURCE naming the source tree. A fence may say `exit=N`: the last command of
the block must end with that code. A block fenced as ```LANGUAGE file=NAME is written to that file first.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def words_of(info):
    return dict(word.partition("=")[::2] for word in info.split())


def run_file(path, build):
    ran = 0
    with tempfile.TemporaryDirectory(prefix="heddle-docs-") as directory:
        environment = {**os.environ, "HEDDLE_SOURCE": str(SOURCE),
                       "PATH": f"{build}/bin:{os.environ.get('PATH', '')}"}
        for language, info, body in FENCE.findall(path.read_text()):
            words = words_of(info)
            if "file" in words:
                (pathlib.Path(directory) / words["file"]).write_text(body)
            elif language == "sh" and "run" in words:
                wanted = int(words.get("exit", 0))
                result = subprocess.run(["bash", "-euc", body], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                        timeout=300)
                if result.returncode != wanted:
                    print(f"{path.name}: exit code {result.returncode}, expected {wanted}, of\n{body}\n{result.stdout[-4000:]}")
                    return None
                ran += 1
    return ran


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    total = 0
    for name in sys.argv[2:]:
        ran = run_file(pathlib.Path(name), build)
        if ran is None:
            return 1
        print(f"{name}: {ran} block(s) ran")
        total += ran
    if total == 0:
        print("no block is marked to run: has the mark changed?")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
