#!/usr/bin/env python3
"""A program may have variables and functions of its own with the names that heddle has or calls: heddle's own calls do not go there.
own_names_test.py WRAPPER ENGINE WORK NM LINK_OBJECT COMPILER

The program has as many of them as there are: all names in heddle's object that are the C library's, but for those that others call (the engine, the sanitizers'
runtimes, the C++ library), and malloc and its kin, of which there is one for all."""
import os
import pathlib
import shutil
import subprocess
import sys

WRAPPER, ENGINE, WORK, NM, OBJECT, COMPILER = sys.argv[1:7]
ALLOCATOR = {"malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "malloc_usable_size"}
USED = {"main", "pthread_create", "pthread_join", "pthread_mutex_lock", "pthread_mutex_unlock", "abort"}
# The certificate uses these at the start to prove that libraries are under control, too (harness/driver/certificate.cc).
CERTIFIED = {"pthread_cond_wait", "pthread_cond_signal", "pthread_once", "sched_yield", "clock_nanosleep", "clock_gettime", "sem_wait", "syscall"}
# The C++ library calls them, though not for a program in C; and libFuzzer some.
OF_THE_CXX_LIBRARY = {"read", "write", "writev", "open", "openat", "poll", "ioctl", "send", "recv", "fopen", "lseek", "rename", "unlink", "mkdir", "truncate",
                      "sleep", "usleep", "nanosleep", "strtod", "sprintf", "printf", "puts", "remove", "readdir", "getcwd", "chdir", "symlink", "link"}
OF_LIBFUZZER = {"write", "rename", "unlink", "mkdir", "fopen", "sleep", "readdir"}


def nm(*options):
    done = subprocess.run([NM, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if len(line.split()) > 1}


def file_of(*name):
    return subprocess.run([COMPILER, *name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def others_call():
    builtins = file_of("-print-libgcc-file-name", "--rtlib=compiler-rt")
    archives = [builtins.replace("builtins", name) for name in ("fuzzer_no_main", "ubsan_standalone")][ENGINE != "libfuzzer":]
    libraries = [file_of(f"-print-file-name={name}") for name in ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6")]
    return set().union(*(nm("-u", a) for a in archives), *(nm("-D", "-u", library) for library in libraries))


FAILING = b"a report"


def hash_of(data):
    value = 1
    for byte in data:
        value = (value ^ byte) * 0x9E3779B97F4A7C15 % 2**64
    return value


def program(names, kind):
    out = ['typedef unsigned long thread;', 'typedef struct { char bytes[40]; } mutex;',
           'int pthread_create(thread*, void*, void* (*)(void*), void*), pthread_join(thread, void*);',
           'int pthread_mutex_lock(mutex*), pthread_mutex_unlock(mutex*);', 'void abort(void);', 'static int calls;']
    for name in names:
        out.append(f'char {name}[8] = "heddle";' if kind == "variables" else f"int {name}() {{ return ++calls; }}")
    if kind == "variables":
        check = "".join(f"if ({name}[0] != 'h' || {name}[6] != 0) abort(); {name}[0] = 'x';" for name in names)
    else:
        check = "".join(f"if ({name}() != {i + 1}) abort();" for i, name in enumerate(names))
    out.append("static mutex lock; static int sum;")
    out.append("static void* run(void* one) { pthread_mutex_lock(&lock); sum += 1; pthread_mutex_unlock(&lock); return one; }")
    out.append("int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) { thread a, b;" + check)
    out.append("pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0); pthread_join(a, 0); pthread_join(b, 0);")
    # No fuzzer finds this value by chance.
    out.append("unsigned long hash = 1; for (unsigned long i = 0; i < size; ++i) hash = (hash ^ data[i]) * 0x9E3779B97F4A7C15u;")
    out.append(f"if (sum != 2 || hash == {hash_of(FAILING)}u) abort(); return 0; }}")
    return "\n".join(out) + "\n"


def main():
    work = pathlib.Path(WORK)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    libc = nm("-D", "--defined-only", file_of("-print-file-name=libc.so.6")) | nm("-D", "--defined-only", file_of("-print-file-name=libm.so.6"))
    names = {name for name in nm(OBJECT) & libc if not name.startswith("_")} | {"end", "edata", "etext", "environ"}
    strong = {line.split()[-1] for line in subprocess.run([NM, "-g", "--defined-only", OBJECT], stdout=subprocess.PIPE, text=True).stdout.splitlines()
              if line.split()[-2] == "T"}  # of which the linker says that there are two (harness/link/weaken.sh)
    names -= ALLOCATOR | USED | CERTIFIED | strong | others_call() - (OF_THE_CXX_LIBRARY - (OF_LIBFUZZER if ENGINE == "libfuzzer" else set()))
    if len(names) < 300:
        sys.exit(f"only {len(names)} names: {' '.join(sorted(names))}")
    names = sorted(names)
    one, failing = work / "one", work / "failing"
    one.write_text("1")
    failing.write_bytes(FAILING)
    for kind in "variables", "functions":
        source, binary = work / f"{kind}.c", work / kind
        source.write_text(program(names, kind))
        built = subprocess.run([WRAPPER, f"--engine={ENGINE}", "-w", "-O1", "-fno-builtin", "-std=c11", source, "-o", binary], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        if built.returncode != 0:
            sys.exit(f"{kind} do not build:\n{built.stdout[-3000:]}")
        command = [binary, "-runs=300", "-seed=1"] if ENGINE == "libfuzzer" else [binary, one, one, one]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", cwd=work, timeout=200,
                              env=dict(os.environ, HEDDLE_OPTIONS="stats=1:account=1"))
        if done.returncode != 0 or "heddle: control verified" not in done.stdout:
            sys.exit(f"a program with {len(names)} {kind} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        # A report, with all that it takes: threads of the C library, source lines, the end of the process.
        done = subprocess.run([binary, failing], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", cwd=work, timeout=200)
        if done.returncode == 0 or f"SUMMARY: HeddleSanitizer: assertion-failure {source}:" not in done.stdout:
            sys.exit(f"no good report with {kind}:\n{done.stdout[-3000:]}")
    if ENGINE == "libfuzzer":
        source.write_text("int getpid; int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) { return getpid; }\n")
        subprocess.run([WRAPPER, "-w", "-fno-builtin", source, "-o", binary], check=True)
        done = subprocess.run([binary, "-runs=1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", cwd=work, timeout=200)
        if "heddle: note: libFuzzer calls getpid, which is a variable of this program" not in done.stdout:
            sys.exit(f"libFuzzer's own call is not told:\n{done.stdout[-3000:]}")
    print(f"{len(names)} names: {' '.join(names)}")


if __name__ == "__main__":
    main()
