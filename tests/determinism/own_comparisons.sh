#!/bin/sh
# own_comparisons.sh NM OBJECT: the combined runtime compares with functions of its own. The C library's are the engine's to watch: what they
# compare, libFuzzer puts into data bytes.
set -eu
seen=$("$1" -u "$2" | awk '{ print $NF }' | grep -Ex 'memcmp|bcmp|memmem|str(n?case)?(n?cmp|str)' || true)
[ -z "$seen" ] && exit 0
echo "$2 needs $seen of the C library: add it to harness/link/own_compare.c" | tr '\n' ' ' >&2
exit 1
