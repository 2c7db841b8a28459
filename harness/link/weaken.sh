#!/bin/sh
# weaken.sh INPUT OUTPUT NM OBJCOPY SANITIZER LIBRARY...
#
# A program may have its own functions and variables with names that the LIBRARYs define (index, warn, strsep, ...). When it is linked with
# these only, that works. So INPUT's definitions of these names become weak. Exceptions: names that the runtime SANITIZER defines weakly,
# because it comes earlier on the link line and would be used instead; and names that the runtimes of other compiler versions (14 to 22)
# define.
#
# heddle's own calls still go to heddle's own functions. For this, each function is in OUTPUT twice: as a local symbol, which INPUT uses,
# and as the one that other code sees.
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
# malloc and similar functions are weak in INPUT. If the program has its own, the C functions of heddle use them, too: what the C library allocates,
# others free (intercept/memory/malloc.cc).
"$nm" -g --defined-only "$input" | awk '
  $2 == "T" && $3 !~ /^(_|heddle_|LLVMFuzzer)/ {
    print $3 > own
    print "--add-symbol " $3 "=.text:0x" $1 ",function,global" > twins
  }' own="$output.own" twins="$output.twins"
"$objcopy" --localize-symbols="$output.own" "$input" "$output.local"
"$objcopy" "@$output.twins" "$output.local" "$output.tmp"
"$objcopy" --weaken-symbols="$output.names" "$output.tmp"
mv "$output.tmp" "$output"
