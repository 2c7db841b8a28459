#!/usr/bin/env python3
"""Checks an $OUT directory by the rules that OSS-Fuzz applies to a build, without its containers.

For each fuzz target: the name and the executable are as they should be; it starts and runs a few inputs under its engine; it has
coverage; the mix of sanitizers is the wanted one, by the calls in its code; nothing in it needs a file outside of $OUT; its seed corpus
is a zip that opens, and its options parse, where it has them. A coverage build makes a profile that names covered lines. An empty $OUT is an error.
"""
import argparse
import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ASAN_CALLS = 1000  # an address build has at least so many
# UBSan's runtime, which is in every libFuzzer target, calls itself 165 times: an undefined build has at least so many calls, any other at most the second number.
UBSAN_CALLS = 168
UBSAN_CALLS_ELSEWHERE = 200
# What the machines of OSS-Fuzz set.
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "alloc_dealloc_mismatch=0:allocator_may_return_null=1:allocator_release_to_os_interval_ms=500:check_malloc_usable_size=0:detect_leaks=1:"
                    "detect_odr_violation=0:detect_stack_use_after_return=1:fast_unwind_on_fatal=0:handle_abort=1:handle_segv=1:handle_sigill=1:"
                    "max_uar_stack_size_log=16:print_scariness=1:quarantine_size_mb=10:strict_memcmp=1:strip_path_prefix=/workspace/:symbolize=1:"
                    "use_sigaltstack=1:dedup_token_length=3",
    "UBSAN_OPTIONS": "print_stacktrace=1:print_summary=1:silence_unsigned_overflow=1:strip_path_prefix=/workspace/:symbolize=1:dedup_token_length=3",
}


def is_target(path):
    return (path.is_file() and os.access(path, os.X_OK) and re.fullmatch(r"[A-Za-z0-9_-]+", path.name)
            and not path.name.startswith("afl-") and b"LLVMFuzzerTestOneInput" in path.read_bytes())


def calls(path):
    """Of each sanitizer, as OSS-Fuzz counts them."""
    tool = shutil.which("objdump")
    if tool is None:
        raise SystemExit("check_build: objdump is missing: install binutils")
    code = subprocess.run([tool, "-dC", "--no-show-raw-insn", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: len(re.findall(rf"callq?\s+[0-9a-f]+\s+<__{name}", code)) for name in ("asan", "ubsan", "msan")}


def check_sanitizers(target, sanitizer, engine):
    if sanitizer not in ("address", "undefined"):
        return
    number = calls(target)
    if sanitizer == "address":
        if number["asan"] < ASAN_CALLS:
            yield f"only {number['asan']} calls of ASan: not an address build"
        if number["ubsan"] > UBSAN_CALLS_ELSEWHERE:
            yield f"{number['ubsan']} calls of UBSan in an address build"
    elif engine == "libfuzzer":
        if number["asan"] > 0:
            yield f"{number['asan']} calls of ASan in an undefined build"
        if number["ubsan"] < UBSAN_CALLS:
            yield f"only {number['ubsan']} calls of UBSan: not an undefined build (too small a target, perhaps)"
    if number["msan"] > 3:
        yield f"{number['msan']} calls of MSan in a build of {sanitizer}"


def run_elsewhere(command, **environment):
    with tempfile.TemporaryDirectory() as elsewhere:  # the working directory is arbitrary
        return subprocess.run(command, cwd=elsewhere, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120,
                              env={**os.environ, **SANITIZER_OPTIONS, **environment})


def check_libfuzzer(target):
    done = run_elsewhere([str(target), "-rss_limit_mb=2560", "-timeout=25", "-seed=1337", "-runs=4"])
    if "Done 4 runs" not in done.stdout:
        found = " (a finding in its first four executions counts as that)" if "SUMMARY: " in done.stdout else ""
        yield f"does not start{found}: exit code {done.returncode}\n{done.stdout[-3000:]}"
    if "no interesting inputs" in done.stdout:
        yield "no input has any coverage"
    if "inline 8-bit counters" not in done.stdout and "Extra Counters" not in done.stdout:
        yield "no coverage instrumentation"


def check_afl(target):
    fuzzer = target.with_name("afl-fuzz")
    with tempfile.TemporaryDirectory() as seeds, tempfile.TemporaryDirectory() as found:
        pathlib.Path(seeds, "input").write_text("input\n")
        done = run_elsewhere([str(fuzzer) if fuzzer.exists() else "afl-fuzz", "-V", "3", "-t", "5000+", "-i", seeds, "-o", found, "--", str(target)],
                             AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_FAST_CAL="1", AFL_CMPLOG_ONLY_NEW="1", AFL_FORKSRV_INIT_TMOUT="30000",
                             AFL_IGNORE_PROBLEMS="1", AFL_IGNORE_UNKNOWN_ENVS="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_NO_AFFINITY="1",
                             ASAN_OPTIONS=SANITIZER_OPTIONS["ASAN_OPTIONS"] + ":abort_on_error=1:symbolize=0:detect_odr_violation=0:",
                             UBSAN_OPTIONS=SANITIZER_OPTIONS["UBSAN_OPTIONS"] + ":symbolize=0")
    if "All set and ready to roll" not in done.stdout or re.search("target binary (crashed|terminated)", done.stdout):
        yield f"afl-fuzz does not start: exit code {done.returncode}\n{done.stdout[-3000:]}"


def check_coverage(target):
    """As its job for coverage runs a target."""
    with tempfile.TemporaryDirectory() as work:
        corpus, merged = pathlib.Path(work, "corpus"), pathlib.Path(work, "merged")
        corpus.mkdir(), merged.mkdir()
        (corpus / "input").write_text("input")
        done = run_elsewhere([str(target), "-merge=1", "-timeout=100", str(merged), str(corpus)], LLVM_PROFILE_FILE=f"{work}/%1m.profraw")
        raw = [str(p) for p in pathlib.Path(work).glob("*.profraw")]
        if done.returncode != 0 or not raw:
            yield f"no profile: exit code {done.returncode}\n{done.stdout[-3000:]}"
            return
        for command in ([tool("llvm-profdata"), "merge", "-sparse", *raw, "-o", f"{work}/profile"],
                        [tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={work}/profile", str(target)]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                yield f"the profile cannot be read:\n{done.stdout[-3000:]}"
                return
        covered = [f["filename"] for f in json.loads(done.stdout)["data"][0]["files"] if f["summary"]["lines"]["covered"] > 0]
        if not covered:
            yield "no line is covered"


def tool(name):
    found = shutil.which(name) or shutil.which(name + "-19")
    if found is None:
        raise SystemExit(f"check_build: {name} is missing: install llvm-19")
    return found


def check(target, arguments):
    target = target.resolve()
    problems = list(check_sanitizers(target, arguments.sanitizer, arguments.engine))
    needed = subprocess.run(["ldd", str(target)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    problems += [f"needs {line.split()[0]}, which is missing" for line in needed.splitlines() if "not found" in line]
    problems += (check_coverage if arguments.sanitizer == "coverage" else check_afl if arguments.engine == "afl" else check_libfuzzer)(target)
    seeds = target.with_name(target.name + "_seed_corpus.zip")
    if seeds.exists() and (not zipfile.is_zipfile(seeds) or not zipfile.ZipFile(seeds).namelist()):
        problems.append(f"{seeds.name} is empty or not a zip file")
    options = target.with_name(target.name + ".options")
    if options.exists():
        try:
            configparser.ConfigParser().read_string(options.read_text())
        except configparser.Error as error:
            problems.append(f"{options.name}: {error}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sanitizer", default="address", choices=["address", "undefined", "none", "coverage"])
    parser.add_argument("--engine", default="libfuzzer", choices=["libfuzzer", "afl"])
    arguments = parser.parse_args()
    targets = sorted(p for p in arguments.out.iterdir() if is_target(p)) if arguments.out.is_dir() else []
    if not targets:
        sys.exit(f"check_build: no fuzz target in {arguments.out}")
    bad = 0
    for target in targets:
        problems = check(target, arguments)
        bad += bool(problems)
        print(f"{target.name}: {'BAD' if problems else 'good'}")
        for problem in problems:
            print(f"  {problem}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
