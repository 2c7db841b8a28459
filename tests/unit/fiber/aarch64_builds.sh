#!/bin/sh
# Assembles and compiles the room for AArch64: aarch64_builds.sh <cross compiler> <source root>
compiler=$1 root=$2
if [ -z "$compiler" ] || ! [ -x "$compiler" ]; then
  echo "skipped: no aarch64-linux-gnu-g++ (Debian: g++-aarch64-linux-gnu)"
  exit 77
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
runtime=$root/schedule-runtime
"$compiler" -c "$runtime/fiber/switch_aarch64.S" -o "$out/switch.o" || exit 1
for symbol in heddle_fiber_switch heddle_fiber_base heddle_fiber_resume_base heddle_fiber_park; do
  if ! readelf -sW "$out/switch.o" | grep -q "FUNC.*HIDDEN.* $symbol\$"; then
    echo "the AArch64 switch lacks $symbol"
    exit 1
  fi
done
for source in "$runtime"/fiber/*.cc "$runtime/base/elf.cc"; do
  "$compiler" -std=c++20 -O1 -Wall -fno-rtti -fPIC -I"$runtime" -I"$root" -c "$source" \
    -o "$out/object.o" || exit 1
done
echo "built for AArch64"
