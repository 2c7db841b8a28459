#!/bin/sh
# Fetches the upstream sources of Debian packages, without Debian's patches, from the archive that this machine's apt uses.
#
#   scripts/fetch_source.sh DIRECTORY PACKAGE[:PATH]...     makes DIRECTORY/PACKAGE/ for each, or only PATH in it; what is there already is left alone
#
# apt's own state is not changed, and root is not needed. apt checks the signatures. On failure: exit code 1 and a line for each missing
# package.
set -eu
script=fetch_source.sh
fail() {
  echo "$script: $*" >&2
  exit 1
}
[ $# -ge 2 ] || fail "usage: $script DIRECTORY PACKAGE[:PATH]..."
mkdir -p "$1"
directory=$(cd "$1" && pwd)
shift

missing=
for package in "$@"; do [ -d "$directory/${package%%:*}" ] || missing="$missing $package"; done
[ -n "$missing" ] || exit 0
command -v apt-get > /dev/null || fail "no apt-get: unpack the sources into $directory yourself:$missing"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sources.list.d" "$work/lists/partial" "$work/cache/archives/partial"
# The machine's own sources, for source packages.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$file" ] && sed -n 's/^[[:space:]]*deb\([[:space:]]\)/deb-src\1/p' "$file" >> "$work/sources.list.d/all.list"
done
for file in /etc/apt/sources.list.d/*.sources; do
  [ -e "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" > "$work/sources.list.d/$(basename "$file")"
done
cat > "$work/apt.conf" << END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources.list.d";
Dir::State::lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
END
export APT_CONFIG="$work/apt.conf"

# If a source list has no source packages, update reports an error. Only the search for the packages decides.
apt-get update -q > "$work/log" 2>&1 < /dev/null || true
status=0
for wanted in $missing; do
  package=${wanted%%:*} path=${wanted#"${wanted%%:*}"}
  mkdir "$work/$package"
  cd "$work/$package"
  tar=
  if apt-get source --download-only --only-source -q "$package" > "$work/log" 2>&1 < /dev/null; then
    for file in *.orig.tar.*; do
      case $file in *.asc) ;; *) tar=$file ;; esac
    done
  fi
  if [ -z "$tar" ]; then
    echo "$script: cannot fetch the source of $package: $(grep '^[EW]:' "$work/log" | head -n 1)" >&2
    status=1
    continue
  fi
  mkdir unpacked
  tar -xf "$tar" -C unpacked --strip-components=1 --wildcards "*${path:+/${path#:}/*}" || fail "$tar cannot be unpacked"
  mv -T unpacked "$directory/$package"
done
exit $status
