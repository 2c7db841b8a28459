"""A deadlock is reported at the lines that its source marks: of jobs of a pool, which a std::function holds, their own and not the one that calls
them; of equal calls in two branches each its own.

usage: lines_test.py TARGET SOURCE
"""
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[2])
marked = {str(number) for number, line in enumerate(source.read_text().splitlines(), 1) if re.search("// (held|wanted)$", line)}
with tempfile.TemporaryDirectory() as directory:
    run = subprocess.run([sys.argv[1], "-runs=10000", "-seed=1"], capture_output=True, text=True, errors="replace", cwd=directory, timeout=150)
named = set(re.findall(rf"^    #0 .*{re.escape(source.name)}:(\d+):", run.stderr, re.M))
if "SUMMARY: HeddleSanitizer: deadlock" not in run.stderr or named != marked:
    sys.exit(f"expected the lines {sorted(marked)}, exit code {run.returncode}:\n{run.stderr[-3000:]}")
