#!/bin/sh
# die_libfuzzer.sh CXX SOURCE_DIR WORK_DIR: die() under libFuzzer writes the artifact and exits with 77, with and without ASan.
set -eu
cxx=$1 source=$2 work=$3
here=$(cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
cd "$work"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > probe.cc
if ! "$cxx" -fsanitize=fuzzer probe.cc -o probe 2> probe.log; then
  echo "no libFuzzer for $cxx: skipped"
  exit 77
fi
for sanitizers in fuzzer fuzzer,address; do
  "$cxx" -std=c++20 -g -O1 -I"$source" -I"$source/schedule-runtime" -fsanitize="$sanitizers" \
    "$here/die_libfuzzer_target.cc" "$source/schedule-runtime/analyses/die.cc" -o target
  printf 'die' > input
  rm -f crash-*
  status=0
  ./target -runs=100000 -seed=1 input > log 2>&1 || status=$?
  [ "$status" = 77 ] || { cat log; echo "$sanitizers: exit code $status instead of 77"; exit 1; }
  # A replayed file is not written again; a fuzzed one is.
  mkdir -p corpus && cp input corpus/
  status=0
  ./target -runs=100000 -seed=1 corpus > log 2>&1 || status=$?
  [ "$status" = 77 ] || { cat log; echo "$sanitizers: exit code $status instead of 77"; exit 1; }
  cmp crash-* input || { cat log; echo "$sanitizers: no artifact"; exit 1; }
done
