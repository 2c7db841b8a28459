#!/usr/bin/env python3
"""Each failing program has a passing twin of the same name: the same source with FIXED defined."""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
bad = 0
for path in sorted((root / "fail").rglob("*.c*")):
    name = path.relative_to(root / "fail")
    twin = root / "pass" / name
    if not twin.exists():
        print(f"fail/{name}: no twin pass/{name}")
        bad = 1
    elif "#define FIXED" not in twin.read_text():
        print(f"pass/{name}: is not the fixed form of fail/{name}")
        bad = 1
sys.exit(bad)
