#!/bin/sh
# own_engine.sh ARCHIVE OUTPUT
#
# Makes one relocatable object of libFuzzer's archive. libFuzzer comes before the program, because everything after the beginning of the program's data
# is restored between executions. So where both have an instance of one inline function or template (std::vector<std::string>, say), the linker would
# take libFuzzer's for both, and heddle would see none of its accesses. Here these functions become libFuzzer's own. (LLVM avoids this by a C++ library
# of its own in libFuzzer; distributions build it with theirs.)
set -eu
archive=$1 output=$2
ld=$(command -v ld.bfd || command -v ld)  # lld does not resolve groups with -r
trap 'rm -f "$output.tmp" "$output.names"' EXIT
"$ld" -r --force-group-allocation -d -o "$output.tmp" --whole-archive "$archive"
nm --defined-only "$output.tmp" | awk '
  $2 ~ /^[WwVvu]$/ && $3 ~ /^_Z/ { print $3 }
  END { print "_heddle_no_such_symbol" }  # objcopy refuses an empty list' > "$output.names"
objcopy --localize-symbols="$output.names" "$output.tmp" "$output"
