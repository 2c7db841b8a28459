#!/bin/sh
# weaken.sh INPUT OUTPUT NM OBJCOPY SANITIZER LIBRARY...
#
# A program may have functions and variables of its own with names that the LIBRARYs define (index, warn, strsep, ...), as it may where it is
# linked with these alone: so what INPUT defines of their names becomes weak. Not what the runtime SANITIZER defines weakly, too: it stands
# before us on the link line, and would be taken instead; nor what the runtimes of other versions of the compiler (14 to 22) do.
#
# heddle's own calls go to heddle's own functions all the same: each is in OUTPUT twice, as a local symbol, by which INPUT knows it, and as the
# one that others see.
set -eu
input=$1 output=$2 nm=$3 objcopy=$4 sanitizer=$5
shift 5
trap 'rm -f "$output.names" "$output.own" "$output.twins" "$output.tmp" "$output.local"' EXIT
others='pthread_mutex_lock pthread_mutex_unlock timer_create timespec_get wcscpy wcsncpy'
{
  # shellcheck disable=SC2086
  printf -- '- %s\n' $others
  "$nm" --defined-only "$sanitizer" 2> /dev/null | awk '$2 == "W" { print "-", $3 }'
  for library; do "$nm" -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print "+", $3 }'; done
} | awk '
  $1 == "-" { stays[$2] = 1 }
  $1 == "+" && !($2 in stays) { print $2 }' > "$output.names"
[ -s "$output.names" ] || { echo "weaken.sh: no names in $*" >&2; exit 1; }
# malloc and its kin, which are weak in INPUT, give way to the program's for heddle, too: there is one allocator (intercept/memory/malloc.cc).
"$nm" -g --defined-only "$input" | awk '
  ($2 == "T" && $3 !~ /^(_|heddle_|LLVMFuzzer)/) || ($2 == "W" && $3 ~ /^_Z(n[wa]|d[la])/) {
    print $3 > own
    print "--add-symbol " $3 "=.text:0x" $1 ",function," ($2 == "W" ? "weak" : "global") > twins
  }' own="$output.own" twins="$output.twins"
"$objcopy" --localize-symbols="$output.own" "$input" "$output.local"
"$objcopy" "@$output.twins" "$output.local" "$output.tmp"
"$objcopy" --weaken-symbols="$output.names" "$output.tmp"
mv "$output.tmp" "$output"
