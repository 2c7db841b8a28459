#!/bin/sh
# Installs the Debian package in a fresh Debian, and runs the tutorial's commands there.
#
#   scripts/try_package.sh PACKAGE.deb [SUITE]     the suite is bookworm, if not named
#
# The system is made by debootstrap, from the archive that this machine's apt uses, in a temporary directory that is removed at the end. Root and network are
# needed. Exit code 77 and a reason if it cannot be tried here.
set -eu
script=try_package.sh
fail() {
  echo "$script: $*" >&2
  exit 1
}
skip() {
  echo "$script: not tried: $*" >&2
  exit 77
}
[ $# -ge 1 ] && [ -r "$1" ] || fail "usage: $script PACKAGE.deb [SUITE]"
package=$(readlink -f "$1")
suite=${2:-bookworm}
source=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || skip "it needs root"
command -v debootstrap > /dev/null || skip "no debootstrap: apt-get install debootstrap"
site=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT) $(CREATED_BY)' | awk -v suite="$suite" '$2 == suite && $3 == "main" && $4 == "Packages" { print $1; exit }')
[ -n "$site" ] || skip "this machine's apt has no suite $suite"
unshare --mount true 2> /dev/null || skip "no file system can be mounted here (unshare --mount)"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
debootstrap --variant=minbase "$suite" "$root" "$site" > "$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  fail "debootstrap failed"
}
# The archives of this machine that have the same suite's updates, and how they are reached.
for place in sources.list sources.list.d trusted.gpg.d keyrings apt.conf.d/*proxy*; do
  [ -e "/etc/apt/$place" ] || continue
  rm -rf "$root/etc/apt/$place"
  cp -r "/etc/apt/$place" "$root/etc/apt/$place"
done
cp -r /usr/share/keyrings/. "$root/usr/share/keyrings/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tmp/heddle.deb"
mkdir -p "$root/opt/heddle/scripts" "$root/opt/heddle/docs"
cp "$source/scripts/run_docs.py" "$root/opt/heddle/scripts/"

# inside NAME COMMAND: in the new system; what it says only if it fails.
inside() {
  echo "$script: $1"
  unshare --mount sh -c 'mount -t proc proc "$1/proc" && DEBIAN_FRONTEND=noninteractive exec chroot "$1" sh -euc "$2"' sh "$root" "$2" > "$work/log" 2>&1 < /dev/null || {
    tail -n 40 "$work/log" >&2
    fail "failed: $1"
  }
}
inside "installing the package" 'apt-get update -q; apt-get install -y -q --no-install-recommends /tmp/heddle.deb; heddle --version; heddle-clang++ --version'
# For the tutorial's last step, and for what runs its commands.
inside "installing cmake and python3" 'apt-get install -y -q --no-install-recommends cmake make python3'
inside "the tutorial's commands" 'python3 /opt/heddle/scripts/run_docs.py /usr /usr/share/doc/heddle/docs/tutorial.md'
tail -n 1 "$work/log"
inside "removing the package" 'apt-get purge -y -q heddle; ! [ -e /usr/lib/heddle ] && ! [ -e /usr/bin/heddle ]'
echo "$script: good"
