#!/bin/sh
# stress.sh CXX SANITIZERS|none INCLUDE WORK_DIR: builds and runs stress.cc; 77 where the compiler has no such sanitizer.
set -eu
cxx=$1 sanitizers=$2 include=$3 work=$4
here=$(cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$work"
cd "$work"
flags=""
if [ "$sanitizers" != none ]; then
  flags="-fsanitize=$sanitizers -fno-sanitize-recover=all"
  echo 'int main() {}' > probe.cc
  if ! "$cxx" $flags probe.cc -o probe 2> probe.log || ! ./probe; then
    echo "no $sanitizers for $cxx: skipped"
    exit 77
  fi
fi
"$cxx" -std=c++20 -g -O2 -Wall -Wextra -Werror $flags -I"$include" "$here/stress.cc" -o stress -pthread
./stress
