#!/usr/bin/env python3
"""The runtime can be linked with either C++ library of the program.

libraries_test.py WRAPPERS BUILD WORK: WRAPPERS has heddle-clang and its like; BUILD is heddle's build tree.

What the runtime's objects ask of a C++ library is in both libraries, under one name. A target of C++ links with either library, with and without ASan, for each engine, and
finds its deadlock; so does one of C.
"""
import pathlib
import shutil
import subprocess
import sys

import compilers

CC = """
#include <heddle/heddle.h>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(opposite_orders) {
  std::mutex a, b;
  std::vector<std::string> words;
  std::thread other([&] {
    try {
      std::lock_guard first(a);
      std::lock_guard second(b);
      words.emplace_back("other");
      throw std::runtime_error("thrown");
    } catch (const std::exception& e) {
      if (std::string(e.what()) != "thrown") std::abort();
    }
  });
  {
    std::lock_guard first(b);
    std::lock_guard second(a);
    words.emplace_back("main");
  }
  other.join();
  if (words.size() != 2) std::cout << words.size() << std::endl;
}
"""

C = """
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* none) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return none;
}

int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) {
  (void)data, (void)size;
  pthread_t other;
  pthread_create(&other, NULL, run, NULL);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_join(other, NULL);
  return 0;
}
"""


def output(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def names(*files, dynamic):
    listed = set()
    for file in files:
        for line in output("nm", *(["-D"] if dynamic else []), "--defined-only", file).splitlines():
            listed.add(line.split()[-1].split("@")[0])
    return listed


def asked(file):
    """What must be defined elsewhere: not what is only used where it is there."""
    return {line.split()[-1] for line in output("nm", "--undefined-only", file).splitlines() if line.split()[-2] == "U"}


def check_names(build):
    clang = compilers.get("clang-19")
    find = lambda name: clang.asked(f"-print-file-name={name}")
    gnu = names(find("libstdc++.so.6"), dynamic=True)
    llvm = names(find("libc++.so.1"), find("libc++abi.so.1"), dynamic=True)
    wrong = []
    for name in ("heddle_rt.o", "heddle_rt_asan.o", "heddle_standalone.o"):
        of_library = {n for n in asked(build / "lib/heddle" / name) if n in gnu | llvm or n.startswith("_Z")}
        wrong += [f"{name} asks for {n}, which {'libc++' if n not in llvm else 'libstdc++'} does not have" for n in sorted(of_library) if n not in gnu & llvm]
        print(f"{name}: {len(of_library)} names of a C++ library")
    return wrong


def check_target(wrappers, work, source, flags):
    """Null, or what is wrong."""
    binary = work / f"target_{len(list(work.iterdir()))}"
    wrapper = wrappers / ("heddle-clang" if source.suffix == ".c" else "heddle-clang++")
    command = [str(wrapper), *flags, str(source), "-o", str(binary)]
    if source.suffix == ".cc":
        command.insert(1, "-std=c++20")
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode != 0 or "warning:" in built.stderr:
        return f"{' '.join(command)}\n{built.stderr[:3000]}"
    if "--engine=libfuzzer" in flags:
        ran = subprocess.run([binary, "-runs=2000", "-seed=1"], capture_output=True, text=True, errors="replace", cwd=work)
        good = "SUMMARY: HeddleSanitizer: deadlock" in ran.stderr
    else:  # the default schedule alone, which may be the one that fails
        empty = work / "empty"
        empty.write_bytes(b"")
        ran = subprocess.run([binary, empty], capture_output=True, text=True, errors="replace", cwd=work)
        good = ran.returncode == 0 or "SUMMARY: HeddleSanitizer: deadlock" in ran.stderr
    return None if good else f"{' '.join(command)}: exit code {ran.returncode}\n{ran.stderr[-3000:]}"


def main():
    wrappers, build, work = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    cc, c = work / "program.cc", work / "program.c"
    cc.write_text(CC)
    c.write_text(C)
    wrong = check_names(build)
    tried = 0
    for engine in ["libfuzzer", "standalone"] + ["afl"] * (shutil.which("afl-fuzz") is not None):
        for asan in ([], ["--asan"]):
            for library in ([], ["-stdlib=libc++"]):
                for source in (cc, c):
                    if source is c and (asan or library and engine != "libfuzzer"):
                        continue
                    tried += 1
                    wrong += filter(None, [check_target(wrappers, work, source, [f"--engine={engine}", *asan, *library])])
    for w in wrong:
        print(w)
    print(f"{tried} targets")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
