#!/usr/bin/env python3
"""Programs with a main of their own, built as their owners build them, as fuzz targets: whole_test.py --bin DIRECTORY --trace-tool FILE
[--afl=DIRECTORY] SCENARIO, one of the classes below."""

import ctypes
import re
import shutil
import sys

from whole import HERE, PROGRAMS, Whole, arguments, run_scenarios

PR_CAPBSET_DROP, CAP_SYS_RESOURCE = 24, 24  # of Linux


class Programs(Whole):
    def test_several_files_and_a_library_by_its_own_makefile(self):
        shutil.copytree(HERE / "makefile_program", self.work, dirs_exist_ok=True)
        built = self.succeeds("make", f"CC={arguments.bin}/heddle-clang", "check")
        self.assertIn("2 of 2", built.stdout)  # "check" runs it, as a program
        self.assertNotIn("heddle: started by", built.stderr)  # there are builds that take any word there for a failure
        found = []
        for way in ("process", "fork"):
            found.append(self.finds(self.work / "program", 5000, f"args=2:restore={way}", "HeddleSanitizer: assertion-failure"))
        self.assertEqual(found[0][0].read_bytes(), found[1][0].read_bytes())
        self.succeeds(arguments.trace_tool, "compare", found[0][1], found[1][1])
        heddle = arguments.bin / "heddle"
        shown = self.succeeds(heddle, "show", found[0][0])
        self.assertIn("heddle schedule 1", shown.stdout)
        again = self.run_it(heddle, "replay", self.work / "program", found[0][0], options="args=2")
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("assertion-failure", again.stdout + again.stderr)

    def test_a_main_in_a_static_library(self):
        source = HERE / "makefile_program"
        wrapper = arguments.bin / "heddle-clang"
        self.succeeds(wrapper, "-c", *source.glob("*.c"))
        self.succeeds("ar", "rcs", "liball.a", *(path.name for path in self.work.glob("*.o")))
        for linker in ("bfd", "lld"):
            self.succeeds(wrapper, f"-fuse-ld={linker}", "-L.", "-lall", "-o", linker)
            self.assertIn("assertion-failure", self.fuzz(self.work / linker, 5000, "args=2").stderr)

    def test_a_report_speaks_of_the_program_alone(self):
        target = self.compile("-g", PROGRAMS / "opposite_locks.c")
        report = self.fuzz(target, 5000, "").stderr
        self.assertIn("SUMMARY: HeddleSanitizer: deadlock", report)
        self.assertRegex(report, r"#0 \S+ in forth \S+opposite_locks.c:8:")
        for heddles_own in ("thread_entry", "program_body", "schedule-runtime", "whole_program.cc"):
            self.assertNotIn(heddles_own, report)

    def test_names_and_words_of_a_report(self):
        report = self.fuzz(self.compile("-g", PROGRAMS / "futex_word.c"), 100, "report_width=120").stderr
        for wanted in ("main.0 waits on shared+4\n", "BLOCKED: wait shared+4", "shared+4: atomic, a global variable", "read the clock",
                       "wake shared: no waiter"):
            self.assertIn(wanted, report)
        self.assertRegex(report, r"blocked-threads on address 0x[0-9a-f]*[048c]\n")

    def test_users_code_inside_of_the_librarys(self):
        source = PROGRAMS / "waiting_task.cc"
        line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if text.endswith("// here"))
        for level in "-O0", "-O1", "-O2":
            report = self.fuzz(self.compile(level, source, name="task" + level), 100, "verify=1").stderr
            self.assertRegex(report, rf"SUMMARY: HeddleSanitizer: blocked-threads \S+waiting_task\.cc:{line}\D", report)
            self.assertRegex(report, rf"#0 0x\w+ in \S+ \S+waiting_task\.cc:{line}\D", report)
            self.assertNotIn("in _M_invoke", report)

    def test_undefined_behaviour(self):
        target = self.compile("-g", "-fsanitize=undefined", "-fno-sanitize-recover=all", PROGRAMS / "shift.c")
        for way in ("process", "fork"):
            crash, _ = self.finds(target, 5000, f"restore={way}", "UndefinedBehaviorSanitizer: undefined-behavior")
            report = self.run_it(target, crash, options=f"restore={way}").stderr
            self.assertIn("shift exponent", report)
            self.assertIn("what the threads did", report)
            self.assertRegex(report, r"#0 \S+ in take \S+shift.c:11:")
            self.assertIn("HERE: sanitizer-report", report)
            again = self.run_it(arguments.bin / "heddle", "replay", target, crash, options=f"restore={way}")
            self.assertIn("deterministic", again.stdout + again.stderr)
        # Where it only reports, the program goes on.
        result = self.fuzz(self.compile("-fsanitize=undefined", PROGRAMS / "shift.c"), 300, "")
        self.assertEqual(result.returncode, 0)
        self.assertIn("shift exponent", result.stderr)

    def test_an_instrumented_plugin(self):
        library = self.work / "plugin.so"
        self.succeeds(arguments.bin / "heddle-clang++", "-shared", "-fPIC", "-std=c++20", PROGRAMS / "plugin.cc", "-o", library)
        target = self.compile(PROGRAMS / "loads_plugin.c")
        self.passes(target, 300, f"args={library}")
        self.assertIn("because the effect of dlopen cannot be undone", self.fuzz(target, 10, f"args={library}").stderr)
        # Nothing to undo.
        self.assertIn("restored in process", self.passes(self.compile(PROGRAMS / "looks_for_library.c"), 300, "").stderr)

    def test_places_in_an_instrumented_library(self):
        library = self.work / "libcounting.so"
        self.succeeds(arguments.bin / "heddle-clang", "-shared", "-fPIC", "-O1", "-g", "-UNDEBUG", PROGRAMS / "counting_library.c", "-o", library)
        target = self.compile(PROGRAMS / "uses_library.c", library, f"-Wl,-rpath,{self.work}")
        finding = f"HeddleSanitizer: assertion-failure {PROGRAMS}/counting_library.c:17:3 in check"
        self.finds(target, 2000, "", finding)
        report = self.fuzz(target, 2000, "", f"-artifact_prefix={self.work}/").stderr
        self.assertRegex(report, r"#0 0x\w+ in check \S*counting_library.c:17:3\n +#1 0x\w+ in main \S*uses_library.c:17")
        # Not at the calls into the library.
        self.assertRegex(report, r"\*write count: 1 -> 1 \(B:12\)")

    def test_data_bytes(self):
        target = self.compile(PROGRAMS / "reads_payload.c")
        data = self.work / "data"
        for text, fails in (("Hi", True), ("Hi!", False), ("", False)):
            data.write_text(text)
            for way in ("process", "fork"):
                for options in ("stdin=1", "args=@@"):
                    result = self.run_it(target, data, options=f"{options}:restore={way}")
                    self.assertEqual("assertion-failure" in result.stderr, fails, f"{text} {options} {way}\n{result.stderr}")
        data.write_text("Hi")
        self.assertNotIn("SUMMARY", self.run_it(target, data, options="program=0").stderr)  # no input is asked for
        quoted = self.run_it(target, data, options="args=\"'no such file'\":report_exit=1")
        self.assertIn("exit-code", quoted.stderr)
        self.assertEqual(self.run_it(target, data, options="args=\"'open\"").returncode, 2)
        self.finds(target, 100000, "stdin=1", "HeddleSanitizer: assertion-failure")

    def test_a_harness_wins_over_main(self):
        target = self.compile(PROGRAMS / "harness_and_main.c")
        self.passes(target, 100, "verify=1")

    def test_files_of_its_own_process(self):
        for flags in [], ["--asan"]:
            target = self.compile(PROGRAMS / "own_process.c", *flags, name="own_process" + "".join(flags))
            for way in ("process", "fork"):
                self.passes(target, 50, f"restore={way}")
            self.succeeds(target, options="program=1")

    def test_other_engines(self):
        source = HERE / "makefile_program"
        files = sorted(source.glob("*.c"))
        program, crash = self.compile(*files, name="program"), self.work / "explicit"  # AFL++'s driver skips the empty file, which may be found
        found, _ = self.finds(program, 5000, "args=2", "HeddleSanitizer: assertion-failure")
        self.succeeds(arguments.bin / "heddle", "minimize", program, found, "-o", crash, options="args=2")
        alone = self.compile(*files, "--engine=standalone", name="alone")
        self.assertIn("assertion-failure", self.run_it(alone, crash, options="args=2").stderr)
        if arguments.afl:
            afl = self.compile(*files, "--engine=afl", name="afl")
            self.assertIn("assertion-failure", self.run_it(afl, crash, options="args=2").stderr)

    def test_address_sanitizer(self):
        target = self.compile("--asan", PROGRAMS / "freed_early.cc")
        for way in ("process", "fork"):
            self.finds(target, 5000, f"restore={way}", "AddressSanitizer: heap-use-after-free")
        self.passes(self.compile("--asan", PROGRAMS / "detached_at_end.cc"), 1000, "restore=process")

    def test_leaks(self):
        source = PROGRAMS / "still_reachable.c"
        self.passes(self.compile("--asan", source), 300, "restore=process")
        result = self.fuzz(self.compile("--asan", "-DLEAK", source, name="leaks"), 300, "restore=process")
        self.assertRegex(result.stderr, r"SUMMARY: AddressSanitizer: \d+ byte\(s\) leaked")


class Restores(Whole):
    def test_what_a_process_keeps(self):
        for flags in (), ("--asan",), ("-flto",):
            target = self.compile(*flags, PROGRAMS / "kept_state.cc")
            for way, runs in ("process", 500), ("fork", 50):
                if "--asan" in flags and way == "process":
                    continue  # its map is from before main
                result = self.passes(target, runs, f"args='-a -b 3 x':restore={way}")
                self.assertEqual(set(result.stdout.splitlines()), {"to the old place"})
                self.assertEqual(result.stderr.count("no real time passes"), 1)

    def choice(self, target, args, runs=20, options=""):
        result = self.fuzz(target, runs, f"args='{args}'{options}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line for line in result.stderr.splitlines() if "restored in process" in line or "runs in a forked process" in line]

    def test_chooses_and_says_so(self):
        library = self.work / "libforeign.so"
        self.succeeds("cc", "-shared", "-fPIC", PROGRAMS / "foreign_count.c", "-o", library)
        target = self.compile(PROGRAMS / "cannot_restore.cc", library, f"-Wl,-rpath,{self.work}")
        for restorable in "", "runtime", "addresses", "library", "counter":
            self.assertRegex(" ".join(self.choice(target, restorable)), r"^heddle: [^\n]*restored in process")
        self.assertRegex(" ".join(self.choice(target, "stdio")), r"^heddle: each execution runs in a forked process, because [^\n]*sync_with_stdio")
        more = " ".join(self.choice(target, "operations"))
        self.assertRegex(more, r"a second execution makes other operations than the first: operation 1 is mutex_lock of main at cannot_restore\.cc:\d+ \(before: process_exit of main at ")
        kept = self.choice(target, "library", options=":keep_libraries=1")
        self.assertRegex(" ".join(kept), r"^heddle: each execution runs in a forked process, because")
        # In a container, root may lack the privilege to raise a hard limit again.
        drop = ctypes.CDLL(None, use_errno=True).prctl  # from the bounding set; who is not root has no such privilege
        lowered = self.run_it(target, "-runs=20", "-seed=1", options="args=limit", preexec_fn=lambda: drop(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0))
        self.assertRegex(lowered.stderr, r"heddle: each execution runs in a forked process, because [^\n]*setrlimit of a hard limit")
        self.assertNotIn("could not be put back", lowered.stderr)
        # heddle's own note that the execution was stopped is no output of the program.
        stopped = self.fuzz(target, 2, "args=long").stderr
        self.assertIn("restored in process", stopped)
        self.assertEqual(stopped.count("an execution was stopped after"), 1)
        # Three executions may take too long where one does not.
        hangs = self.choice(target, "hangs")
        self.assertRegex(" ".join(hangs), r"^heddle: each execution runs in a forked process, because [^\n]*takes too long")
        # Seen only later: it is then said, and forks.
        lines = self.choice(target, "rarely", 2000)
        self.assertIn("runs in a forked process", lines[-1])
        self.assertEqual(len(lines), 2 if "restored in process" in lines[0] else 1)
        asked = self.fuzz(target, 20, "args=stdio:restore=process")
        self.assertEqual(asked.stderr.count("heddle: warning: executions do not all start from the same state"), 1)
        self.assertEqual(self.fuzz(target, 20, "restore=perhaps").returncode, 2)
        # The library's count is what fails when an execution is not the first one of its process.
        self.assertIn("assertion-failure", self.fuzz(target, 20, "args=library:restore=process:keep_libraries=1").stderr)

    def test_the_engine_can_name_functions(self):
        for flags in [], ["--asan"]:
            target = self.compile("-std=c++20", *flags, PROGRAMS / "new_functions.cc", name="named" + "".join(flags))
            result = self.passes(target, 300, "restore=process")
            named = re.findall(r"NEW_FUNC\[\d+/\d+\]: (.*)", result.stderr)
            self.assertGreater(len(named), 8, result.stderr)
            for line in named:
                self.assertRegex(line, r"0x\w+ in .*\.cc:\d+|0x\w+ in std::")
            self.assertNotIn("symbolizer", result.stderr)
            self.assertEqual(len(set(re.findall(r"number \d+", result.stdout))), 1, result.stdout)

    def test_exceptions_leave_nothing_behind(self):
        for library in "libstdc++", "libc++":
            target = self.compile(f"-stdlib={library}", PROGRAMS / "throws.cc", name="throws-" + library)
            self.assertIn("restored in process", self.passes(target, 20, "").stderr)

    def test_forked_search_is_the_same(self):
        source = HERE / "makefile_program"
        target = self.compile(*sorted(source.glob("*.c")), name="program")
        # Comparisons do not come back from a process. And each forked execution is watched, as with this option all are: of those that need not be
        # the mutator learns from a sample.
        for seed in 1, 6, 12:
            corpora = []
            for way in ("process", "fork"):
                corpus = self.work / f"{way}-{seed}"
                corpus.mkdir()
                result = self.fuzz(target, 300, f"args=1:restore={way}:exit_on_finding=0", "-use_cmp=0", f"-seed={seed}", corpus)
                self.assertEqual(result.returncode, 0, result.stderr)
                corpora.append(sorted(path.name for path in corpus.iterdir()))
            self.assertEqual(*corpora)


class Ends(Whole):
    def test_each_way(self):
        target = self.compile(PROGRAMS / "endings.cc")
        handlers = ["last", "static", "first", "global"]
        expected = {
            "return": (9, ["thread-local"] + handlers),
            "exit": (5, ["thread-local"] + handlers),
            "thread": (6, handlers),
            "quick": (7, ["quick"]),
            "at_once": (8, []),
            "pthread_exit": (0, ["the", "other", "one", "thread-local"] + handlers),
            "terminate": (128 + 15, []),
        }
        for how, (status, lines) in expected.items():
            for way in ("process", "fork"):
                result = self.fuzz(target, 6, f"args={how}:restore={way}")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stdout.count(f"{how}: "), 6, result.stdout)
                self.assertEqual(result.stdout.count("global"), 6 if "global" in lines else 0)
                if how != "pthread_exit":  # where the order of what is printed is the schedule's
                    self.assertEqual(result.stdout.split(), 6 * ([f"{how}:"] + lines), how)
                failing = self.fuzz(target, 6, f"args={how}:restore={way}:report_exit=1")
                self.assertEqual("SUMMARY: HeddleSanitizer: exit-code" in failing.stderr, status != 0, failing.stderr)
                if status:
                    self.assertIn(f"exit code {status}", failing.stderr)

    def test_what_constructors_have_set_up(self):
        source = PROGRAMS / "at_the_end.cc"
        for flags in [], ["--asan"], ["-flto"]:
            result = self.passes(self.compile("-std=c++20", *flags, source, name="joins"), 200, "")
            self.assertEqual(set(result.stdout.splitlines()), {"array, registered, attribute"})
            for place in ("ARRAY", "REGISTERED", "ATTRIBUTE"):
                with self.subTest(place, flags=flags):
                    target = self.compile("-std=c++20", *flags, f"-DIN_{place}", source, name=place)
                    self.finds(target, 2000, "", "AddressSanitizer" if flags == ["--asan"] else "HeddleSanitizer")

    def test_exit_code_of_some_schedules(self):
        target = self.compile("-std=c++20", PROGRAMS / "fails_sometimes.cc")
        last = next(n for n in (1, 2) if "ends with exit code 3" not in self.fuzz(target, 1, f"args={n}").stderr)  # not in the first execution
        for way in ("process", "fork", "auto"):
            result = self.passes(target, 2000, f"args={last}:restore={way}")
            self.assertEqual(result.stderr.count("heddle: note: an execution ended with exit code 3. If that is a failure: HEDDLE_OPTIONS=report_exit=1\n"), 1, result.stderr)
            self.finds(target, 2000, f"args={last}:restore={way}:report_exit=1", "HeddleSanitizer: exit-code")

    def test_what_the_engine_closes_is_closed(self):
        target = self.compile(PROGRAMS / "endings.cc")
        for way in ("process", "fork"):
            closed = self.fuzz(target, 6, f"args=return:restore={way}", "-close_fd_mask=1")
            self.assertEqual((closed.returncode, closed.stdout), (0, ""), closed.stderr)
            self.assertIn("Done 6 runs", closed.stderr)

    def test_options_that_an_input_cannot_hold(self):
        target = self.compile("-UNDEBUG", PROGRAMS / "changes_errors.c")
        said = "the input contains no schedule. So timeouts, spurious and memory in HEDDLE_OPTIONS do not apply to it"
        saved = f"-artifact_prefix={self.work}/"
        self.assertIn(said, self.fuzz(target, 0, "timeouts=patient", saved).stderr)
        self.assertNotIn(said, self.fuzz(target, 0, "", saved).stderr)
        self.assertNotIn(said, self.fuzz(target, 10, "timeouts=patient", saved).stderr)

    def test_without_outputs(self):
        target = self.compile(PROGRAMS / "opposite_locks.c")
        for closed in (">&-", "2>&-", ">&- 2>&-"):
            for way in ("auto", "fork"):
                line = f"{target} -runs=20000 -seed=1 -artifact_prefix={self.work}/{way} {closed}"
                self.assertEqual(self.run_it("sh", "-c", line, options=f"restore={way}").returncode, 77, closed)

    def test_what_the_server_refuses(self):
        target = self.compile(PROGRAMS / "opposite_locks.c")
        result = self.fuzz(target, 10, "restore=fork:suppressions=/nonexistent")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("suppressions: cannot read the file '/nonexistent'", result.stderr)
        self.assertNotIn("fork server has ended", result.stderr)

    def test_abort_as_the_user_sets(self):
        target = self.compile(PROGRAMS / "endings.cc")
        for way in ("process", "fork", "auto"):
            self.finds(target, 10, f"args=abort:restore={way}", "HeddleSanitizer: assertion-failure")
            self.passes(target, 10, f"args=abort:restore={way}:report_abort=0")
            self.finds(target, 10, f"args=abort:restore={way}:report_abort=0:report_exit=1", "HeddleSanitizer: exit-code")

    def test_two_threads_end_it(self):
        target = self.compile("-std=c++20", PROGRAMS / "ends_twice.cc")
        for way in ("process", "fork"):
            for one in ("abort", "exit", "at_once"):
                for other in ("abort", "exit", "at_once"):
                    self.passes(target, 200, f"args='{one} {other}':restore={way}:report_abort=0")

    def test_one_without_end(self):
        target = self.compile(PROGRAMS / "circle.cc")
        signatures = set()
        for way in ("process", "fork"):
            saved = self.work / way
            saved.mkdir()
            result = self.fuzz(target, 5000, f"restore={way}", "-timeout=2", f"-artifact_prefix={saved}/")
            again = self.run_it(target, "-timeout=2", *saved.glob("timeout-*"), options=f"restore={way}")
            for run in result, again:
                self.assertEqual(run.returncode, 70, run.stderr)
                self.assertIn("what the threads did until the time-out", run.stderr)
                self.assertIn("main was running", run.stderr)
                self.assertRegex(run.stderr, r"main was here:\n +#0 0x\w+ in sum ", run.stderr)
                self.assertRegex(run.stderr, r"write (head|P\d+|node)", run.stderr)
                self.assertIn("SUMMARY: libFuzzer: timeout", run.stderr)
                signatures.add(re.search(r"Signature: (\w+)", run.stderr).group(1))
        self.assertEqual(len(signatures), 1)

    def test_where_all_threads_were(self):
        target = self.compile("-std=c++20", "-g", "-O1", PROGRAMS / "computes.cc")
        for way in ("process", "fork"):
            report = self.fuzz(target, 10, f"restore={way}", "-timeout=2", f"-artifact_prefix={self.work}/").stderr
            self.assertRegex(report, r"main\.1 was here:\n +#0 0x\w+ in compute ", report)
            self.assertRegex(report, r"main\.0 was here:\n(?: +#\d 0x\w+ in std::[^\n]*\n)*? +#\d 0x\w+ in wait_until_ready ", report)
            self.assertRegex(report, r"main was here:\n(?: +#\d 0x\w+ in std::[^\n]*\n)*? +#\d 0x\w+ in main ", report)

    def test_threads_of_constructors(self):
        target = self.compile("-std=c++20", PROGRAMS / "early_thread.cc")
        for way in ("process", "fork", "auto"):
            result = self.passes(target, 300, f"restore={way}")
            self.assertNotIn("outside the executions", result.stderr)
            self.finds(target, 5000, f"args=careless:restore={way}", "HeddleSanitizer: assertion-failure")
        self.assertEqual(self.succeeds(target, options="program=1").stderr, "")
        for flags in ["-flto", "-fuse-ld=lld"], ["-no-pie", "-Wl,-z,norelro"], ["--asan"]:
            self.passes(self.compile(*flags, "-std=c++20", PROGRAMS / "early_thread.cc", name="with" + flags[0]), 50, "verify=1")

    def test_started_with_signals_blocked(self):
        target = self.compile("-std=c++20", PROGRAMS / "early_thread.cc")
        block = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); os.execv(sys.argv[1], sys.argv[1:])"
        for way in ("process", "fork"):
            run = self.succeeds(sys.executable, "-c", block, target, "-runs=300", "-seed=1", options=f"restore={way}")
            self.assertIn("Done 300 runs", run.stderr)
            self.assertNotIn("SUMMARY", run.stderr)
        source = self.work / "crashes.c"
        source.write_text("int main(void) { *(volatile int*)8 = 1; }")
        crash = self.run_it(sys.executable, "-c", block, self.compile(source), "-runs=10")
        self.assertIn("SUMMARY: HeddleSanitizer: crash", crash.stderr)

    def test_threads_that_are_still_there(self):
        target = self.compile(PROGRAMS / "late_thread.cc")
        for way in ("process", "fork"):
            self.passes(target, 500, f"restore={way}")
            self.finds(target, 5000, f"args=destroyed:restore={way}", "HeddleSanitizer: assertion-failure")
            self.finds(target, 5000, f"args=cycle:restore={way}", "HeddleSanitizer: deadlock")


class Builds(Whole):
    def test_cmake_project(self):
        wrapper = arguments.bin / "heddle-clang"
        configured = self.succeeds("cmake", "-G", "Ninja", "-S", HERE / "cmake_program", "-B", "build", f"-DCMAKE_C_COMPILER={wrapper}",
                                   f"-DCMAKE_CXX_COMPILER={wrapper}++")
        self.assertNotIn("the checks lie", configured.stderr)
        self.succeeds("cmake", "--build", "build")
        self.assertIn("100% tests passed", self.succeeds("ctest", "--test-dir", "build").stdout)
        target = self.work / "build" / "program"
        self.assertIn("somebody counted 2", self.succeeds(target, "somebody", options="program=1").stdout)
        self.finds(target, 5000, "report_exit=1", "HeddleSanitizer: exit-code")

    def test_configure_script(self):
        script = self.work / "configure"
        script.write_text(r"""#!/bin/sh
            # What autoconf's do.
            set -e
            cat > conftest.c <<'END'
            #include <stdio.h>
            int main(int argc, char **argv) { FILE *f = fopen("conftest.val", "w"); fprintf(f, "%d", argc); (void)argv; return fclose(f) != 0; }
END
            $CC -o conftest $CFLAGS conftest.c
            ./conftest || exit 10
            test "$(cat conftest.val)" = 1 || exit 11
            echo 'int main(void) { return 7; }' | $CC -x c - -o conftest
            if ./conftest; then exit 12; elif [ $? != 7 ]; then exit 13; fi
            echo 'int main(void) { return no_such_function(); }' > conftest.c
            if $CC -Werror conftest.c -o conftest 2> /dev/null; then exit 14; fi
            echo 'char pthread_create(); int main(void) { return (int)(long)&pthread_create; }' > conftest.c
            $CC -w conftest.c -o conftest -lpthread || exit 15
            echo 'syntax error' | $CC -E - > /dev/null || exit 16
            $CC --version > /dev/null || exit 17
            $CC -v > /dev/null 2>&1 || exit 18
            test -n "$($CC -dumpmachine)" || exit 19
            test -n "$($CC -print-search-dirs)" || exit 20
            # A script that is written by hand gives its program any name (Concurrency Kit, nginx).
            printf '#include <stdio.h>\nint main(void) { return puts("x86") < 0; }\n' | $CC -x c - -o .1
            test "$(timeout 20 ./.1 2> /dev/null)" = x86 || exit 21
            echo configured
            """.replace("\n            ", "\n"))
        script.chmod(0o755)
        for name in ("heddle-clang", "heddle-clang --asan"):
            for command in ([script], ["sh", script]):
                result = self.succeeds(*command, env={"CC": f"{arguments.bin}/{name}"})
                self.assertIn("configured", result.stdout)

    def test_compiler_manners(self):
        wrapper = arguments.bin / "heddle-clang"
        (self.work / "part.c").write_text("#include \"part.h\"\nint part(void) { return PART; }\n")
        (self.work / "part.h").write_text("#define PART 3\n")
        (self.work / "prog.c").write_text("int part(void);\nint main(void) { return part(); }\n")
        self.succeeds(wrapper, "-MMD", "-MF", "part.d", "-O2", "-DNDEBUG", "-c", "part.c", "-o", "part.o")
        self.assertIn("part.h", (self.work / "part.d").read_text())
        (self.work / "words").write_text("-o 'with response' prog.c\n\"part.o\" -pthread\n")
        self.succeeds(wrapper, "@words")
        self.assertEqual(self.run_it(self.work / "with response", options="program=1").returncode, 3)
        (self.work / "compile").write_text("-c prog.c -o prog.o")
        self.succeeds(wrapper, "@compile")
        self.succeeds(wrapper, "-shared", "-fPIC", "part.c", "-Wl,-soname,libpart.so.1", "-o", "libpart.so")
        self.succeeds(wrapper, "prog.o", "-L.", "-lpart", f"-Wl,-rpath,{self.work}", "-Wl,-z,now", "-o", "prog")
        (self.work / "libpart.so.1").symlink_to("libpart.so")
        self.assertEqual(self.run_it(self.work / "prog", options="program=1").returncode, 3)
        for flag in ("-static", "-static-libstdc++"):
            refused = self.run_it(wrapper, flag, "prog.c", "part.c")
            self.assertEqual((refused.returncode, len(refused.stderr.splitlines())), (2, 1), refused.stderr)
        self.succeeds(wrapper, "-static", "-c", "prog.c")
        refused = self.run_it(arguments.bin / "heddle-gcc", "-flto", "-c", "prog.c")
        self.assertEqual((refused.returncode, len(refused.stderr.splitlines())), (2, 1), refused.stderr)
        # Nobody's main: one line when it is started.
        self.succeeds(wrapper, "part.c", "-o", "nobody")
        nobody = self.run_it(self.work / "nobody", "-runs=1")
        self.assertEqual((nobody.returncode, len(nobody.stderr.splitlines())), (2, 1), nobody.stderr)

    def test_openmp(self):
        wrapper = arguments.bin / "heddle-clang"
        refused = self.run_it(wrapper, PROGRAMS / "parallel_loop.c", "-lgomp")
        self.assertEqual((refused.returncode, len(refused.stderr.splitlines())), (2, 1), refused.stderr)
        # Nor does it hang when libgomp comes in by a library of the system.
        (self.work / "sum.c").write_text("int sum(int n) {\n  int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
                                         "  for (int i = 0; i < n; ++i) s += i;\n  return s;\n}\n")
        (self.work / "sums.c").write_text("int sum(int n);\nint main(void) { return sum(10) != 45; }\n")
        if shutil.which("gcc") and self.run_it("gcc", "-fopenmp", "-shared", "-fPIC", "sum.c", "-o", "libsum.so").returncode == 0:
            self.succeeds(wrapper, "sums.c", "-L.", "-lsum", f"-Wl,-rpath,{self.work}", "-o", "sums")
            result = self.run_it(self.work / "sums", "-runs=10", env={"OMP_NUM_THREADS": "4"})
            self.assertIn("SUMMARY: HeddleSanitizer: unsupported", result.stderr)
            self.assertIn("libgomp", result.stderr)
        for name in "heddle-clang", "heddle-gcc":
            target = self.work / name
            built = self.run_it(arguments.bin / name, "-fopenmp", PROGRAMS / "parallel_loop.c", "-o", target)
            if "-lomp" in built.stderr:
                self.skipTest("no libomp")
            self.assertEqual(built.returncode, 0, built.stderr)
            self.passes(target, 100, "verify=1")
            self.finds(target, 5000, "args=careless", "HeddleSanitizer: assertion-failure")

    def test_kinds_of_output(self):
        wrapper = arguments.bin / "heddle-clang"
        (self.work / "part.h").write_text("int part(void);\n")
        (self.work / "part.c").write_text("static int three = 3;\nint part(void) { return three; }\n")
        (self.work / "prog.c").write_text("int main(void) { return part(); }\n")
        (self.work / "note.s").write_text(".section .note.GNU-stack\n")
        # A warning about an argument of the wrapper's own would be an error in a project that is built with -Werror.
        self.succeeds(wrapper, "-Werror", "-c", "note.s")
        self.succeeds(wrapper, "-Werror", "-fPIC", "-c", "part.c")
        self.succeeds(wrapper, "-Werror", "-shared", "part.o", "note.o", "-o", "libpart.so")
        # Meson's default: what a library calls of heddle is in the executable.
        for flag in ("-Wl,--no-undefined", "-Wl,-z,defs"):
            for linker in ("bfd", "lld"):
                self.succeeds(wrapper, "-shared", f"-fuse-ld={linker}", flag, "part.o", "-o", "libpart.so")
        for precompile in (["-x", "c-header", "part.h", "-o", "part.pch"], ["-xc-header", "part.h", "-o", "part.pch"], ["part.h", "-o", "part.pch"]):
            self.succeeds(wrapper, *precompile)
            self.succeeds(wrapper, "-include-pch", "part.pch", "prog.c", "part.o", "-o", "with_header")
            self.assertEqual(self.run_it(self.work / "with_header", options="program=1").returncode, 3)
        self.succeeds(wrapper, "-include", "part.h", "-c", "prog.c")
        for flags in (["-r"], ["-r", "-nostdlib"]):
            self.succeeds(wrapper, "-Werror", *flags, "prog.o", "part.o", "-o", "both.o")
            self.succeeds(wrapper, "both.o", "-o", "of_one_object")
            self.assertEqual(self.run_it(self.work / "of_one_object", options="program=1").returncode, 3)
            self.assertIn("2 instrumented units", self.succeeds(self.work / "of_one_object", "-runs=1").stderr)


if __name__ == "__main__":
    run_scenarios()
