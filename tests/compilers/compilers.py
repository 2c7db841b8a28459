"""The compilers that targets are built with."""
import os
import pathlib
import shutil
import subprocess


class Compiler:
    def __init__(self, name, is_gcc, c, cxx):
        self.name, self.is_gcc, self.c, self.cxx = name, is_gcc, c, cxx

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


def get(name):
    """clang-14, gcc-12, ...: as the packages are called."""
    family, version = name.split("-")
    c, cxx = (f"gcc-{version}", f"g++-{version}") if family == "gcc" else (f"clang-{version}", f"clang++-{version}")
    for command in (c, cxx):
        if shutil.which(command) is None:
            raise SystemExit(f"no {command}: install the packages of scripts/packages.sh (scripts/test.sh does)")
    return Compiler(name, family == "gcc", c, cxx)
