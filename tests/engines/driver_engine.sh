#!/bin/sh
# driver_engine.sh WRAPPERS PROGRAMS WORK: with the libFuzzer that the compiler's driver links, and its interceptors, comparisons are still heddle's:
# accesses of the program's, and known to the mutator.
set -eu
wrappers=$1 programs=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
for sanitizers in fuzzer fuzzer,address; do
  "$wrappers/heddle-clang" -fsanitize=$sanitizers -UNDEBUG "$programs/fail/library/torn_key.c" -o torn_key
  "$wrappers/heddle-clang++" -fsanitize=$sanitizers -UNDEBUG -std=c++20 "$programs/fail/payload/keyword.cc" -o keyword
  for target in torn_key keyword; do
    if ./$target -seed=1 -runs=3000 2> log || ! grep -q 'SUMMARY: HeddleSanitizer: assertion-failure' log; then
      echo "$target with -fsanitize=$sanitizers has not found its bug:"
      tail -5 log
      exit 1
    fi
  done
done
