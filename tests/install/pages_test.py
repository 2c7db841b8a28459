#!/usr/bin/env python3
"""Manual pages, completions and heddle.pc say what the commands know: pages_test.py SOURCE_DIRECTORY BUILD_DIRECTORY"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
BIN = BUILD / "bin"
MAN = SOURCE / "docs/man"
COMPLETION = SOURCE / "harness/completion"
SUBCOMMANDS = ("new", "run", "stats", "fuzz", "show", "replay", "minimize", "explain", "triage", "promote", "check", "debug")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)


def options_of_help(*command):
    """Of the lines that begin with an option."""
    found = set()
    for line in run(*command).stdout.splitlines():
        beginning = re.match(r" +(-[\w,=-]+)", line)
        if beginning:
            found |= set(OPTION.findall(beginning[1]))
    return found


def options_of_page(name):
    found = set()
    for line in (MAN / name).read_text().replace("\\-", "-").replace("\\fR", " ").replace("\\fB", "").splitlines():
        if line.startswith("-"):
            found |= set(OPTION.findall(line.partition(" \\fI")[0]))
    return found


class Pages(unittest.TestCase):
    def test_subcommands(self):
        subcommands = run(BIN / "heddle", "--help").stdout.partition("Subcommands:")[2].partition("Exit codes:")[0]
        listed = re.findall(r"^  (\w+) ", subcommands, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(SUBCOMMANDS))

    def test_each_option_is_in_the_page_of_the_command(self):
        known = options_of_help(BIN / "heddle", "--help")
        for name in SUBCOMMANDS:
            known |= options_of_help(BIN / "heddle", name, "--help")
        self.assertEqual(options_of_page("heddle.1"), known)

    def test_each_option_is_in_the_page_of_the_wrappers(self):
        for wrapper in ("heddle-clang", "heddle-g++"):
            self.assertEqual(options_of_page("heddle-clang.1"), options_of_help(BIN / wrapper, "--heddle-help"))

    def test_pages_are_well_formed(self):
        if not shutil.which("man"):
            self.skipTest("no man")
        for page in MAN.glob("*.1"):
            result = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page, env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80"})
            self.assertEqual(result.returncode, 0)
            self.assertNotIn("warning", result.stdout)

    def complete(self, function, *words):
        """What bash offers for the last word."""
        script = (f"source {COMPLETION}/heddle.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); {function}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return set(run("bash", "-c", script, "bash", *words, cwd=SOURCE).stdout.split())

    def test_bash(self):
        heddle, clang = BIN / "heddle", BIN / "heddle-clang"
        self.assertLessEqual({*SUBCOMMANDS, "--version", "--help"}, self.complete("_heddle", heddle, ""))
        self.assertEqual(self.complete("_heddle", heddle, "re"), {"replay"})
        for name in SUBCOMMANDS:
            self.assertEqual(self.complete("_heddle", heddle, name, "-"), options_of_help(heddle, name, "--help"))
        self.assertEqual(self.complete("_heddle", heddle, "fuzz", "--engine", "l"), {"libfuzzer"})
        self.assertIn("README.md", self.complete("_heddle", heddle, "show", "READ"))
        self.assertIn("--heddle-show", self.complete("_heddle_compiler", clang, "--hed"))
        self.assertEqual(self.complete("_heddle_compiler", clang, "--engine", "=", "s"), {"standalone"})
        self.assertIn("-fno-omit-frame-pointer", self.complete("_heddle_compiler", clang, "-fno-omit-fr"))

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        result = run("zsh", "-n", COMPLETION / "_heddle")
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        text = (BUILD / "heddle.pc").read_text()
        self.assertNotIn(str(BUILD), text)
        for name in ("@", "${pcfiledir}//"):
            self.assertNotIn(name, text.replace("# ", ""))
        result = run("pkg-config", "--cflags", "--libs", "heddle", env={**os.environ, "PKG_CONFIG_PATH": str(BUILD)})
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("-pthread", result.stdout)


class Zsh(unittest.TestCase):
    """The completion as an interactive zsh shows it."""

    def listed(self, line):
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        done = run("zsh", "-f", SOURCE / "tests/install/completion.zsh", COMPLETION, BIN, line)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_subcommands(self):
        for name in SUBCOMMANDS:
            self.assertRegex(self.listed("heddle "), rf"(?m)^\W*{name} +-- ")

    def test_options(self):
        for line, expected in (("heddle fuzz --", "--until-finding"), ("heddle replay --", "--help"), ("heddle --", "--version"),
                               ("heddle-clang++ --", "--engine=standalone"), ("heddle-g++ --", "--heddle-show")):
            self.assertIn(expected, self.listed(line))

    def test_values(self):
        self.assertRegex(self.listed("heddle fuzz --engine "), r"afl +libfuzzer")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
