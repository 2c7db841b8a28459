#!/usr/bin/env python3
"""heddle's project for OSS-Fuzz, built and checked as OSS-Fuzz does it (scripts/try_oss_fuzz.py), and what its files say."""
import argparse
import pathlib
import re
import subprocess
import sys


def check(holds, what):
    if not holds:
        sys.exit(what)


def check_files(project, context):
    """Docker sees `context` alone; builder and runner are of one system."""
    docker = (project / "Dockerfile").read_text()
    image = re.search(r"^FROM gcr\.io/oss-fuzz-base/base-builder:(\S+)$", docker, re.M)
    system = re.search(r"^base_os_version: (\S+)$", (project / "project.yaml").read_text(), re.M)
    check(image and system and image[1] == system[1] == "ubuntu-24-04", f"{project}: Dockerfile and project.yaml name no common system")
    for source in re.findall(r"^COPY (\S+) ", docker, re.M):
        check((context / source).exists() and context.resolve() in (context / source / "x").resolve().parents, f"{project}/Dockerfile: no {source} in {context}")
    for name in ("binutils", "cmake", "flatbuffers-compiler", "libflatbuffers-dev", "libxxhash-dev", "ninja-build", "zip"):
        check(f" {name}" in docker, f"{project}/Dockerfile: no package {name}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "environment"):
        parser.add_argument("--" + name, required=True, type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path, help="where heddle has been built; without it, it is built")
    a = parser.parse_args()
    project = a.source / "harness/oss-fuzz"
    check_files(project, project)
    check("git clone" in (project / "Dockerfile").read_text(), "OSS-Fuzz's Dockerfile does not clone the sources")
    check_files(a.source / ".clusterfuzzlite", a.source)
    check("actions/checkout" in (a.source / ".github/workflows/clusterfuzzlite.yml").read_text(), "ClusterFuzzLite's actions need a checkout")

    a.work.mkdir(parents=True, exist_ok=True)
    tried = subprocess.run([a.source / "scripts/try_oss_fuzz.py", "--work", a.work, "--environment", a.environment,
                            *(["--built", a.built] if a.built else [])], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(tried.stdout)
    check(tried.returncode == 0, "not good")
    # The check must see what is bad: an empty directory, a build of another sanitizer.
    empty, outs = a.work / "empty", a.work / "not-out"
    empty.mkdir(exist_ok=True)
    for directory, sanitizer in ((empty, "address"), (outs / "libfuzzer-undefined", "address"), (outs / "libfuzzer-address", "undefined"),
                                 (outs / "libfuzzer-none", "address"), (outs / "libfuzzer-none", "coverage")):
        checked = subprocess.run([sys.executable, project / "check_build.py", directory, "--sanitizer", sanitizer], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        check(checked.returncode != 0, f"the check takes {directory.name} for a good {sanitizer} build")


if __name__ == "__main__":
    main()
