#!/usr/bin/env python3
"""Compiles the programs of a page, and runs those marked so: documentation.py CXX INCLUDE FILE.md.

A block fenced as ```cpp run is a program that must compile without a warning and end with exit code 0; any other ```cpp block
must compile.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```cpp([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    cxx, include, page = sys.argv[1:4]
    ran = 0
    for info, body in FENCE.findall(pathlib.Path(page).read_text()):
        with tempfile.TemporaryDirectory(prefix="heddle-docs-") as directory:
            source, program = pathlib.Path(directory) / "block.cc", pathlib.Path(directory) / "block"
            source.write_text(body)
            output = ["-c", "-o", program] if "run" not in info else ["-pthread", "-o", program]
            built = subprocess.run([cxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{include}", source, *output],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if built.returncode != 0:
                print(f"does not compile:\n{body}\n{built.stdout}")
                return 1
            if "run" in info:
                result = subprocess.run([program], timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if result.returncode != 0:
                    print(f"exit code {result.returncode}:\n{body}\n{result.stdout}")
                    return 1
                ran += 1
    print(f"{page}: {ran} program(s) ran")
    return 0 if ran else 1


if __name__ == "__main__":
    sys.exit(main())
