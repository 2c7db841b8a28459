#!/usr/bin/env python3
"""No function of the channel library that runs under control is instrumented: check_unseen.py CLANG++ OBJDUMP INCLUDE.

unseen_use.cc uses everything there is. It is compiled as for a fuzz target, and the functions of heddle:: in the object must not refer
to the sanitizer's calls; those of heddle::detail::real, which run on real threads only, must, or a thread sanitizer
would not see them. Those that start threads are seen, as std::thread is.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CXX, OBJDUMP, INCLUDE = sys.argv[1:4]
SOURCE = pathlib.Path(__file__).resolve().parent / "unseen_use.cc"
FLAGS = ["-std=c++20", "-fno-omit-frame-pointer", "-fsanitize=fuzzer-no-link", "-Xclang", "-fsanitize=thread"]
# Each must be there, or the object was not what it is taken for.
EXPECTED = ["7SendEndI", "10ReceiveEndI", "4sendE", "recv_chanI", "send_chanI", "chanINSt7__cxx1112basic_string", "10try_selectI", "8cancelerD", "5mutex4lockE", "8rw_mutex", "4cond4waitE", "7recoverI", "FuncTimerThread", "6selectI", "8selector4waitE", "10wait_group2go", "4once4callI",
            "5afterI", "8cancelerclE", "8iteratorppE", "12drop_channelE", "4CellI"]


def functions(text):
    """(mangled name, [callees by relocation]) of each function in a disassembly."""
    name, calls = None, []
    for line in text.splitlines():
        start = re.match(r"^[0-9a-f]+ <(.+)>:$", line)
        if start:
            if name:
                yield name, calls
            name, calls = start.group(1), []
        else:
            calls += re.findall(r"R_\S+\s+([\w.$]+)", line)
    if name:
        yield name, calls


def main():
    wrong = []
    for level in ("-O0", "-O2"):
        with tempfile.TemporaryDirectory(prefix="heddle-unseen-") as directory:
            out = pathlib.Path(directory) / "use.o"
            subprocess.run([CXX, *FLAGS, level, f"-I{INCLUDE}", "-c", SOURCE, "-o", out], check=True)
            text = subprocess.run([OBJDUMP, "-dr", "--no-show-raw-insn", out], check=True, capture_output=True, text=True).stdout
        found = dict(functions(text))
        for part in EXPECTED:
            if not any(name.startswith("_ZN") and part in name for name in found):
                wrong.append(f"{level}: no function with {part} in its name")
        seen_real = seen_user = False
        for name, calls in found.items():
            sanitized = [call for call in calls if call.startswith(("__tsan_", "__sanitizer_", "__asan_"))]
            if re.match(r"_ZZ?NK?6heddle6detail4real", name):
                seen_real = seen_real or bool(sanitized)
            elif re.match(r"_ZN6heddle((2|10wait_group2)goI|10after_funcI|10func_timer5(resetI|start))", name):
                continue
            elif re.match(r"_ZZ?NK?6heddle", name):
                wrong += [f"{level}: {name} calls {call}" for call in sorted(set(sanitized))]
            else:
                seen_user = seen_user or bool(sanitized)
        if not seen_real or not seen_user:
            wrong.append(f"{level}: nothing is instrumented at all")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
