#!/bin/sh
# own_calls.sh OUTPUT LD NM OBJCOPY CC INPUT LIBRARY...
#
# A program may have functions and variables of its own with the names that INPUT calls: `end`, `log`, `lseek`. So what INPUT calls of the LIBRARYs (of
# C and mathematics) gets a local stub here, which finds the library's own function at its first call (base/libc_call.cc). What is left
# undefined must be a name that no program may have, or a variable from the list below: anything else is an error.
set -eu
output=$1 ld=$2 nm=$3 objcopy=$4 cc=$5 input=$6
shift 6
trap 'rm -f "$output.functions" "$output.names" "$output.stubs.S" "$output.stubs.o" "$output.tmp"' EXIT

# Of getopt, and read only where the library's getopt is called; the streams of shims that print.
variables='optarg opterr optind optopt stdin stdout stderr'

for library; do
  "$nm" -D --defined-only "$library" | awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }'
done | sort -u > "$output.functions"
# Names that begin with an underscore are the implementation's, those of heddle and its engines have prefixes. What heddle lacks of itself is an error, too.
"$nm" -u "$input" | awk '$NF !~ /^(_|heddle_|LLVMFuzzer)/ || $NF ~ /^_ZNK?6heddle/ { print $NF }' | sort -u > "$output.names"
unknown=$(comm -23 "$output.names" "$output.functions" | while read -r name; do
  case " $variables " in *" $name "*) ;; *) echo "$name" ;; esac
done)
if [ -n "$unknown" ]; then
  echo "own_calls.sh: a program may define what heddle refers to here, and it is no function of libc or libm: $(echo "$unknown" | tr '\n' ' ')" >&2
  echo "own_calls.sh: use a name that begins with an underscore (_end, __environ), a raw system call, or something else" >&2
  exit 1
fi
comm -12 "$output.names" "$output.functions" > "$output.tmp" && mv "$output.tmp" "$output.names"
if [ ! -s "$output.names" ]; then
  cp "$input" "$output"
  exit 0
fi
{
  echo '#include "libc_stub.inc"'
  sed 's/^/libc_stub /' "$output.names"
  echo '.section .note.GNU-stack, "", %progbits'
} > "$output.stubs.S"
"$cc" -c -I "$(dirname "$0")" "$output.stubs.S" -o "$output.stubs.o"
"$ld" -r -o "$output.tmp" "$input" "$output.stubs.o"
"$objcopy" --localize-symbols="$output.names" "$output.tmp" "$output"
