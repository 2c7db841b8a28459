"""What a project's Dockerfile puts into OSS-Fuzz's image, put into directories.

Only what lies in $SRC is made. What cannot be is said in one line each: the rest of the image is this machine.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

import dockerfile
from local_clone import Wrong, lay_clone, repository

# Set by OSS-Fuzz for each engine and sanitizer, after the Dockerfile.
SET_LATER = {"CC", "CXX", "CFLAGS", "CXXFLAGS", "LIB_FUZZING_ENGINE", "SANITIZER", "FUZZING_ENGINE", "ARCHITECTURE"}
CLONES = {("git", "clone"), ("hg", "clone"), ("svn", "checkout"), ("svn", "co")}
CLONE_OPTIONS_WITH_VALUE = {"-b", "--branch", "-c", "--config", "--depth", "-j", "--jobs", "-o", "--origin", "--reference", "-u", "--upload-pack", "-r",
                            "--revision", "--shallow-since", "--shallow-exclude", "--template", "--filter", "--separate-git-dir", "--server-option"}
# Made for real if all their paths lie in $SRC.
FILE_COMMANDS = {"chmod", "cp", "ln", "mkdir", "mv", "rm", "touch"}
METHODS = {"FROM": "base_image", "ARG": "arg", "ENV": "env", "WORKDIR": "workdir", "COPY": "copy", "ADD": "copy", "RUN": "run"}
WITHOUT_EFFECT = {"CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "STOPSIGNAL", "VOLUME"}
# About the state of a repository: what the user gives is in the wanted state.
GIT_STATE = {"checkout", "config", "fetch", "pull", "reset", "submodule", "switch"}


class Image:
    """`variables` are those of the build; `sources` are local directories by the names of what is cloned, `used` those that were."""

    def __init__(self, project, variables, sources, say):
        self.project, self.sources, self.used, self.say = project, sources, set(), say
        # ClusterFuzzLite's projects see the repository that they lie in.
        self.context = (project.parent if project.name == ".clusterfuzzlite" else project).resolve()
        self.variables, self.own = {name: str(variables[name]) for name in ("SRC", "WORK", "OUT", "PATH") if name in variables}, {}
        self.src, self.work = pathlib.Path(variables["SRC"]), pathlib.Path(variables["WORK"])
        self.directory, self.clones, self.line = self.src, [], 0

    def make(self):
        """Returns the directory that build.sh starts in, and the variables that the Dockerfile sets."""
        shutil.rmtree(self.src, ignore_errors=True)
        self.src.mkdir(parents=True)
        steps = list(dockerfile.instructions((self.project / "Dockerfile").read_text()))
        stages = [number for number, step in enumerate(steps) if step.keyword == "FROM"]
        if not stages:
            raise Wrong("Dockerfile: no FROM")
        if len(stages) > 1:
            self.say(f"Dockerfile: not reproduced: the stages before that of line {steps[stages[-1]].line}")
        if (self.context / ".dockerignore").exists():
            self.say(".dockerignore: not applied")
        for step in steps[stages[-1]:]:
            self.line = step.line
            getattr(self, METHODS.get(step.keyword, "other"))(step)
        if not (self.src / "build.sh").is_file():
            raise Wrong("Dockerfile: nothing puts build.sh into $SRC")
        return self.directory, self.own

    def missing(self, what):
        what = " ".join(what.split())
        self.say(f"Dockerfile:{self.line}: not reproduced: {what if len(what) <= 150 else what[:147] + '...'}")

    def wrong(self, what):
        raise Wrong(f"Dockerfile:{self.line}: {what}")

    def placed(self, text, directory=None):
        """The path for one of the image's; None if it is neither in $SRC nor in $WORK."""
        path = pathlib.Path(os.path.normpath((directory or self.directory) / self.here(text)))
        return path if self.holds(path) else None

    def holds(self, path):
        return any(root == path or root in path.parents for root in (self.src, self.work))

    def here(self, text):
        """$SRC is /src there, and may be called so. A path that is below $SRC or $WORK already may begin with these names, too."""
        if self.holds(pathlib.Path(text)):
            return text
        return re.sub(r"^/(src|work)(?=/|$)", lambda match: str(getattr(self, match[1])), text)

    def other(self, step):
        if step.keyword not in WITHOUT_EFFECT:
            self.missing(f"{step.keyword} {step.text}")

    def arg(self, step):
        for name, value in dockerfile.assignments(step.text).items():
            self.variables.setdefault(name, dockerfile.expand(value, self.variables))

    def env(self, step):
        for name, value in dockerfile.assignments(step.text).items():
            if name in SET_LATER:
                self.missing(f"ENV {name}")
            else:
                self.variables[name] = self.own[name] = self.here(dockerfile.expand(value, self.variables))

    def workdir(self, step):
        path = self.placed(dockerfile.expand(step.text, self.variables))
        if path is None:
            return self.missing(f"WORKDIR {step.text}")
        path.mkdir(parents=True, exist_ok=True)
        self.directory = path

    def base_image(self, step):
        if not re.search(r"(^|/)base-builder(:|@|$)", dockerfile.expand(step.text, self.variables)):
            self.missing(f"FROM {step.text}: it is not OSS-Fuzz's builder for C and C++")

    def copy(self, step):
        flags, words = dockerfile.flags_and_words(step.text)
        words = [dockerfile.expand(word, self.variables) for word in words]
        if len(words) < 2:
            self.wrong(f"{step.keyword} needs a source and a destination")
        *words, destination = words
        several = destination.endswith("/") or len(words) > 1
        path = self.placed(destination)
        if path is None or flags.keys() & {"from", "parents", "exclude"}:
            return self.missing(f"{step.keyword} {step.text}")
        several = several or path.is_dir()
        for word in words:
            self.copy_one(step, word, path, several, flags.get("chmod"))

    def copy_one(self, step, word, destination, several, mode):
        if word.startswith("<<"):
            name = word.lstrip("<-")
            return self.copy_file(None, destination / name if several else destination, mode, step.documents[name])
        if step.keyword == "ADD" and re.match(r"(https?|git|ssh)://|git@", word):
            address, _, _ = word.partition("#")
            if address.endswith(".git"):
                return self.clone(address, destination)
            return self.missing(f"ADD {word}")
        # Docker's patterns are those of Go: a star also takes names that begin with a dot, and a class is negated by ^.
        found = sorted(glob.glob(word.lstrip("/").replace("[^", "[!") or ".", root_dir=self.context, include_hidden=True))
        found = [self.context / name for name in found]
        if not found or not all(path.resolve() == self.context or self.context in path.resolve().parents for path in found):
            self.wrong(f"{step.keyword}: no {word} in {self.context}")
        for path in found:
            if path.is_dir():
                lay_clone(path, destination)
            elif step.keyword == "ADD" and tarfile.is_tarfile(path):
                destination.mkdir(parents=True, exist_ok=True)
                subprocess.run(["tar", "-xf", path, "-C", destination], check=True)
            else:
                self.copy_file(path, destination / path.name if several or len(found) > 1 else destination, mode)

    def copy_file(self, source, destination, mode, text=None):
        destination.parent.mkdir(parents=True, exist_ok=True)
        if source is None:
            destination.write_text(text)
        else:
            shutil.copy2(source, destination)
        if mode and re.fullmatch("[0-7]+", mode):
            destination.chmod(int(mode, 8))

    def clone(self, address, destination):
        name = repository(address)
        self.clones.append(name)
        for known in (destination.name, name):
            if known in self.sources:
                self.used.add(known)
                return lay_clone(self.sources[known], destination)
        self.say(f"Dockerfile:{self.line}: not reproduced: the clone of {address}: name a directory with --source {name}=DIRECTORY")

    def run(self, step):
        text = "\n".join(step.documents.values()) if re.match(r"<<", step.text) else step.text
        text = re.sub(r"^(--\S+\s+)+", "", text)
        directory, outer = self.directory, []
        try:
            every = list(dockerfile.commands(text))
        except ValueError:
            return self.missing(f"RUN {step.text}")
        for command in every:
            if command.bracket:
                directory = outer.pop() if command.bracket == ")" and outer else directory
                outer += [directory] if command.bracket == "(" else []
                continue
            words = [dockerfile.expand(word, self.variables) for word in command.words]
            if words[0] == "sudo":
                del words[0]
            if words[:1] == ["cd"] and directory is not None:
                directory = self.placed(words[1], directory) if len(words) == 2 else None
            elif tuple(words[:2]) in CLONES:
                self.run_clone(words, directory, command)
            elif words[0] in ("apt-get", "apt") and not command.piped:
                self.run_apt(words[1:])
            elif words[0] == "git" and set(words) & GIT_STATE:
                self.say(f"Dockerfile:{self.line}: {' '.join(command.words)}: the directory of --source is taken as it is")
            elif command.piped or not self.run_files(words, directory):
                self.missing(f"RUN {' '.join(command.words)}")

    def run_clone(self, words, directory, command):
        plain = dockerfile.without_options(words[2:], CLONE_OPTIONS_WITH_VALUE)
        path = self.placed(plain[1] if len(plain) > 1 else repository(plain[0]), directory) if plain and directory else None
        if path is None:
            return self.missing(f"RUN {' '.join(command.words)}")
        self.clone(plain[0], path)

    def run_apt(self, words):
        action, *packages = dockerfile.without_options(words, {"-o", "-t", "--option", "--target-release"}) or [""]
        for word in packages if action == "install" else []:
            if word.startswith((".", "/")):
                self.missing(f"RUN apt-get install {word}")
                continue
            package = re.split("[=/]", word)[0]
            state = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ", package], capture_output=True, text=True)
            if "installed" in state.stdout.split():
                continue
            known = subprocess.run(["apt-cache", "show", package], capture_output=True).returncode == 0
            self.say(f"Dockerfile:{self.line}: package {package} is {f'not installed: apt-get install {package}' if known else 'unknown to this system'}")

    def run_files(self, words, directory):
        """Whether it is a command for files in $SRC; then it is run. What happens to apt's lists does not matter."""
        if words[0] in ("true", "echo") or words[0] == "rm" and any("/apt/" in word for word in words):
            return True
        if words[0] not in FILE_COMMANDS or directory is None:
            return False
        arguments = []
        for number, word in enumerate(words[1:]):
            if word.startswith("-") or words[0] == "chmod" and re.fullmatch(r"[0-7]+|[ugoa]*[-+=][rwxX]+", word):
                arguments.append(word)
                continue
            path = self.placed(word, directory)
            if path is None:
                return False
            arguments += sorted(glob.glob(str(path))) or [str(path)]
        done = subprocess.run([words[0], *arguments], cwd=directory, capture_output=True, text=True)
        if done.returncode != 0:
            self.say(f"Dockerfile:{self.line}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else words[0] + ' failed'}")
        return True
