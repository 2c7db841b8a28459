"""A thread that sleeps inside std::counting_semaphore although the count is positive (GCC bug 104928): the report says so in its first lines,
however the library was inlined.

usage: sleeping_semaphore_test.py HEDDLE_CLANG++ HEDDLE_G++ SOURCE_DIRECTORY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

clang, gcc, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]) / "sleeping_semaphore.cc"
COUNTING, BINARY, LARGEST = "std::counting_semaphore<4>", "std::binary_semaphore", "std::counting_semaphore<>"
# Without -g by the names of functions that are still there.
CASES = ((clang, ("-O0", "-g"), COUNTING, 0), (clang, ("-O1", "-g"), LARGEST, 1), (clang, ("-O2", "-g0"), BINARY, 0), (clang, ("-O2", "-g"), LARGEST, 0),
         (clang, ("-O0", "-g0"), BINARY, 0), (gcc, ("-O0", "-g"), LARGEST, 0), (gcc, ("-O2",), COUNTING, 0))
failures = 0

with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    version = subprocess.run([clang, "-x", "c++", "-dM", "-E", "-std=c++20", "-include", "version", "/dev/null"], capture_output=True, text=True).stdout
    release = next((int(line.split()[2]) for line in version.splitlines() if line.startswith("#define _GLIBCXX_RELEASE ")), 0)
    if release == 0 or release >= 14:
        print(f"libstdc++ {release} has no such bug")
        sys.exit(0)
    for wrapper, flags, kind, timed in CASES:
        target = work / "target"
        made = subprocess.run([wrapper, "-std=c++20", *flags, f"-DSEMAPHORE={kind}", f"-DTIMED={timed}", source, "-o", target], capture_output=True, text=True, timeout=300)
        if made.returncode != 0:
            sys.exit(made.stderr)
        done = subprocess.run([target, "-runs=60000", "-seed=1", f"-artifact_prefix={work}/"], capture_output=True, text=True, timeout=300, env={**os.environ, "HEDDLE_OPTIONS": ""})
        lines = done.stderr.splitlines()
        header = next((number for number, line in enumerate(lines) if "ERROR: HeddleSanitizer: blocked-threads" in line), None)
        what = f"{pathlib.Path(wrapper).name} {' '.join(flags)} {kind} timed={timed}"
        if header is None or "GCC bug 104928" not in "".join(lines[header + 1:header + 3]):
            failures += 1
            shown = "\n".join(lines[header:header + 30]) if header is not None else done.stderr[-2000:]
            print(f"FAILED: {what}\n{shown}")

sys.exit(1 if failures else 0)
