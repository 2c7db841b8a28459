#!/bin/sh
# headers.sh CXX INCLUDE WORK_DIR [HEADER...]: each public header (or only these) compiles alone and without a warning, twice in a row; heddle.h
# also as C++17, and what needs C++20 then says so, in one line.
set -eu
cxx=$1 include=$2 work=$3
shift 3
[ $# != 0 ] || set -- $(cd "$include/heddle" && echo *.h)
mkdir -p "$work"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror" refused= needed=
for name in "$@"; do
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
for name in after_func.h chan.h context.h csp.h select.h timer.h; do
  case " $* " in *" $name "*) needed="$needed$name " ;; esac
done
[ "$refused" = "$needed" ]
printf '#include <heddle/heddle.h>\nint main() { return heddle::under_control() ? 1 : 0; }\n' > "$work/one.cc"
"$cxx" -std=c++17 $warnings -I"$include" "$work/one.cc" -o "$work/one"
"$work/one"
