#!/bin/sh
# headers.sh CXX INCLUDE WORK_DIR: each public header compiles alone and without a warning, twice in a row; heddle.h also as C++17, and what needs
# C++20 then says so, in one line.
set -eu
cxx=$1 include=$2 work=$3
mkdir -p "$work"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror" refused=
for header in "$include"/heddle/*.h; do
  name=$(basename "$header")
  printf '#include <heddle/%s>\n#include <heddle/%s>\nint main() {}\n' "$name" "$name" > "$work/one.cc"
  "$cxx" -std=c++20 $warnings -I"$include" -fsyntax-only "$work/one.cc"
  if ! "$cxx" -std=c++17 $warnings -I"$include" -fsyntax-only "$work/one.cc" 2> "$work/errors"; then
    if [ "$(grep -c 'error:' "$work/errors")" != 1 ] || ! grep -q 'compile with -std=c++20' "$work/errors"; then
      cat "$work/errors"
      exit 1
    fi
    refused="$refused$name "
  fi
done
[ "$refused" = "after_func.h chan.h context.h csp.h select.h timer.h " ]
printf '#include <heddle/heddle.h>\nint main() { return heddle::under_control() ? 1 : 0; }\n' > "$work/one.cc"
"$cxx" -std=c++17 $warnings -I"$include" "$work/one.cc" -o "$work/one"
"$work/one"
