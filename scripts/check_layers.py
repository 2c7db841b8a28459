#!/usr/bin/env python3
"""The include law of the house: which room may include which.

Rooms of the runtime include only rooms below them, and the folders of intercept only folders below them; analyses and feedback observe and are included by a registry alone;
the mutator knows the schema and the order room; no room below the harness includes the harness. Prints each
breach on a line of its own, and exits with code 1 if there is any.
"""

import argparse
import pathlib
import re
import sys

# Bottom to top.
RUNTIME_ROOMS = ["base", "order", "trace", "fiber", "heap", "restore", "races", "graph", "scheduler", "engine", "primitives", "intercept"]
# The folders of intercept, and which other folders each may include. Code that several folders share is at the top of the room, which
# includes none of them.
INTERCEPT_FOLDERS = {"": set(), "memory": set(), "process": set(), "descriptors": set(),
                     "libc": {"descriptors"}, "stdio": {"descriptors"}, "threads": {"descriptors"}}
RANK = {room: rank for rank, room in enumerate(RUNTIME_ROOMS)}
OBSERVERS = {"analyses", "feedback"}
# What an observer may use. The engine's entry point (engine/run.h) is not a room of its own.
OBSERVED = {"base", "order", "trace", "heap", "races", "graph"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
SOURCES = {".h", ".hpp", ".c", ".cc", ".cpp", ".S"}


def is_registry(path):
    return "registry" in path.stem


def room_of(root, path):
    """(part, room) of a file: ("runtime", "trace"), ("runtime", "intercept/stdio"), ("mutator", ""), ("harness", "cli"), ..."""
    parts = path.relative_to(root).parts
    if parts[0] == "schedule-runtime":
        if parts[1] == "intercept":
            return ("runtime", "/".join(parts[1:-1]))
        return ("runtime", parts[1]) if len(parts) > 2 else None
    if parts[0] in ("schema", "mutator"):
        return (parts[0], "")
    if parts[0] == "harness":
        return ("harness", parts[1]) if len(parts) > 2 else ("harness", "")
    return None


def target_of(root, including, name):
    """The room that an include leads to; None for the system's and for generated headers."""
    for base in (including.parent, root / "schedule-runtime", root / "schedule-runtime" / "include", root):
        candidate = base / name
        if candidate.is_file():
            return room_of(root, candidate.resolve())
    return None


def allowed(source, target, including, name):
    part, room = source
    to_part, to_room = target
    if (part, room) == (to_part, to_room) or to_part == "schema":
        return True
    if part == "schema":
        return False
    if (to_part, to_room) == ("runtime", "include"):
        return part != "mutator"
    if part == "mutator":
        return (to_part, to_room) == ("runtime", "order")
    if part == "harness":
        return True
    if to_part != "runtime":
        return False
    if room == "include":
        return False
    if to_room in OBSERVERS:
        # The registries, and never the observers of the other kind.
        return is_registry(including)
    if room in OBSERVERS:
        return to_room in OBSERVED or name == "engine/run.h" or is_registry(including)
    room, _, folder = room.partition("/")
    to_room, _, to_folder = to_room.partition("/")
    if room not in RANK or to_room not in RANK:
        return False
    if room == to_room == "intercept":
        return to_folder == "" or to_folder in INTERCEPT_FOLDERS.get(folder, set())
    return RANK[to_room] < RANK[room]


def breaches(root):
    for top in ("schema", "schedule-runtime", "mutator", "harness"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            source = room_of(root, path)
            if source is None:
                continue
            for name in INCLUDE.findall(path.read_text(errors="replace")):
                target = target_of(root, path, name)
                if target is not None and not allowed(source, target, path, name):
                    yield f"{path.relative_to(root)}: includes {name}: {'/'.join(filter(None, source))} " \
                          f"must not know {'/'.join(filter(None, target))}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    root = parser.parse_args().root.resolve()
    found = list(breaches(root))
    for line in found:
        print(line)
    print(f"check_layers: {len(found)} breach(es)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
