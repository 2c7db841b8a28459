#!/usr/bin/env python3
"""The state of the tree: file sizes, names, guards, and nothing of one machine in it.

Errors (exit code 1): a source file over 500 lines; two source files of one name; a header without
guard; a path of one machine or a host of a package registry; a link or citation of a page, heading or
file that is not there (references.py). Warning: a source file over 250 lines.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import references

WARN_LINES, MAX_LINES = 250, 500
SOURCES = {".h", ".hpp", ".c", ".cc", ".cpp", ".S", ".fbs", ".py", ".sh", ".cmake"}
CODE = {".h", ".hpp", ".c", ".cc", ".cpp"}
# Names that occur in several directories by convention. A program of tests/programs is identified by its directory: one that passes and one
# that fails.
COMMON_NAMES = {"CMakeLists.txt", "README.md", "registry.h", "registry.cc"}
TEST_DATA = ("corpora/", "tests/data/")
# The tests of these checks contain broken references.
TESTS_OF_CHECKS = "tests/unit/tree/"
# Included as <heddle/...>: a public header may have the name of the room's file with the implementation.
PUBLIC_HEADERS = "schedule-runtime/include/"
# A shim may have the name of what it intercepts: intercept/threads/futex.cc, primitives/futex.cc.
SHIMS = "schedule-runtime/intercept/"
# Built from pieces, so that this file does not contain what it searches for.
MACHINE = re.compile("|".join([
    r"(?<![\w.})-])/" + r"(?:work|farm|home/\w+|root)/", r"/tmp/" + r"(?:b-|h/|x/)",
    r"\b(?:deb|security|snapshot|ftp\.\w+)\.deb" + r"ian\.org", r"registry\.np" + r"mjs", r"\bpypi\." + r"org",
    r"archive\.ubu" + r"ntu\.com", r"proxy\.gol" + r"ang",
]))


def tracked_files(root):
    try:
        out = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], check=True, capture_output=True).stdout
        names = [name for name in out.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return [root / name for name in names if (root / name).is_file()]


def texts_of(root, names):
    """name -> text of each file that is one; without the tests' data."""
    texts = {}
    for name in names:
        data = b"\0" if name.startswith(TEST_DATA) else (root / name).read_bytes()
        if b"\0" not in data[:4096]:
            texts[name] = data.decode(errors="replace")
    return texts


def tree_of(root):
    """The names of all files, and the texts of those that have one."""
    names = [str(path.relative_to(root)) for path in tracked_files(root)]
    return names, texts_of(root, names)


def broken_references(names, texts):
    return references.broken(names, {name: text for name, text in texts.items() if not name.startswith(TESTS_OF_CHECKS)})


def check(root):
    warnings = []
    by_name = collections.defaultdict(list)
    names, texts = tree_of(root)
    errors = broken_references(names, texts)
    for name, text in texts.items():
        path = root / name
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE.search(line):
                errors.append(f"{name}:{number}: names a machine's path or a registry's host")
        if path.suffix not in SOURCES:
            continue
        lines = text.count("\n")
        if lines > MAX_LINES:
            errors.append(f"{name}: {lines} lines; over {MAX_LINES} it is more than one concept")
        elif lines > WARN_LINES:
            warnings.append(f"{name}: {lines} lines")
        is_program = name.startswith("tests/programs/")  # whole programs; some consist of one text that two files include
        if path.suffix in {".h", ".hpp"} and not is_program and "#pragma once" not in text and not re.search(
                r"#ifndef (\w+_H_)\n#define \1\b", text):
            errors.append(f"{name}: no '#pragma once' and no guard")
        if path.suffix in CODE and path.name not in COMMON_NAMES and not is_program and not name.startswith(PUBLIC_HEADERS):
            by_name[path.name, name.startswith(SHIMS)].append(name)
    for same in by_name.values():
        if len(same) > 1:
            errors.append(f"one name, {len(same)} files: {', '.join(same)}")
    return errors, warnings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    errors, warnings = check(parser.parse_args().root.resolve())
    for line in warnings:
        print("warning:", line)
    for line in errors:
        print("error:", line)
    print(f"check_tree: {len(errors)} error(s), {len(warnings)} warning(s)")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
