#!/usr/bin/env python3
"""What a project's Dockerfile puts into $SRC, without containers (scripts/oss_fuzz_image.py), and what is said of the rest."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import dockerfile  # noqa: E402
import oss_fuzz_image  # noqa: E402

BUILDER = "FROM gcr.io/oss-fuzz-base/base-builder:ubuntu-24-04\n"
FILES = {"build.sh": "#!/bin/bash\n", "one_fuzz.cc": "one", "two_fuzz.cc": "two", ".hidden_fuzz.cc": "hidden", "words.dict": "dict", "with space.txt": "space",
         "seeds/a": "a", "seeds/deep/b": "b"}


class Project(unittest.TestCase):
    def setUp(self):
        self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.work = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.project, self.src, self.said = self.work / "project", self.work / "src", []
        for name, text in FILES.items():
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.project / name).write_text(text)
        (self.project / "build.sh").chmod(0o755)

    def make(self, text, sources=None, build="COPY build.sh $SRC\n"):
        (self.project / "Dockerfile").write_text(BUILDER + text + build)
        variables = {"SRC": self.src, "WORK": self.work / "work", "OUT": self.work / "out"}
        self.image = oss_fuzz_image.Image(self.project, variables, sources or {}, self.said.append)
        self.directory, self.own = self.image.make()
        return sorted(str(path.relative_to(self.src)) for path in self.src.rglob("*") if path.is_file() and path != self.src / "build.sh")

    def source(self, name):
        directory = self.work / name
        directory.mkdir()
        (directory / "file.c").write_text(name)
        return directory


class Copies(Project):
    def test_wildcards_and_several_sources(self):
        self.assertEqual(self.make("COPY *_fuzz.cc *.dict $SRC/\n"), [".hidden_fuzz.cc", "one_fuzz.cc", "two_fuzz.cc", "words.dict"])
        self.assertEqual(self.make("COPY [^o]*_fuzz.cc $SRC/x/\n"), ["x/.hidden_fuzz.cc", "x/two_fuzz.cc"])
        self.assertEqual(self.said, [])

    def test_destinations(self):
        self.assertEqual(self.make("WORKDIR $SRC/lib\nCOPY one_fuzz.cc .\n"), ["lib/one_fuzz.cc"])
        self.assertEqual(self.directory, self.src / "lib")
        self.assertEqual(self.make("WORKDIR lib\nWORKDIR deep\nCOPY one_fuzz.cc other.cc\n"), ["lib/deep/other.cc"])
        self.assertEqual(self.make("COPY one_fuzz.cc /src/fuzz/\n"), ["fuzz/one_fuzz.cc"])
        self.assertEqual(self.make("COPY one_fuzz.cc ${SRC}/fuzz/\n"), ["fuzz/one_fuzz.cc"])
        self.assertEqual(self.make("COPY one_fuzz.cc two_fuzz.cc ./fuzz/\n"), ["fuzz/one_fuzz.cc", "fuzz/two_fuzz.cc"])
        self.assertEqual(self.make("ENV WHERE=$SRC/there\nCOPY one_fuzz.cc $WHERE/\n"), ["there/one_fuzz.cc"])

    def test_own_directories_may_be_below_src_and_work(self):
        for first in "src", "work":
            root = pathlib.Path("/", first, "here")
            image = oss_fuzz_image.Image(self.project, {name.upper(): root / name for name in ("src", "work", "out")}, {}, self.said.append)
            for name in "src", "work":
                for text in f"/{name}/x", f"{root}/{name}/x", f"{root}/{name}/x/":
                    self.assertEqual(image.placed(text, root / "src"), root / name / "x")

    def test_directories_give_their_contents(self):
        self.assertEqual(self.make("COPY seeds $SRC/corpus\n"), ["corpus/a", "corpus/deep/b"])
        self.assertEqual(self.make("COPY seeds/ $SRC\n"), ["a", "deep/b"])
        self.assertIn("project.txt", (self.project / "project.txt").write_text("") or self.make("COPY . $SRC\n"))

    def test_flags_and_the_form_of_json(self):
        self.assertEqual(self.make('COPY --chown=root:root --chmod=700 one_fuzz.cc $SRC/\nCOPY ["with space.txt", "$SRC/"]\n'),
                         ["one_fuzz.cc", "with space.txt"])
        self.assertEqual((self.src / "one_fuzz.cc").stat().st_mode & 0o777, 0o700)

    def test_modes_are_kept(self):
        self.make("")
        self.assertEqual((self.src / "build.sh").stat().st_mode & 0o777, 0o755)

    def test_here_documents(self):
        self.assertEqual(self.make("COPY <<END $SRC/made.txt\nfirst\nCOPY x y\nEND\n"), ["made.txt"])
        self.assertEqual((self.src / "made.txt").read_text(), "first\nCOPY x y\n")

    def test_added_archives_are_unpacked(self):
        subprocess.run(["tar", "-czf", "seeds.tar.gz", "seeds"], cwd=self.project, check=True)
        self.assertEqual(self.make("ADD seeds.tar.gz $SRC/in\n"), ["in/seeds/a", "in/seeds/deep/b"])
        self.assertEqual(self.make("COPY seeds.tar.gz $SRC/in/\n"), ["in/seeds.tar.gz"])

    def test_clusterfuzzlite_sees_the_repository(self):
        inner = self.project / ".clusterfuzzlite"
        inner.mkdir()
        (inner / "build.sh").write_text("")
        (inner / "Dockerfile").write_text(BUILDER + "COPY . $SRC/repository\nCOPY .clusterfuzzlite/build.sh $SRC/\n")
        oss_fuzz_image.Image(inner, {"SRC": self.src, "WORK": self.work / "work"}, {}, self.said.append).make()
        self.assertTrue((self.src / "repository/one_fuzz.cc").exists())

    def test_what_docker_refuses(self):
        for text, what in (("COPY *.none $SRC/\n", r"Dockerfile:2: COPY: no \*.none in "), ("COPY ../secret $SRC/\n", "no ../secret"),
                           ("COPY one_fuzz.cc\n", "a source and a destination")):
            (self.work / "secret").write_text("")
            with self.assertRaisesRegex(oss_fuzz_image.Wrong, what):
                self.make(text)
        with self.assertRaisesRegex(oss_fuzz_image.Wrong, "nothing puts build.sh into"):
            self.make("", build="")


class Clones(Project):
    def test_where_they_are(self):
        for text, file in (("RUN git clone --depth 1 https://h.org/a/lib.git\n", "lib/file.c"),
                           ("RUN git clone -b v1 https://h.org/lib $SRC/other\n", "other/file.c"),
                           ("WORKDIR deep\nRUN git clone https://h.org/lib/ \\\n  # a comment\n  here\n", "deep/here/file.c"),
                           ("RUN mkdir x && cd x && git clone git@h.org:lib.git && cd lib && git checkout v1\n", "x/lib/file.c"),
                           ("RUN (cd $SRC && true) && git clone --recursive https://h.org/lib\n", "lib/file.c"),
                           ("RUN <<END\ngit clone https://h.org/lib $SRC/heard\nEND\n", "heard/file.c"),
                           ("RUN hg clone https://h.org/lib\n", "lib/file.c"), ("RUN svn co https://h.org/lib trunk\n", "trunk/file.c"),
                           ("ADD https://h.org/lib.git#v1 $SRC/added\n", "added/file.c")):
            with self.subTest(text):
                source = self.work / "lib"
                sources = {"lib": source if source.exists() else self.source("lib")}
                self.assertEqual(self.make(text, sources), [file])
                self.assertEqual(self.image.used, {"lib"})

    def test_the_name_of_the_directory_wins(self):
        sources = {"lib": self.source("new"), "old": self.source("before")}
        self.make("RUN git clone https://h.org/lib && git clone -b v1 https://h.org/lib old\n", sources)
        self.assertEqual([(self.src / name / "file.c").read_text() for name in ("lib", "old")], ["new", "before"])

    def test_a_repository_is_taken_as_a_clone(self):
        source = self.source("lib")
        (source / ".gitignore").write_text("*.o\n")
        (source / "file.o").write_text("")
        for arguments in (["init", "-q"], ["add", "file.c"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "first"]):
            subprocess.run(["git", "-C", source, *arguments], check=True)
        (source / "file.c").write_text("changed")
        made = [name for name in self.make("RUN git clone https://h.org/lib\n", {"lib": source}) if "/.git/" not in name]
        self.assertEqual(made, ["lib/.gitignore", "lib/file.c"])
        state = subprocess.run(["git", "-C", self.src / "lib", "status", "--short"], capture_output=True, text=True)
        self.assertEqual(state.stdout, " M file.c\n?? .gitignore\n")

    def test_one_that_contains_the_copy(self):
        with self.assertRaisesRegex(oss_fuzz_image.Wrong, "contains .*: choose another --work"):
            self.make("RUN git clone https://h.org/lib\n", {"lib": self.work})

    def test_one_that_is_not_given(self):
        self.assertEqual(self.make("RUN git clone https://h.org/lib.git\n"), [])
        self.assertEqual(self.said, ["Dockerfile:2: not reproduced: the clone of https://h.org/lib.git: name a directory with --source lib=DIRECTORY"])


class Rest(Project):
    def check_said(self, text, *said):
        self.said.clear()
        self.make(text)
        self.assertEqual(self.said, [f"Dockerfile:2: {line}" for line in said])

    def test_what_is_said(self):
        for text in ("RUN wget https://h.org/x.tar.gz", "WORKDIR /tmp/x", "COPY one_fuzz.cc /usr/lib/", "COPY one_fuzz.cc $OUT/", "USER nobody",
                     "ENV CFLAGS=-O0", "COPY --from=other /x $SRC/", "RUN for x in a b; do touch $x; done", "RUN git clone https://h.org/lib /tmp/lib",
                     "ADD https://h.org/x.zip $SRC/", "RUN cp one /usr/bin/"):
            with self.subTest(text):
                self.said.clear()
                self.make(text + "\n")
                shown = {"ENV CFLAGS=-O0": "ENV CFLAGS", "ADD https://h.org/x.zip $SRC/": "ADD https://h.org/x.zip"}.get(text, text)
                self.assertEqual(self.said, [f"Dockerfile:2: not reproduced: {shown}"])
        self.check_said("RUN curl -L https://h.org/x | tar x && touch $SRC/y\n", "not reproduced: RUN curl -L https://h.org/x", "not reproduced: RUN tar x")
        self.assertTrue((self.src / "y").exists())

    def test_packages(self):
        self.check_said("RUN apt-get update && apt-get install -y --no-install-recommends \\\n  dpkg no-such-package=1.0 && rm -rf /var/lib/apt/lists/*\n",
                        "package no-such-package is unknown to this system")

    def test_files_in_src_are_made(self):
        made = self.make("COPY *.cc $SRC/\nRUN mkdir -p $SRC/to/x && cp $SRC/one*.cc to/x/ && mv two_fuzz.cc to && rm .hidden_fuzz.cc \\\n"
                         "  && chmod +x one_fuzz.cc\n")
        self.assertEqual(made, ["one_fuzz.cc", "to/two_fuzz.cc", "to/x/one_fuzz.cc"])
        self.assertEqual(self.said, [])

    def test_variables_of_the_build(self):
        self.make("ENV A=1 B=\"two words\"\nENV OLD_FORM some text\nARG N=5\nENV M=${N:-6}${NONE:-7}\nENV AT=/src/lib\n")
        self.assertEqual(self.own, {"A": "1", "B": "two words", "OLD_FORM": "some text", "M": "57", "AT": f"{self.src}/lib"})

    def test_base_images(self):
        (self.project / "Dockerfile").write_text("FROM debian:12 AS first\nRUN wget x\nFROM other\nCOPY build.sh $SRC/\n")
        oss_fuzz_image.Image(self.project, {"SRC": self.src, "WORK": self.work}, {}, self.said.append).make()
        self.assertEqual(self.said, ["Dockerfile: not reproduced: the stages before that of line 3",
                                     "Dockerfile:3: not reproduced: FROM other: it is not OSS-Fuzz's builder for C and C++"])


class Reading(unittest.TestCase):
    def test_lines(self):
        steps = list(dockerfile.instructions("# c\n\nfrom x\nRUN a \\\n  # c\n\n  b \\\n  && c\nCOPY d e\n"))
        self.assertEqual([(step.line, step.keyword, step.text.split()) for step in steps],
                         [(3, "FROM", ["x"]), (4, "RUN", ["a", "b", "&&", "c"]), (9, "COPY", ["d", "e"])])


if __name__ == "__main__":
    unittest.main()
