"""A local directory in the place of a repository that would be cloned."""
import re
import shutil
import subprocess


class Wrong(Exception):
    """Docker would refuse it, too."""


def git(directory, *arguments):
    return subprocess.run(["git", "-C", directory, *arguments], capture_output=True, text=True)


def lay_clone(source, destination, ignore=None):
    """What a clone of `source` has, with what is not committed yet, and its submodules. A directory that is no repository is copied, except `ignore`."""
    listed = git(source, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed.returncode != 0 or not (source / ".git").exists():
        if ignore is None and source in destination.parents:
            raise Wrong(f"{source} contains {destination}: choose another --work")
        shutil.copytree(source, destination, symlinks=True, dirs_exist_ok=True, ignore=ignore)
        return
    destination.mkdir(parents=True, exist_ok=True)
    for name in filter(None, listed.stdout.split("\0")):
        path = source / name
        (destination / name).parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            lay_clone(path, destination / name)
        elif path.is_symlink() or path.is_file():
            shutil.copy2(path, destination / name, follow_symlinks=False)
    # The history for what asks git, its objects not copied.
    if git(source, "clone", "-q", "--shared", "--no-checkout", ".", destination / "cloned").returncode == 0:
        (destination / "cloned/.git").rename(destination / ".git")
        (destination / "cloned").rmdir()
        git(destination, "reset", "-q")


def repository(address):
    """Its name, which is that of a clone's directory."""
    return re.sub(r"\.git$", "", re.split("[/:]", address.rstrip("/"))[-1])
