"""The jobs of a pool, which a std::function holds, are reported at their own lines, not at the one that calls them.

usage: job_lines_test.py TARGET
"""
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(__file__).with_name("job_lines.cc").read_text().splitlines()
marked = {str(number) for number, line in enumerate(source, 1) if re.search("// (held|wanted)$", line)}
with tempfile.TemporaryDirectory() as directory:
    run = subprocess.run([sys.argv[1], "-runs=10000", "-seed=1"], capture_output=True, text=True, errors="replace", cwd=directory, timeout=150)
named = set(re.findall(r"^    #0 .*job_lines\.cc:(\d+):", run.stderr, re.M))
if "SUMMARY: HeddleSanitizer: deadlock" not in run.stderr or named != marked:
    sys.exit(f"expected the lines {sorted(marked)}, exit code {run.returncode}:\n{run.stderr[-3000:]}")
