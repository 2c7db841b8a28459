"""HEDDLE_OPTIONS=account=1, and the notes: what is not under control, or not known of an execution, is said, and nothing else is.

usage: account_test.py HEDDLE_CLANG++ PLAIN_CXX SOURCE_DIRECTORY
"""
import os
import pathlib
import subprocess
import sys
import tempfile

wrapper, plain, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

# What the account must say of the target, and with which linkers.
GAPS = {
    "not instrumented in the executable": ("account_bare.cc", "account_bare_constructor.cc"),
    "libaccount.so is not instrumented: its accesses": (),  # by these words `heddle replay` knows
    "the executable calls lockf": (),
    "1 atomic instruction in assembly": ("swap_by_hand",),
    "libaccount_waits.so calls": (" lockf", " getaddrinfo"),
    "a thread was started outside the executions": ("account_target",),
}
failures = []


def run(*command, **environment):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**os.environ, **environment}, timeout=300)


def must(*command):
    result = run(*command)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")


def expect(what, condition, output):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}\n{output}")


def lines(output, start):
    return [line for line in output.splitlines() if line.startswith(start)]


def check_gaps(name, output, start):
    found = lines(output, start)
    for gap, words in GAPS.items():
        line = next((line for line in found if gap in line), "")
        expect(f"{name}: '{start}... {gap}'", line and all(word in line for word in words), output)
    expect(f"{name}: nothing else after '{start}'", len(found) == len(GAPS), output)


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    for bare in ("account_bare", "account_bare_constructor"):
        must(plain, "-c", source / f"{bare}.cc", "-o", work / f"{bare}.o")
    must(plain, "-shared", "-fPIC", source / "account_library.cc", "-o", work / "libaccount.so")
    must(wrapper, "-shared", "-fPIC", source / "account_library_waits.cc", "-o", work / "libaccount_waits.so")
    for name, flag in {"bfd": "-fuse-ld=bfd", "lld": "-fuse-ld=lld", "ASan": "--asan"}.items():
        target = work / f"target_{name}"
        must(wrapper, flag, source / "account_target.cc", work / "account_bare.o", work / "account_bare_constructor.o",
             f"-L{work}", "-laccount", "-laccount_waits", f"-Wl,-rpath,{work}", "-o", target)
        output = run(target, "-runs=500", "-seed=1").stderr
        check_gaps(f"{name}, without the option", output, "heddle: note: ")
        expect(f"{name}: no account without the option", not lines(output, "heddle: account"), output)
        output = run(target, "-runs=30000", "-seed=1", HEDDLE_OPTIONS="account=1").stderr  # time for the uncontrolled thread
        expect(f"{name}: a shim stands before connect", not any("connect" in line for line in lines(output, "heddle: account: not controlled: ")), output)
        check_gaps(f"{name}, account", output, "heddle: account: not controlled: ")
        for line in ("account of 30000 executions", "account: controlled: mutex_lock 60000", "account: controlled: thread_create 30000",
                     "account: the executable is instrumented", "account: not controlled, called by an uncontrolled thread: sched_yield"):
            expect(f"{name}: '{line}'", f"heddle: {line}" in output, output)
        output = run(target, "-runs=1", f"-artifact_prefix={work}/", HEDDLE_OPTIONS="account=1", HEDDLE_TEST_FAILS="1").stderr
        check_gaps(f"{name}, at a crash", output, "heddle: account: not controlled: ")
        expect(f"{name}: the crash counts", "heddle: account of 1 execution\n" in output and "controlled: mutex_lock 2" in output, output)
    for name, flags in {"a harness": [], "a whole program": ["-DHEDDLE_TEST_MAIN"]}.items():
        target = work / name.replace(" ", "_")
        must(wrapper, "-DHEDDLE_TEST_PLAIN", *flags, source / "account_target.cc", "-o", target)
        output = run(target, "-runs=100", "-seed=1", HEDDLE_OPTIONS="account=1").stderr
        expect(f"{name} under control: no notes", not lines(output, "heddle: note: "), output)
        expect(f"{name} under control: nothing uncontrolled", "not controlled" not in output, output)
        expect(f"{name} under control: no uncontrolled threads", "heddle: account: no uncontrolled threads" in output, output)
    must(plain, "-shared", "-fPIC", source / "account_library.cc", "-o", work / "libother.so")
    must(wrapper, "-DHEDDLE_TEST_PLAIN", source / "account_target.cc", f"-L{work}", "-Wl,--no-as-needed", "-laccount", "-lother", f"-Wl,-rpath,{work}", "-o", work / "two")
    output = run(work / "two", "-runs=10", "-seed=1", HEDDLE_OPTIONS="account=1:restore=fork:report_exit=1").stderr
    notes = lines(output, "heddle: note: ")
    expect("two libraries: one note", any("2 libraries are not instrumented: libaccount.so, libother.so" in line for line in notes), output)
    useless = [name for name in ("restore", "report_exit") if any(f"{name} is for programs with their own main" in line for line in notes)]
    expect("a harness is not forked, and has no exit code", len(notes) == 3 and len(useless) == 2, output)
    expect("two libraries: each in the account", sum("is not instrumented" in line for line in lines(output, "heddle: account: not controlled: ")) == 2, output)
    must(wrapper, "-shared", "-fPIC", source / "account_library_waits.cc", "-o", work / "libgood.so")
    must(wrapper, source / "plugin_target.cc", "-o", work / "plugin")
    for name, known in {"libother.so": 1, "libgood.so": 0}.items():
        output = run(work / "plugin", "-runs=10", "-seed=1", HEDDLE_TEST_PLUGIN=str(work / name)).stderr
        expect(f"{name}, opened by an execution", sum(f"{name} is not instrumented" in line for line in lines(output, "heddle: note: ")) == known, output)
    text = work / "text"
    text.write_text("heddle schedule 1\n")
    output = run(work / "two", text).stderr
    expect("a schedule as text: said", any("is a schedule as text" in line for line in lines(output, "heddle: note: ")), output)
    must(wrapper, source / "endless_program.cc", "-o", work / "endless")
    output = run(work / "endless", "-runs=3", "-seed=1").stderr
    cut = lines(output, "heddle: note: an execution was stopped after ")
    expect("an execution that does not end: said, and once", len(cut) == 1 and "Done 3 runs" in output, output)
    expect("an execution that does not end: with its last position", "endless_program.cc:" in cut[0], output)
    expect("an execution that does not end: who runs", len(lines(output, "heddle: note: main was still running, here:")) == 1 and
           len(lines(output, "heddle: note: main.0 was still running, here:")) == 1 and output.count("    #0 0x") == 2, output)
    must(wrapper, "-std=c++20", "-g", source / "endless_wait.cc", "-o", work / "endless_wait")
    output = run(work / "endless_wait", "-runs=3", "-seed=1", HEDDLE_OPTIONS="spurious=0").stderr
    expect("a wait that a busy thread hides: who waits", len(lines(output, "heddle: note: main waits for the end of main.1, since the first half of the execution, here:")) == 1 and
           len(lines(output, "heddle: note: main.1 waits for a notification on changed, since the first half")) == 1 and " in wait_for_change" in output, output)
    must(wrapper, "-std=c++20", "-g", source / "endless_limits.cc", "-o", work / "endless_limits")
    for way in "process", "fork":
        output = run(work / "endless_limits", "-runs=3", "-seed=1", HEDDLE_OPTIONS=f"timeouts=patient:restore={way}").stderr
        expect(f"a time limit that does not come, {way}: whose, and why", " in wait_a_second " in output and
               len(lines(output, "heddle: note: main still waits for a time limit (with timeouts=patient")) == 1, output)
    must(wrapper, "-std=c++20", "-g", source / "endless_thread.cc", "-o", work / "endless_thread")
    for way in "process", "fork":
        output = run(work / "endless_thread", "-runs=3", "-seed=1", HEDDLE_OPTIONS=f"restore={way}").stderr
        cut = lines(output, "heddle: note: an execution was stopped after ")
        expect(f"a thread that does not end, {way}: said, and once", len(cut) == 1 and "Its main had returned" in cut[0] and "Done 3 runs" in output, output)
        expect(f"a thread that does not end, {way}: which, and where", len(lines(output, "heddle: note: main.0 was still running, here:")) == 1 and
               "was still running" not in output.replace("main.0 was still running", "") and " in retry " in output and " in connect_to " in output, output)

sys.exit(1 if failures else 0)
