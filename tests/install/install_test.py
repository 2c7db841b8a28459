#!/usr/bin/env python3
"""Installs heddle into a new prefix, builds the consumer project against it with CMake and with the wrappers, and runs
what was built: install_test.py BUILD_DIRECTORY C_COMPILER CXX_COMPILER [TEST...]."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, C_COMPILER, CXX_COMPILER = sys.argv[1:4]
CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", timeout=300, **options)
    result.words = " ".join(str(word) for word in command)
    return result


# The consumer's project is also built by the oldest and the newest clang, and by gcc. (tests/compilers has those in between.)
OTHER_COMPILERS = {"clang-14": ("clang-14", "clang++-14"), "clang-22": ("clang-22", "clang++-22"), "gcc-12": ("gcc-12", "g++-12")}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="heddle-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.prefix = cls.root / "prefix"
        installed = run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        assert installed.returncode == 0, installed.stdout
        cls.build = cls.root / "build"
        configured = run("cmake", "-S", CONSUMER, "-B", cls.build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={cls.prefix}",
                         f"-DCMAKE_C_COMPILER={C_COMPILER}", f"-DCMAKE_CXX_COMPILER={CXX_COMPILER}",
                         "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo")
        assert configured.returncode == 0, configured.stdout
        built = run("cmake", "--build", cls.build)
        assert built.returncode == 0, built.stdout

    def succeeds(self, *command, **options):
        result = run(*command, **options)
        self.assertEqual(result.returncode, 0, f"{result.words}\n{result.stdout}")
        return result.stdout

    def wrapper(self, name="heddle-clang++"):
        return self.prefix / "bin" / name

    def fuzzes(self, binary):
        out = self.succeeds(binary, "-runs=200", "-seed=1", cwd=self.root)
        self.assertIn("heddle: control verified", out)
        self.assertIn("Done 200 runs", out)

    def test_other_compilers(self):
        for name, (c, cxx) in OTHER_COMPILERS.items():
            with self.subTest(compiler=name):
                build = self.root / name
                self.succeeds("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                              f"-DCMAKE_C_COMPILER={c}", f"-DCMAKE_CXX_COMPILER={cxx}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                              "-DCMAKE_BUILD_TYPE=RelWithDebInfo")
                self.succeeds("cmake", "--build", build)
                for target in ("consumer_fuzz", "untouched_fuzz"):
                    self.fuzzes(build / target)
                gcc = name.startswith("gcc")
                self.same_flags(build, self.wrapper("heddle-g++" if gcc else "heddle-clang++"), {"HEDDLE_GXX" if gcc else "HEDDLE_CLANGXX": cxx})

    def test_libcxx(self):
        ways = {"flags": ["-DCMAKE_CXX_FLAGS=-stdlib=libc++"], "target": ["-DLIBCXX_BY=target"], "library": ["-DLIBCXX_BY=library"]}
        for name, how in ways.items():
            with self.subTest(way=name):
                build = self.root / f"libcxx_{name}"
                self.succeeds("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                              f"-DCMAKE_C_COMPILER={C_COMPILER}", f"-DCMAKE_CXX_COMPILER={CXX_COMPILER}", *how)
                targets = ["consumer_fuzz", "consumer_afl", "untouched_fuzz", "alone_fuzz"] if name == "flags" else ["consumer_fuzz", "consumer_afl"]
                self.succeeds("cmake", "--build", build, "--target", *targets)
                self.fuzzes(build / "consumer_fuzz")
                # What both libraries have under one name is the program's: its library comes first.
                needed = re.findall(r"NEEDED.*\[(libc\+\+|libstdc\+\+)\.", self.succeeds("readelf", "-d", build / "consumer_fuzz"))
                self.assertEqual(needed, ["libc++", "libstdc++"])

    def test_gcc_does_not_take_libcxx(self):
        result = run(self.wrapper("heddle-g++"), "-stdlib=libc++", CONSUMER / "counter.cc", "-o", self.root / "none")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stdout.strip().splitlines()), 1)

    def test_gcc_compiles_and_links_at_once(self):
        self.succeeds(self.wrapper("heddle-g++"), "-std=c++20", "-O2", f"-DNAME=\"two words\"", CONSUMER / "consumer_fuzz.cc", CONSUMER / "counter.cc",
                      "-o", self.root / "gcc_at_once")
        self.fuzzes(self.root / "gcc_at_once")

    def test_gcc_at_once_with_values_that_are_no_inputs(self):
        (self.root / "settings.cc").write_text("#define SETTINGS\n")
        self.succeeds(self.wrapper("heddle-g++"), "-std=c++20", "-include", self.root / "settings.cc", "--param", "max-inline-insns-single=50",
                      CONSUMER / "consumer_fuzz.cc", CONSUMER / "counter.cc", "-o", self.root / "gcc_with_values")
        self.fuzzes(self.root / "gcc_with_values")

    def test_gcc_in_steps_with_a_library(self):
        gxx = self.wrapper("heddle-g++")
        self.succeeds(gxx, "-std=c++20", "-fPIC", "-shared", CONSUMER / "counter.cc", "-o", self.root / "libgcc_counter.so")
        self.succeeds(gxx, "--asan", "-std=c++20", "-c", CONSUMER / "consumer_fuzz.cc", "-o", self.root / "gcc_step.o")
        self.succeeds(gxx, "--asan", self.root / "gcc_step.o", f"-L{self.root}", "-lgcc_counter", f"-Wl,-rpath,{self.root}", "-o",
                      self.root / "gcc_in_steps")
        self.fuzzes(self.root / "gcc_in_steps")

    def test_target_with_a_library(self):
        self.fuzzes(self.build / "consumer_fuzz")

    def test_untouched_target_with_asan_and_its_own_mutator(self):
        self.fuzzes(self.build / "untouched_fuzz")

    def test_standalone_target(self):
        out = self.succeeds(self.build / "alone_fuzz", "-runs=3", CONSUMER / "shipped.cc")
        self.assertIn("heddle: control verified", out)

    def test_header_alone(self):
        self.succeeds(self.build / "shipped")

    def test_wrapper_compiles_and_links_at_once(self):
        self.succeeds(self.wrapper(), "-std=c++20", CONSUMER / "consumer_fuzz.cc", CONSUMER / "counter.cc", "-o",
                      self.root / "at_once")
        self.fuzzes(self.root / "at_once")

    def test_wrapper_in_steps_with_asan(self):
        for name in ("consumer_fuzz", "counter"):
            self.succeeds(self.wrapper(), "--asan", "-std=c++20", "-c", CONSUMER / f"{name}.cc", "-o",
                          self.root / f"{name}.o")
        self.succeeds("ar", "rcs", self.root / "libcounter.a", self.root / "counter.o")
        self.succeeds(self.wrapper(), "--asan", self.root / "consumer_fuzz.o", f"-L{self.root}", "-lcounter", "-o",
                      self.root / "in_steps")
        self.fuzzes(self.root / "in_steps")

    def test_wrapper_builds_libraries_without_an_engine(self):
        self.succeeds(self.wrapper(), "-std=c++20", "-fPIC", "-shared", CONSUMER / "counter.cc", "-o",
                      self.root / "libshared.so")
        self.succeeds(self.wrapper(), "-std=c++20", CONSUMER / "consumer_fuzz.cc", self.root / "libshared.so",
                      f"-Wl,-rpath,{self.root}", "-o", self.root / "with_library")
        self.fuzzes(self.root / "with_library")

    def test_wrapper_compiles_modules(self):
        # Nothing may come before their first line, also not what lets inline assembly announce itself.
        sources = {"counter.cppm": "module;\n#include <atomic>\nexport module counter;\nexport int count();\n",
                   "counter_body.cc": "module counter;\nint count() { return 1; }\n",
                   "counter_fuzz.cc": "#include <cstddef>\n#include <cstdint>\nimport counter;\n"
                                      "extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return count() - 1; }\n"}
        for name, text in sources.items():
            (self.root / name).write_text(text)
        flags = ["-std=c++20", f"-fmodule-file=counter={self.root}/counter.pcm"]
        self.succeeds(self.wrapper(), "-std=c++20", "--precompile", self.root / "counter.cppm", "-o", self.root / "counter.pcm")
        self.succeeds(self.wrapper(), *flags, "-c", self.root / "counter_body.cc", "-o", self.root / "counter_body.o")
        self.succeeds(self.wrapper(), *flags, "-c", self.root / "counter_fuzz.cc", "-o", self.root / "counter_fuzz.o")
        self.succeeds(self.wrapper(), self.root / "counter_body.o", self.root / "counter_fuzz.o", "-o", self.root / "counter_fuzz")
        self.succeeds(self.root / "counter_fuzz", "-runs=10")

    def test_wrapper_knows_a_module_from_a_comment(self):
        # Licences have such a line. In that source, inline assembly announces itself.
        for line, announced in ("module is derived from another", True), ("export module a.b;", False), ("module a : part;", False):
            source = self.root / "licence.cc"
            source.write_text(f"/*\n   {line}\n*/\n")
            out = self.succeeds(self.wrapper(), "--heddle-show", source, "-o", "a", cwd=self.root)
            self.assertEqual("assembly_atomics.h" in out, announced, line)

    def test_wrapper_shows_what_it_does(self):
        out = self.succeeds(self.wrapper(), "--heddle-show", "a.cc", "-o", "a", cwd=self.root)
        self.assertIn("-Xclang -fsanitize=thread", out)
        self.assertFalse((self.root / "a").exists())

    def test_wrapper_refuses_another_thread_runtime(self):
        result = run(self.wrapper(), "-fsanitize=thread", "a.cc")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stdout.strip().splitlines()), 1)

    def test_cmake_and_wrapper_give_the_same_flags(self):
        self.same_flags(self.build, self.wrapper(), {})

    def same_flags(self, build, wrapper, variables):
        shown = self.succeeds(wrapper, "--heddle-show", env={**os.environ, **variables}).splitlines()[0]
        # What a build type decides is the project's.
        wanted = re.sub(r"^compile: |-O\d|-I\S+", "", shown).split()
        for entry in json.loads((build / "compile_commands.json").read_text()):
            if entry["file"].endswith("shipped.cc"):
                continue
            used = " ".join(shlex.split(entry["command"])).replace("fuzzer-no-link,address", "fuzzer-no-link")
            for flag in wanted:
                self.assertIn(flag, used.split(), entry["file"])

    def test_uninstrumented_target_is_refused(self):
        objects = [self.root / "plain.o", self.root / "plain_counter.o"]
        for source, out in zip(("consumer_fuzz", "counter"), objects):
            self.succeeds(CXX_COMPILER, "-std=c++20", f"-I{self.prefix}/include", "-c", CONSUMER / f"{source}.cc", "-o", out)
        self.succeeds(self.wrapper(), *objects, "-o", self.root / "plain")
        result = run(self.root / "plain", "-runs=1", cwd=self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("control not verified", result.stdout)
        self.assertIn("heddle-clang++", result.stdout)
        tolerant = run(self.root / "plain", "-runs=1", cwd=self.root, env={**os.environ, "HEDDLE_OPTIONS": "verify=0"})
        self.assertIn("warning: control not verified", tolerant.stdout)
        self.assertEqual(tolerant.returncode, 0, tolerant.stdout)

    def test_options(self):
        binary = self.build / "consumer_fuzz"
        listed = run(binary, env={**os.environ, "HEDDLE_OPTIONS": "help=1"})
        self.assertEqual(listed.returncode, 0)
        self.assertIn("trace_path", listed.stdout)
        for options in ("nonsense=1", "stats=2", "features=many", "stats", "trace_path='x"):
            refused = run(binary, "-runs=1", env={**os.environ, "HEDDLE_OPTIONS": options})
            self.assertEqual(refused.returncode, 2, options)
            self.assertIn("help=1", refused.stdout, options)
        figures = run(binary, "-runs=10", env={**os.environ, "HEDDLE_OPTIONS": "stats=1"}, cwd=self.root)
        self.assertRegex(figures.stdout, r"heddle: \d+ executions in")
        self.assertRegex(figures.stdout, r"heddle:   move +used +novel +weight\n(heddle:   \w+ +\d+ +\d+ +[-.%\d]+\n)+")
        written = self.root / "figures.json"
        run(binary, "-runs=10", env={**os.environ, "HEDDLE_OPTIONS": f"stats_path={written}"}, cwd=self.root)
        self.assertGreaterEqual(json.loads(written.read_text())["executions"], 10)

    def test_command_is_installed(self):
        self.assertIn("replay", self.succeeds(self.prefix / "bin" / "heddle", "--help"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
