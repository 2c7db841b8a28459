#!/usr/bin/env python3
"""A search is a function of binary and seed: the corpus that libFuzzer builds must not depend on where things lie in memory, on what fresh
memory holds, or on whether the engine looks for leaks (it then counts allocations, the mutator's among them)."""
import os
import pathlib
import platform
import shutil
import subprocess
import sys

binary, work, runs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
FIXED = ["setarch", platform.machine(), "-R"]
VARIANTS = {
    "as it is": ([], {}, []),
    "no address randomisation": (FIXED, {}, []),
    "another stack": ([], {"PADDING": "x" * 3000}, []),
    "other fresh memory": ([], {"MALLOC_PERTURB_": "165", "ASAN_OPTIONS": "max_malloc_fill_size=4096:malloc_fill_byte=90"}, []),
    "another heap": ([], {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", "ASAN_OPTIONS": "redzone=64:quarantine_size_mb=1"}, []),
    "no leak detection": ([], {}, ["-detect_leaks=0"]),
}

corpora = {}
for number, (name, (prefix, environment, options)) in enumerate(VARIANTS.items()):
    if prefix and (shutil.which(prefix[0]) is None or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0):
        print(f"{name}: not possible here")
        continue
    corpus = work / str(number)
    shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True)
    done = subprocess.run([*prefix, binary, "-seed=7", f"-runs={runs}", *options, str(corpus)], capture_output=True, text=True,
                          errors="replace", timeout=280, env=dict(os.environ, HEDDLE_OPTIONS="symbolize=0", **environment))
    if done.returncode != 0:
        sys.exit(f"{name}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    # Files are named by the hash of what is in them.
    corpora[name] = sorted(path.name for path in corpus.iterdir())
first, *others = corpora
if len(corpora[first]) < 3:
    sys.exit(f"a corpus of {len(corpora[first])} inputs compares nothing")
for name in others:
    if corpora[name] != corpora[first]:
        sys.exit(f"{name}: another corpus, {len(set(corpora[name]) ^ set(corpora[first]))} inputs are in one of the two only")
print(f"{len(corpora)} times the same {len(corpora[first])} inputs")
