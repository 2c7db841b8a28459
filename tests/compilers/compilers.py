"""The compilers that targets are built with."""
import atexit
import os
import pathlib
import shutil
import subprocess
import tempfile


class Compiler:
    def __init__(self, name, is_gcc, c, cxx, flags):
        self.name, self.is_gcc, self.c, self.cxx = name, is_gcc, c, cxx
        self.flags = flags  # of heddle's wrapper for C++

    def environment(self):
        if self.is_gcc:
            return {**os.environ, "HEDDLE_GCC": self.c, "HEDDLE_GXX": self.cxx}
        return {**os.environ, "HEDDLE_CLANG": self.c, "HEDDLE_CLANGXX": self.cxx}

    def command(self, source):
        return self.c if pathlib.Path(source).suffix == ".c" else self.cxx

    def wrapper(self, directory, source):
        plus = pathlib.Path(source).suffix != ".c"
        return pathlib.Path(directory) / (("heddle-g++" if plus else "heddle-gcc") if self.is_gcc else "heddle-clang++" if plus else "heddle-clang")

    def asked(self, question, command=None):
        done = subprocess.run([command or self.cxx, question], capture_output=True, text=True, check=True)
        return pathlib.Path(done.stdout.strip())

    def tsan_headers(self):
        directory = self.asked("-print-file-name=include") if self.is_gcc else self.asked("-print-resource-dir") / "include"
        return sorted((directory / "sanitizer").glob("tsan_interface*.h"))

    def tsan_runtime(self):
        runtime = self.asked("-print-file-name=libtsan.a") if self.is_gcc else self.archive("tsan", self.cxx)
        return runtime if runtime.exists() else None

    def archive(self, name, command):
        return self.asked(f"-print-file-name=libclang_rt.{name}-x86_64.a", command)

    def fuzzer_archive(self):
        return self.archive("fuzzer", "clang++-19" if self.is_gcc else self.cxx)


def archive_flags(cxx):
    """libc++ as a compiler has it that was built without shared libraries: libc++abi is in its archive."""
    directory = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, directory)
    parts = [subprocess.run([cxx, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
             for name in ("libc++.a", "libc++abi.a")]
    commands = [f"create {directory}/libc++.a", *(f"addlib {part}" for part in parts), "save", "end"]
    subprocess.run(["ar", "-M"], input="\n".join(commands) + "\n", text=True, check=True)
    return [f"-L{directory}"]


# Behind a compiler's name: with it, not another compiler. (The library's atomics are not constructed by functions: clang sees more unused ones.)
VARIANTS = {"libc++": lambda cxx: ["-stdlib=libc++", "-fexperimental-library", "-Wno-unused-variable"], "archive": archive_flags, "asan": lambda cxx: ["--asan"]}


def get(name):
    """clang-14, gcc-12, ...: as the packages are called. clang-19-libc++-asan: with these VARIANTS."""
    family, version, *variants = name.split("-")
    c, cxx = (f"gcc-{version}", f"g++-{version}") if family == "gcc" else (f"clang-{version}", f"clang++-{version}")
    for command in (c, cxx):
        if shutil.which(command) is None:
            raise SystemExit(f"no {command}: install the packages of scripts/packages.sh (scripts/test.sh does)")
    return Compiler(name, family == "gcc", c, cxx, [flag for v in variants for flag in VARIANTS[v](cxx)])
