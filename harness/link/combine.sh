#!/bin/sh
# combine.sh OUTPUT LINKER_SCRIPT LD NM OBJCOPY OBJECT-OR-ARCHIVE...
#
# Makes one relocatable object of everything that is linked into a target. So the interceptors are always linked, even if nothing
# refers to them. The writable data is in sections of our own. Our copies of inline functions stay ours.
# (A COMDAT shared with the target would give the target our uninstrumented copy, or us its instrumented one.) What is for the
# program alone, heddle_program_<name>, gets its name here, which inside belongs to something of our own.
set -eu
output=$1 script=$2 ld=$3 nm=$4 objcopy=$5
shift 5
trap 'rm -f "$output.tmp" "$output.local" "$output.names"' EXIT
"$ld" -r --force-group-allocation -d -T "$script" -o "$output.tmp" --whole-archive "$@"
# The weak C++ symbols are those inline functions. The operators new and delete of intercept/ are weak, too, and stay.
"$nm" --defined-only "$output.tmp" | awk '
  $2 ~ /^[WwVvu]$/ && $3 ~ /^_Z/ && $3 !~ /^_Z[nd][wal]/ { print $3 }
  END { print "_heddle_no_such_symbol" }  # objcopy refuses an empty list' > "$output.local"
"$nm" --defined-only "$output.tmp" | awk '
  sub(/^heddle_program_/, "", $3) { print "heddle_program_" $3, $3 }' > "$output.names"
"$objcopy" --localize-hidden --localize-symbols="$output.local" --redefine-syms="$output.names" "$output.tmp" "$output"
