#!/bin/sh
# libfuzzer_timeout.sh <clang++> <library of the room> <its include directory> <scratch directory>
compiler=$1 library=$2 include=$3 scratch=$4
mkdir -p "$scratch" && cd "$scratch" || exit 1
source=$(dirname "$0")/libfuzzer_timeout_target.cc
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    "$compiler" -x c++ -fsanitize=fuzzer - -o probe 2>/dev/null; then
  echo "skipped: $compiler has no libFuzzer"
  exit 77
fi
"$compiler" -g -std=c++20 -fsanitize=fuzzer -I"$include" "$source" "$library" -o target || exit 1
# Debian's clang looks for the symbolizer of its own version only, which comes with another package.
symbolizer=$(command -v llvm-symbolizer-19 || command -v llvm-symbolizer)
UBSAN_OPTIONS=external_symbolizer_path=$symbolizer timeout 30 ./target -timeout=1 >log 2>&1
status=$?
if [ $status -ne 70 ]; then
  echo "exit status $status instead of libFuzzer's 70 for a timeout"
  cat log
  exit 1
fi
for expected in 'ERROR: libFuzzer: timeout' 'endless_loop_in_a_fiber' 'heddle_fiber_base'; do
  if ! grep -q "$expected" log; then
    echo "no \"$expected\" in:"
    cat log
    exit 1
  fi
done
