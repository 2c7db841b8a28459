#!/bin/sh
# own_calls.sh OUTPUT LD NM OBJCOPY CC INPUT LIBRARY...
#
# A program may have its own functions and variables with names that INPUT calls: `end`, `log`, `lseek`. So if INPUT calls a function of the
# LIBRARYs (C and mathematics), it gets a local stub here. The stub finds the library's function on its first call (base/libc_call.cc).
# Other undefined names must be names that no program may define, or variables from the list below. Anything else is an error.
# The C library's own names of its allocator get stubs, too: allocators such as tcmalloc define them.
set -eu
output=$1 ld=$2 nm=$3 objcopy=$4 cc=$5 input=$6
shift 6
trap 'rm -f "$output.functions" "$output.names" "$output.stubs.S" "$output.stubs.o" "$output.tmp"' EXIT

# Variables of getopt, which are read only where the library's getopt is called; and the streams, for shims that print.
variables='optarg opterr optind optopt stdin stdout stderr'

for library; do
  "$nm" -D --defined-only "$library" | awk '$2 ~ /^[TWi]$/ { sub(/@.*/, "", $3); print $3 }'
done | sort -u > "$output.functions"
# Names that begin with an underscore belong to the implementation. Names of heddle and its engines have prefixes. An undefined name of
# heddle is an error, too.
"$nm" -u "$input" | awk '
  $NF !~ /^(_|heddle_|LLVMFuzzer)/ || $NF ~ /^_ZNK?6heddle/ || $NF ~ /^__libc_(malloc|calloc|realloc|memalign|free)$/ { print $NF }' | sort -u > "$output.names"
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
