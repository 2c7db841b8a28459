#!/usr/bin/env python3
"""Writes the tables of docs/reference that the code knows: generate_reference.py [--check] BUILD_DIRECTORY

A page holds a table between two comments, and everything else by hand:

    <!-- generated: moves -->
    <!-- end of generated -->

With --check nothing is written, and the exit code is 1 if a page does not say what the code does. The tables come from
heddle_reference (harness/reference/), from the symbols of the shims' objects, and from the help of the built programs.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^<!-- generated: (?P<name>[^\n]+?) -->\n(?P<body>.*?)^<!-- end of generated -->$", re.MULTILINE | re.DOTALL)
PAGE = re.compile(r"\bdocs/reference/([\w-]+\.md)")
# Names of shims that hide a class, and of compilers: no program calls them.
NO_CALL = re.compile(r"__|heddle_|typeinfo|_Z|.*::_")
REFUSED = re.compile(r'\brefuse\("([^"]+)", ')


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def exported(objects):
    """path below intercept/, without its ending -> names that the object gives to the program."""
    found = {}
    for path in objects:
        _, inside, name = path.rpartition("/intercept/")
        if not inside:
            continue
        names = set()
        for line in run("readelf", "-sW", path).splitlines():
            word = line.split()
            if len(word) == 8 and word[4] in ("GLOBAL", "WEAK") and word[5] == "DEFAULT" and word[6] != "UND":
                names.add(word[7].split("@")[0])
        if names:
            found[re.sub(r"(\.(cc|S))?\.o$", "", name)] = names
    return found


def readable(names, with_underscores=False):
    """As a program writes them: without the checked and the 64-bit variants, and the compiler's own unless those are asked for."""
    names = {re.sub(r"^heddle_program_(?=_Z[nd][wal])", "", name) for name in names}  # operators new and delete: not what only a library calls
    plain = {re.sub(r"^heddle_program_", "", name) for name in names if not name.startswith("_Z")}
    mangled = sorted(name for name in names if name.startswith("_Z"))
    if mangled:
        plain.update(name.partition("(")[0] for name in run("c++filt", *mangled).splitlines())
    kept = plain if with_underscores else {name for name in plain if not NO_CALL.match(name)}
    kept = {name for name in kept if not (name.endswith("64") and name[:-2] in kept)}
    return sorted(kept, key=lambda name: (name.lstrip("_").lower(), name))


class Reference:
    """Makes the blocks, each once."""

    def __init__(self, build):
        self.build = build
        self.known = {}
        self.families = None

    def of_the_code(self, name):
        return run(self.build / "harness/reference/heddle_reference", name)

    def calls(self, control):
        if self.families is None:
            objects = (self.build / "harness/reference/objects.txt").read_text().split()
            symbols = exported(objects)
            self.families = [line.split("\t") + [symbols.get(line.split("\t")[0], set())]
                             for line in self.of_the_code("calls").splitlines()]
            lines = {family[0] for family in self.families}
            missing = sorted(set(symbols) - lines)
            if missing:
                raise Failure(f"no line in intercept/call_families.h for {', '.join(missing)}")
            gone = sorted(line for line in lines if not list((ROOT / "schedule-runtime/intercept").glob(line + ".*")))
            if gone:
                raise Failure(f"a line in intercept/call_families.h for {', '.join(gone)}, which is not there")
        rows = ["| what | calls | notes |", "| --- | --- | --- |"]
        for _, of, what, note, names in self.families:
            if of == control:
                words = readable(names, with_underscores=control == "annotation")
                rows.append(f"| {what} | {', '.join(f'`{name}`' for name in words)} | {note} |")
        return "\n".join(rows) + "\n"

    def help(self, words):
        program, *rest = words
        wrapper = program != "heddle"
        text = run(self.build / "bin" / program, *rest, "--heddle-help" if wrapper else "--help")
        return "```text\n" + "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n```\n"

    def block(self, name):
        if name not in self.known:
            kind, _, rest = name.partition(" ")
            if kind == "calls":
                text = self.calls(rest)
            elif kind == "help":
                text = self.help(rest.split())
            else:
                # The code cites pages by their full paths. On these pages they are neighbours.
                text = PAGE.sub(r"[\1](\1)", self.of_the_code(name))
            self.known[name] = text
        return self.known[name]


def generated(text, reference):
    return BLOCK.sub(lambda found: f"<!-- generated: {found['name']} -->\n{reference.block(found['name'])}<!-- end of generated -->", text)


def unnamed_refusals(text):
    """What a shim refuses under some condition, and the page of calls does not say, as the message names it."""
    words = " ".join(text.split())
    for path in sorted((ROOT / "schedule-runtime/intercept").rglob("*.cc")):
        for name in REFUSED.findall(path.read_text()):
            if name not in words:
                yield f"no word in supported-calls.md about '{name}', which {path.relative_to(ROOT)} refuses"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is not as it would be written")
    parser.add_argument("--pages", type=pathlib.Path, default=ROOT / "docs", help="directory of the pages")
    parser.add_argument("build", type=pathlib.Path, help="the build directory")
    arguments = parser.parse_args()
    reference = Reference(arguments.build.resolve())
    stale = 0
    try:
        for page in sorted(arguments.pages.rglob("*.md")):
            before = page.read_text()
            after = generated(before, reference)
            if page.name == "supported-calls.md":
                for line in unnamed_refusals(after):
                    raise Failure(line)
            if before == after:
                continue
            stale += 1
            if arguments.check:
                print(f"{page}: not what the code says:")
                print("\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), "page", "code", lineterm="", n=0)))
            else:
                page.write_text(after)
                print(f"{page}: written")
    except Failure as failure:
        print(f"generate_reference: {failure}")
        return 1
    if not reference.known:
        print("generate_reference: no page has a generated block: has the mark changed?")
        return 1
    if arguments.check and stale:
        print("generate_reference: build the target docs_reference to write the tables anew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
