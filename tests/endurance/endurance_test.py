"""No growth: memory, descriptors and kernel threads of a target that leaves something behind in each execution.

usage: endurance_test.py TARGET EXECUTIONS

The first third of the run is for everything to find its size; after it nothing may grow. (The runtime's own figures: HEDDLE_OPTIONS=stats=1.)
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

target, executions = sys.argv[1], int(sys.argv[2])
SLACK_KIB = 8 * 1024  # libFuzzer's corpus and malloc's arenas breathe


def sample(pid):
    process = pathlib.Path(f"/proc/{pid}")
    status = (process / "status").read_text()
    return (int(re.search(r"VmRSS:\s+(\d+)", status)[1]), len(os.listdir(process / "fd")), len(os.listdir(process / "task")))


with tempfile.TemporaryDirectory() as directory, open(f"{directory}/log", "w+") as log:
    fuzzer = subprocess.Popen([target, f"-runs={executions}", "-seed=1", "-max_len=512", f"-artifact_prefix={directory}/"], stderr=log,
                              env={**os.environ, "HEDDLE_OPTIONS": "stats=1:report_leaks=0:memory=sc"})  # no note at the end, for which a symbolizer would start
    samples = []
    while fuzzer.poll() is None:
        try:
            samples.append(sample(fuzzer.pid))
        except (OSError, TypeError):  # it has just ended
            pass
        time.sleep(0.05 if len(samples) < 200 else 1)
    log.seek(0)
    output = log.read()

if fuzzer.returncode != 0 or f"Done {executions} runs" not in output:
    sys.exit(f"the target ended with {fuzzer.returncode}:\n{output[-3000:]}")
if len(samples) < 9:
    sys.exit(f"only {len(samples)} samples: more executions are needed")
early, late = samples[len(samples) // 3 : 2 * len(samples) // 3], samples[2 * len(samples) // 3 :]
failed = False
for i, (what, slack) in enumerate((("KiB of memory", SLACK_KIB), ("descriptors", 0), ("kernel threads", 0))):
    before, after = max(s[i] for s in early), max(s[i] for s in late)
    print(f"{what}: at most {before} in the second third of {executions} executions, {after} in the last")
    failed |= after > before + slack
print("\n".join(line for line in output.splitlines() if line.startswith("heddle: ")))
sys.exit(1 if failed else 0)
