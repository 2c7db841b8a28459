#!/usr/bin/env python3
"""A target whose functions are protected, as distributions compile, is under control all the same: protections_test.py SOURCE WRAPPER..."""
import pathlib
import subprocess
import sys
import tempfile

SOURCE, *WRAPPERS = sys.argv[1:]
PROTECTIONS = ["-fcf-protection=full"], ["-fstack-protector-all", "-O0"], ["-fcf-protection=full", "-fstack-protector-all", "-fstack-clash-protection", "-O0"], \
    ["-O2", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-fPIE"]

with tempfile.TemporaryDirectory(prefix="heddle-protections-") as work:
    target = pathlib.Path(work) / "target"
    for wrapper in WRAPPERS:
        for protections in PROTECTIONS:
            subprocess.run([wrapper, "-std=c++20", *protections, SOURCE, "-o", target], check=True)
            run = subprocess.run([target, "-runs=1"], cwd=work, stderr=subprocess.PIPE, text=True)
            if run.returncode != 0 or "control verified: 1 instrumented unit," not in run.stderr:
                sys.exit(f"{wrapper} {protections}: {run.returncode}\n{run.stderr}")
