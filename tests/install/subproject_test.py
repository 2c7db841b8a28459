#!/usr/bin/env python3
"""heddle's CMake project as others configure it: inside another project, and with CTest's switch off.
subproject_test.py SOURCE_DIRECTORY BUILD_DIRECTORY C_COMPILER CXX_COMPILER [TEST...]"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
COMPILERS = [f"-DCMAKE_C_COMPILER={sys.argv[3]}", f"-DCMAKE_CXX_COMPILER={sys.argv[4]}"]
PARENT = SOURCE / "tests/install/parent"
# What CMake itself says of a project and of a language; and variables of the function that takes the record.
ALLOWED = ("heddle_", "HEDDLE_", "CMAKE_ASM_", "CMAKE_PROJECT_VERSION", "ARGV", "out")


class Subproject(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.build = pathlib.Path(tempfile.mkdtemp(prefix="heddle-parent-"))
        self.addCleanup(shutil.rmtree, self.build)

    def run_command(self, *command):
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                errors="replace", timeout=900)
        return result.returncode, result.stdout

    def succeeds(self, *command):
        status, out = self.run_command(*command)
        self.assertEqual(status, 0, f"{command}\n{out}")
        return out

    def configure(self, source, *options):
        return self.succeeds("cmake", "-S", source, "-B", self.build, "-G", "Ninja", *COMPILERS, *options)

    def cache(self, build=None):
        entries = {}
        for line in ((build or self.build) / "CMakeCache.txt").read_text().splitlines():
            name, equals, value = line.partition("=")
            if equals and ":" in name and not line.startswith(("//", "#")):
                entries[name.partition(":")[0]] = value
        return entries

    def recorded(self, name):
        """kind and name -> value"""
        lines = {}
        for line in (self.build / name).read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals:
                lines[key] = value
        return lines

    def test_parent_is_left_as_it_is(self):
        self.configure(PARENT, "-DHOW=subdirectory", f"-DHEDDLE_SOURCE={SOURCE}")
        before, after = self.recorded("before.txt"), self.recorded("after.txt")
        changed = {key: (before.get(key), after.get(key)) for key in before.keys() | after.keys()
                   if before.get(key) != after.get(key) and not key.split(" ")[1].startswith(ALLOWED)}
        self.assertEqual(changed, {})
        self.assertEqual(self.cache().get("CMAKE_BUILD_TYPE", ""), "")
        self.assertFalse((self.build / "compile_commands.json").exists())
        self.assertEqual([path.name for path in (self.build / "heddle").glob("**/CTestTestfile.cmake") if "add_test" in path.read_text()], [])
        installs = [path for path in self.build.glob("heddle/**/cmake_install.cmake") if "file(INSTALL" in path.read_text()]
        self.assertEqual(installs, [])

    def commands(self, build, target):
        return self.succeeds("ninja", "-C", build, "-t", "commands", target).splitlines()

    def compiled(self, build, target):
        """source -> the words of its compile command, without those that say where it is compiled"""
        sources = {}
        for line in self.commands(build, target):
            words = shlex.split(line)
            if "-c" in words:
                words = words[next(i for i, word in enumerate(words) if "clang" in word):]
                source = words[words.index("-c") + 1]
                generated = source.partition("/CMakeFiles/")[2]  # a precompiled header, which lies in the build tree
                sources[generated or source] = [word for word in words if ".dir/" not in word and not word.startswith("-I") and word != source]
        return sources

    def test_fetched_into_a_project_with_flags_of_its_own(self):
        kind, flags = (self.cache(BUILD).get(name, "") for name in ("CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS"))
        self.configure(PARENT, "-DHOW=fetch", f"-DHEDDLE_SOURCE={SOURCE}", f"-DFETCHCONTENT_SOURCE_DIR_HEDDLE={SOURCE}",
                       f"-DCMAKE_BUILD_TYPE={kind}", f"-DCMAKE_CXX_FLAGS={flags}", "-DHEDDLE_BUILD_COMMAND=OFF")
        # Everything that is linked into a target would be compiled as for this build tree. So its objects are taken from there.
        theirs, ours = self.compiled(self.build, "parent_fuzz"), self.compiled(BUILD, "heddle_link_objects")
        self.assertGreater(len(ours), 100)
        for source, words in ours.items():
            self.assertEqual(theirs.get(source), words, source)
        fetched = self.build / "_deps/heddle-build/lib/heddle"
        fetched.mkdir(parents=True, exist_ok=True)
        for path in (BUILD / "lib/heddle").iterdir():
            shutil.copy(path, fetched)
        for line in self.commands(self.build, "parent_fuzz") + self.commands(self.build, "shipped"):
            if "consumer" in line or "parent_fuzz" in line:
                for directory in re.findall(r"(\S+)/[^ /]+\.o\b|-o (\S+)/", line):
                    os.makedirs(self.build / (directory[0] or directory[1]), exist_ok=True)
                self.succeeds("sh", "-c", f"cd {self.build} && {line}")
        self.succeeds(self.build / "programs/shipped")
        out = self.succeeds(self.build / "programs/parent_fuzz", "-runs=200", "-seed=1")
        self.assertIn("heddle: control verified", out)
        self.assertIn("Done 200 runs", out)

    def test_no_tests(self):
        for option in ("-DBUILD_TESTING=OFF", "-DHEDDLE_BUILD_TESTS=OFF"):
            with self.subTest(option=option):
                # Without the packages that only tests need.
                self.configure(SOURCE, option, "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON")
                self.assertIn("Total Tests: 0", self.succeeds("ctest", "--test-dir", self.build, "-N"))
                self.assertEqual(self.cache()["CMAKE_BUILD_TYPE"], "RelWithDebInfo")
                shutil.rmtree(self.build)
                self.build.mkdir()

    def test_the_switch_works_in_an_old_build_tree(self):
        self.configure(SOURCE)
        self.assertNotIn("Total Tests: 0", self.succeeds("ctest", "--test-dir", self.build, "-N"))
        self.configure(SOURCE, "-DBUILD_TESTING=OFF")
        self.assertIn("Total Tests: 0", self.succeeds("ctest", "--test-dir", self.build, "-N"))

    def test_another_compiler_is_refused_in_one_line(self):
        status, out = self.run_command("cmake", "-S", SOURCE, "-B", self.build, "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++")
        self.assertNotEqual(status, 0)
        self.assertIn("heddle itself is built by clang", " ".join(out.split()))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
