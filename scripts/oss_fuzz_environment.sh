#!/bin/sh
# Makes what OSS-Fuzz's builder image has, from Debian's packages: its compilers and engines as far as a build can tell.
#
#   scripts/oss_fuzz_environment.sh DIRECTORY     makes DIRECTORY/bin/clang, clang++, afl-clang-fast, afl-clang-fast++, llvm tools,
#                                                 DIRECTORY/libFuzzer.a and libAFLDriver.a; what is there already is left alone
#
# clang there is built without shared libraries: libc++ and libc++abi are one archive. Its runtimes lie in a directory of the target's. libFuzzer is one object with
# a libc++ of its own, under another name and hidden. AFL++'s compiler is Debian's, which drives clang 14, so it gets the libc++ of clang 14; the package is
# unpacked, not installed, because there can be only one. Root is not needed.
set -eu
script=oss_fuzz_environment.sh
fail() {
  echo "$script: $*" >&2
  exit 1
}
[ $# = 1 ] || fail "usage: $script DIRECTORY"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
directory=$(cd "$1" && pwd)
for tool in clang++-19 llvm-symbolizer-19 ar nm objcopy; do command -v $tool > /dev/null || fail "no $tool: install clang-19, llvm-19 and binutils"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
triple=$(clang++-19 -print-target-triple)
resources=$(clang++-19 -print-resource-dir)
llvm=$(dirname "$(dirname "$(readlink -f "$(command -v clang++-19)")")")
[ -r "$llvm/lib/libc++.a" ] && [ -r "$llvm/lib/libc++abi.a" ] || fail "no libc++.a: install libc++-19-dev and libc++abi-19-dev"

# one_archive OUT LIBC++ LIBC++ABI
one_archive() {
  printf 'create %s\naddlib %s\naddlib %s\nsave\nend\n' "$@" | ar -M
}

# compiler NAME COMMAND LIBRARIES ARGUMENT...: bin/NAME. (Without the two options around it clang warns of -L where it does not link.)
compiler() {
  compiler_file=$directory/bin/$1 command=$2 libraries=$3
  shift 3
  printf '#!/bin/sh\nexec %s %s "$@" --start-no-unused-arguments -L%s --end-no-unused-arguments\n' "$command" "$*" "$libraries" > "$compiler_file"
  chmod +x "$compiler_file"
}

make_clang() {
  mkdir -p "$directory/bin" "$directory/lib" "$directory/clang/lib/$triple"
  one_archive "$directory/lib/libc++.a" "$llvm/lib/libc++.a" "$llvm/lib/libc++abi.a"
  for part in include share; do ln -sfn "$resources/$part" "$directory/clang/$part"; done
  for file in "$resources"/lib/linux/*-x86_64*; do
    ln -sf "$file" "$directory/clang/lib/$triple/$(basename "$file" | sed 's/-x86_64//')"
  done
  for name in clang clang++; do compiler "$name" "$llvm/bin/$name" "$directory/lib" "-resource-dir=$directory/clang"; done
  for name in llvm-symbolizer llvm-profdata llvm-cov; do ln -sf "$llvm/bin/$name" "$directory/bin/$name"; done
}

# libFuzzer's libc++ is called std::__Fuzzer: by its headers in what is compiled, by renaming in the archive.
make_libfuzzer() {
  "$here/fetch_source.sh" "$directory" llvm-toolchain-19:compiler-rt/lib/fuzzer
  cp -r "$llvm/include/c++/v1" "$work/include"
  sed -i 's/\(_LIBCPP_ABI_NAMESPACE\) __1/\1 __Fuzzer/' "$work/include/__config_site"
  grep -q '_LIBCPP_ABI_NAMESPACE __Fuzzer' "$work/include/__config_site" || fail "libc++'s __config_site does not name its namespace as expected"
  mkdir "$work/objects"
  find "$directory/llvm-toolchain-19/compiler-rt/lib/fuzzer" -maxdepth 1 -name '*.cpp' | xargs -P "$(nproc)" -I '{}' sh -c '
    clang++-19 -std=c++17 -O1 -fPIC -fno-exceptions -fno-rtti -fno-builtin -fno-omit-frame-pointer -fvisibility=hidden -nostdinc++ -isystem "$1/include" -w \
      -c "{}" -o "$1/objects/$(basename "{}" .cpp).o"' sh "$work" || fail "libFuzzer does not compile"
  nm -f posix "$directory/lib/libc++.a" 2> /dev/null | sed -n 's/^\([^ ]*St3__1[^ ]*\) .*/\1/p' | sort -u > "$work/names"
  sed 's/St3__1/St8__Fuzzer/g' "$work/names" | paste -d ' ' "$work/names" - > "$work/renamed"
  objcopy --redefine-syms="$work/renamed" "$directory/lib/libc++.a" "$work/libc++.a"
  nm -f posix --defined-only "$work/libc++.a" 2> /dev/null | sed -n 's/^\([^ ]*\) [A-Za-z] .*/\1/p' | sort -u > "$work/local"
  # Also what has no namespace: a group of the linker's is kept once for each name.
  sed 's/.*/& __Fuzzer_&/' "$work/local" > "$work/hidden"
  mv "$work/objects/FuzzerInterceptors.o" "$work/interceptors.o"
  archive fuzzer "$work"/objects/*.o
  mv "$work/objects/FuzzerMain.o" "$work"
  archive fuzzer_no_main "$work"/objects/*.o
  archive fuzzer_interceptors "$work/interceptors.o"
  cp "$directory/clang/lib/$triple/libclang_rt.fuzzer.a" "$directory/libFuzzer.a"
}

# archive NAME OBJECT...: a runtime of clang's.
archive() {
  object=$work/$1.o runtime=$directory/clang/lib/$triple/libclang_rt.$1.a
  shift
  "$llvm/bin/clang++" -r -nostdlib -o "$object" "$@" "$work/libc++.a"
  objcopy --localize-hidden --localize-symbols="$work/local" "$object"
  objcopy --redefine-syms="$work/hidden" "$object"
  ! nm -C "$object" | grep -q ' U std::' || fail "libFuzzer still needs a C++ library"
  rm -f "$runtime"
  ar qcs "$runtime" "$object"
}

make_afl() {
  (cd "$work" && apt-get download -q libc++-14-dev libc++abi-14-dev) > "$work/log" 2>&1 || fail "cannot download libc++-14-dev (is the package list old? apt-get update): $(grep '^E:' "$work/log" | head -n 1)"
  for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/libc++14"; done
  library=$work/libc++14/usr/lib/llvm-14
  mkdir "$directory/afl"
  mv "$library/include/c++/v1" "$directory/afl/include"
  one_archive "$directory/afl/libc++.a" "$library/lib/libc++.a" "$library/lib/libc++abi.a"
  for name in clang clang++; do
    include=
    [ "$name" = clang ] || include="-stdlib++-isystem$directory/afl/include"
    compiler "$name-14" "$(command -v $name-14)" "$directory/afl" "$include"
    fast=afl-clang-fast${name#clang}
    printf '#!/bin/sh\nAFL_CC=%s AFL_CXX=%s exec %s "$@"\n' "$directory/bin/clang-14" "$directory/bin/clang++-14" "$(command -v "$fast")" > "$directory/bin/$fast"
    chmod +x "$directory/bin/$fast"
  done
  cp "$(dirname "$(command -v afl-fuzz)")/../lib/afl/libAFLDriver.a" "$directory"
}

[ -x "$directory/bin/clang++" ] || make_clang
[ -r "$directory/libFuzzer.a" ] || make_libfuzzer
if command -v afl-fuzz > /dev/null && command -v afl-clang-fast++ > /dev/null; then
  [ -r "$directory/libAFLDriver.a" ] || make_afl
else
  echo "$script: no AFL++: install afl++ for what is built with its compiler"
fi
