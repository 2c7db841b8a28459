#!/usr/bin/env python3
"""The Debian package: made, unpacked, and used for the tutorial. package_test.py BUILD_DIRECTORY SOURCE_DIRECTORY VERSION"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
VERSION = sys.argv[3]


def run(*command):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            timeout=600)
    assert result.returncode == 0, f"{command}\n{result.stdout}"
    return result.stdout


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "no dpkg-dev")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="heddle-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", cls.root)
        cls.deb = next(cls.root.glob("heddle_*.deb"))
        run("dpkg", "-x", cls.deb, cls.root / "root")
        cls.usr = cls.root / "root/usr"

    def field(self, name):
        return run("dpkg-deb", "-f", self.deb, name).strip()

    def test_fields(self):
        self.assertEqual(self.field("Package"), "heddle")
        self.assertEqual(self.field("Version"), VERSION)
        for package in ("clang-19", "libclang-rt-19-dev", "llvm-19", "libc6", "libstdc++6"):
            self.assertIn(package, self.field("Depends"))
        for package in ("flatbuffers", "xxhash", "fmt"):  # compiled in
            self.assertNotIn(package, self.field("Depends"))

    def test_files(self):
        for name in ("bin/heddle", "bin/heddle-clang++", "lib/heddle/heddle_rt.o", "lib/pkgconfig/heddle.pc", "share/doc/heddle/copyright",
                     "share/doc/heddle/changelog.gz", "share/doc/heddle/docs/tutorial.md", "share/doc/heddle/examples/bounded_queue_fuzz.cc",
                     "share/heddle/gdb/heddle_gdb.py", "share/man/man1/heddle.1.gz", "share/man/man1/heddle-g++.1.gz",
                     "share/bash-completion/completions/heddle-clang++", "share/zsh/vendor-completions/_heddle"):
            self.assertTrue((self.usr / name).is_file(), name)
        self.assertEqual([path for path in (self.usr / "bin").iterdir() if not path.stat().st_mode & 0o111], [])

    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("no lintian")
        run("lintian", "--allow-root", "--fail-on", "error", "--suppress-tags", "pkg-config-unavailable-for-cross-compilation", "--fail-on", "warning", self.deb)

    def test_tutorial(self):
        run(sys.executable, SOURCE / "scripts/run_docs.py", self.usr, SOURCE / "docs/tutorial.md")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
