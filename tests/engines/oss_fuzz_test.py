#!/usr/bin/env python3
"""heddle's project for OSS-Fuzz, built and checked as OSS-Fuzz does it (scripts/try_oss_fuzz.py), and what its files say."""
import argparse
import pathlib
import re
import shutil
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


FOREIGN = {
    "project/Dockerfile": """FROM gcr.io/oss-fuzz-base/base-builder
RUN apt-get update && apt-get install -y dpkg no-such-package
RUN git clone --depth 1 https://example.org/counter.git
RUN wget https://example.org/seeds.zip
ENV KIND=small
WORKDIR counter
COPY build.sh *.cc *.dict $SRC/
""",
    # What another pair has left behind would be linked.
    "project/build.sh": """[ "$(pwd)" = "$SRC/counter" ] && [ "$KIND" = small ] && [ ! -e counter.o ] && [ ! -e "$WORK/left" ]
touch "$WORK/left"
$CC $CFLAGS -c counter.c -o counter.o
for source in "$SRC"/*_fuzz.cc; do
  $CXX $CXXFLAGS "$source" counter.o -I. $LIB_FUZZING_ENGINE -o "$OUT/$(basename "$source" .cc)"
done
cp "$SRC"/*.dict "$OUT/"
""",
    "project/project.yaml": "language: c\n",
    "project/count_fuzz.cc": """#include <cstddef>
#include <cstdint>
extern "C" int count(const uint8_t *, size_t);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return count(data, size) < 0; }
""",
    "project/count_fuzz.dict": '"a"\n',
    "cloned/counter.c": """#include <stddef.h>
int count(const unsigned char *data, size_t size) {
  int found = 0;
  for (size_t i = 0; i < size; ++i) found += data[i] == 'a';
  return found;
}
""",
}


def check_foreign(a):
    """A project without heddle: its Dockerfile copies files and clones a repository."""
    base = a.work / "foreign"
    shutil.rmtree(base, ignore_errors=True)
    for name, text in FOREIGN.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text)

    def attempt(*options):
        tried = subprocess.run([a.source / "scripts/try_oss_fuzz.py", "--work", base / "work", "--environment", a.environment, "--project", base / "project",
                                "libfuzzer-address", "libfuzzer-none", *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(tried.stdout)
        return tried

    tried = attempt("--source", f"counter={base / 'cloned'}")
    check(tried.returncode == 0, "a project that clones is not good")
    for line in ("Dockerfile:2: package no-such-package is unknown to this system",
                 "Dockerfile:4: not reproduced: RUN wget https://example.org/seeds.zip", "libfuzzer-address: good", "libfuzzer-none: good"):
        check(tried.stdout.count(f"{line}\n") == 1, f"not said once: {line}")
    check((base / "work/not-out/libfuzzer-none/count_fuzz.dict").exists(), "a copied file is not there")
    tried = attempt("--source", base / "cloned")
    check(tried.returncode != 0 and "--source cloned: the Dockerfile has no clone of that name. Its clones: counter" in tried.stdout, "a wrong name is taken")
    tried = attempt()
    check(tried.returncode != 0 and "Dockerfile:3: not reproduced: the clone of https://example.org/counter.git: name a directory with "
          "--source counter=DIRECTORY" in tried.stdout, "a missing clone is not said")


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
    check_foreign(a)
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
