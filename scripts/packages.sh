# Sourced by test.sh and demo.sh: makes sure that the packages for a build are installed.
# usage: require_packages SCRIPT PACKAGE...

build_packages='clang-19 libclang-rt-19-dev llvm-19 llvm-19-dev lld-19 binutils cmake ninja-build python3
  flatbuffers-compiler libflatbuffers-dev libxxhash-dev libcli11-dev libfmt-dev nlohmann-json3-dev'
# The other compilers of targets (docs/reference/compilers.md).
compiler_packages='clang-14 libclang-rt-14-dev clang-16 libclang-rt-16-dev clang-22 libclang-rt-22-dev gcc-12 g++-12
  libc++-19-dev libc++abi-19-dev'
# For tests/programs/world, and for unpacking its sources.
world_packages='libboost-dev libck-dev libconcurrentqueue-dev libreaderwriterqueue-dev libglib2.0-dev libsqlite3-dev libbz2-dev xz-utils bzip2'
# Of the Debian package and what is in it (tests/install).
package_packages='dpkg-dev lintian zsh meson libtool automake'
test_packages="libgtest-dev librapidcheck-dev afl++ gdb python3-yaml $package_packages $compiler_packages $world_packages"

fail() {
  echo "$script: $*" >&2
  exit 1
}

require_packages() {
  script=$1
  shift
  command -v dpkg-query > /dev/null || {
    echo "$script: not a Debian system: install these packages or their equivalents yourself: $*"
    return 0
  }
  missing=
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || fail "cannot install missing packages without sudo:$missing"
    as_root=sudo
  fi
  echo "$script: installing with apt-get:$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } \
    > "$log" 2>&1 < /dev/null; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    fail "apt-get could not install:$missing"
  fi
  rm -f "$log"
}
