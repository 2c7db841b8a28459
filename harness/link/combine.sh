#!/bin/sh
# combine.sh OUTPUT LINKER_SCRIPT LD NM OBJCOPY LD-OPTION-OBJECT-OR-ARCHIVE...
#
# Makes one relocatable object of everything that is linked into a target. So the interceptors are always linked, even if nothing refers to
# them. The writable data is in separate sections. heddle's copies of inline functions are not shared. (A COMDAT shared with the target
# would give the target heddle's uninstrumented copy, or heddle the instrumented one.) Functions that are only for the program,
# heddle_program_<name>, get their real name here. Inside heddle, that name belongs to another function.
set -eu
output=$1 script=$2 ld=$3 nm=$4 objcopy=$5
shift 5
trap 'rm -f "$output.tmp" "$output.local" "$output.names"' EXIT
"$ld" -r --force-group-allocation -d -T "$script" -o "$output.tmp" --whole-archive "$@"
# The weak C++ symbols are those inline functions. The operators new and delete, which no compiler hides, are heddle's own (own_new.cc) and get
# a name of their own.
"$nm" --defined-only "$output.tmp" | awk '
  $3 ~ /^_Z[nd][wal]/ { print "heddle_own" $3; next }
  $2 ~ /^[WwVvu]$/ && $3 ~ /^_Z/ { print $3 }
  END { print "_heddle_no_such_symbol" }  # objcopy refuses an empty list' > "$output.local"
"$nm" --defined-only "$output.tmp" | awk '
  $3 ~ /^_Z[nd][wal]/ { print $3, "heddle_own" $3 }
  sub(/^heddle_program_/, "", $3) { print "heddle_program_" $3, $3 }' > "$output.names"
"$objcopy" --localize-hidden --localize-symbols="$output.local" --redefine-syms="$output.names" "$output.tmp" "$output"
