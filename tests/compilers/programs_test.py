#!/usr/bin/env python3
"""Programs of tests/programs built by another compiler find, and do not find, the same.

programs_test.py NAME WRAPPERS TRACE_TOOL WORK [I/N | PROGRAM...]: NAME as compilers.get() takes it. Each of FAIL is built with heddle's wrapper, with its bug
and without, and run as docs/design/testing.md says, with one seed. With I/N, only each Nth of them, from the Ith. Or, of PROGRAMs in the place of those, what
pass/... and fail/... name, and all in a directory.
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

import compilers

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
RUN = PROGRAMS / "run_program.py"

# Each primitive, C and C++, every width of atomics, exceptions, thread-locals, guards, payload, restored state, floating point.
FAIL = """
annotations/deadlock.cc annotations/hand_over.cc annotations/unprotected_read.cc
assembly/lock.c assembly/lost_update.c
atomics/aba.cc atomics/dekker.cc atomics/floating_sum.cc atomics/maximum.c atomics/spinlock.cc atomics/wide.cc
channels/select_both_ready.cc channels/full_buffers.cc
classic/queue.cc
condvar/signal_before_wait_c.c condvar/stolen.cc
crash/uncaught.cc
global_state/second_time.cc
library/copied_record.c library/names_reallocated.cc library/log_text.cc
mutex/ab_ba_c.c mutex/timedlock_timeout.cc mutex/trylock_outcome.cc
once/static_with_lock.cc
payload/data_and_schedule.cc payload/untouched_entry.cc
plain/data_race.cc plain/double_checked.cc plain/lost_deposit.cc plain/setters_3.cc plain/use_after_free.cc
race_atomic/relaxed_count.cc
spin/hidden.cc
streams/text_race.cc streams/asked_while_written.cc
thread/local_destructor.cc thread/mutual_join.c
time/watchdog.cc
""".split()


def header(source):
    return source.read_text().splitlines()[0].split()


OPTIONS = ["-O1", "-g1", "-UNDEBUG", "-Wall", "-Wextra"]


def compile_headers(compiler, wrappers, work):
    """Most of the time to compile a program are headers: for clang, they are compiled once. gcc shows that each program includes what it needs."""
    if compiler.is_gcc:
        return []
    headers = PROGRAMS / "program_headers.h"
    compiled = work / "program_headers.pch"
    subprocess.run([compiler.wrapper(wrappers, "any.cc"), *OPTIONS, "-std=c++20", *compiler.flags, "-x", "c++-header", headers, "-o", compiled],
                   env=compiler.environment(), check=True)
    return ["-include-pch", str(compiled)]


def check(compiler, wrappers, trace_tool, work, headers, source):
    """Null, or what is wrong."""
    name = str(source.relative_to(PROGRAMS).with_suffix("")).replace("/", ".")
    binary = work / name
    words = header(source)
    flags = [f for w in words if w.startswith("flags=") for f in w[len("flags="):].split(",")]
    if "asan" in words and "--asan" not in compiler.flags:
        flags.append("--asan")
    if source.suffix == ".cc":
        flags = ["-std=c++20", *compiler.flags, *(flags or headers)]  # with other flags the headers would be others
    command = [str(compiler.wrapper(wrappers, source)), *OPTIONS, *flags, str(source), "-o", str(binary)]
    built = subprocess.run(command, capture_output=True, text=True, env=compiler.environment())
    if built.returncode != 0 or "warning:" in built.stderr:
        return f"{name}: {' '.join(command)}\n{built.stdout}{built.stderr}"
    ran = subprocess.run([sys.executable, RUN, "--source", source, "--binary", binary, "--trace-tool", trace_tool, "--work", work / f"{name}.work",
                          "--seeds", "1", "--runs", "300"], capture_output=True, text=True)
    binary.unlink()
    return f"{name}: {ran.stdout}{ran.stderr}" if ran.returncode != 0 else None


def chosen(words):
    part = re.fullmatch(r"(\d+)/(\d+)", words[0]) if words else None
    if part or not words:
        programs = FAIL[int(part[1]) - 1 :: int(part[2])] if part else FAIL
        return [PROGRAMS / kind / p for p in programs for kind in ("fail", "pass")]
    named = [PROGRAMS / name for name in words]
    return [s for n in named for s in (sorted(n.glob("*.cc")) if n.is_dir() else [n])]


def main():
    compiler, wrappers, trace_tool, work = compilers.get(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    sources = chosen(sys.argv[5:])
    headers = compile_headers(compiler, wrappers, work)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [w for w in pool.map(lambda s: check(compiler, wrappers, trace_tool, work, headers, s), sources) if w]
    for w in wrong:
        print(w)
    print(f"{len(sources) - len(wrong)} of {len(sources)} programs built by {compiler.name} do what they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
