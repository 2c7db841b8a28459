#!/bin/sh
# Fuzzes the example, a bounded queue whose bug needs a schedule, until the bug is found. Then replays the saved input and shows that the
# run is the same each time. First installs missing packages on Debian 12, and says so.
#
#   scripts/demo.sh
set -eu
script=demo.sh
cd "$(dirname -- "$0")/.."
. scripts/packages.sh

# shellcheck disable=SC2086
require_packages "$script" $build_packages
echo "$script: building into build/"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
configure() {
  cmake --preset default "$@" > "$log" 2>&1 || {
    cat "$log" >&2
    fail "cmake could not configure; see above"
  }
}
# If the build tree has the tests, it keeps them. AFL++ may have been installed since.
[ -f build/CMakeCache.txt ] || configure -DHEDDLE_BUILD_TESTS=OFF
afl_found() { grep -q '^HEDDLE_AFL_DIR:[A-Z]*=/' build/CMakeCache.txt; }
! command -v afl-fuzz > /dev/null || afl_found || configure
targets='bounded_queue_fuzz heddle_command'
afl=
if afl_found && grep -q '^HEDDLE_AFL_TARGETS:[A-Z]*=ON' build/CMakeCache.txt; then
  afl=1
  targets="$targets bounded_queue_afl heddle_afl"
fi
# shellcheck disable=SC2086
cmake --build build --target $targets > "$log" 2>&1 || {
  tail -n 40 "$log" >&2
  fail "the build failed; see above"
}

out=out/demo
rm -rf "$out"
mkdir -p "$out/corpus"
target=build/examples/bounded_queue_fuzz
echo
echo "\$ $target -max_total_time=120 corpora/bounded_queue"
status=0
"$target" -max_total_time=120 -artifact_prefix="$out/" "$out/corpus" corpora/bounded_queue 2> "$out/fuzz.log" || status=$?
[ "$status" != 0 ] || fail "no finding within 120 seconds; the log is $out/fuzz.log"
set -- "$out"/crash-*
[ -f "$1" ] || {
  tail -n 20 "$out/fuzz.log" >&2
  fail "the target ended with exit code $status and saved no input; the log is $out/fuzz.log"
}
crash=$1
grep -E '^heddle: |^#[0-9]+.*(INITED|DONE)' "$out/fuzz.log" | head -n 3 || true
echo
echo "Found. The report, from a replay of the saved input:"
echo "\$ $target $crash"
"$target" "$crash" > "$out/replay.log" 2>&1 && fail "the saved input did not reproduce the finding; the log is $out/replay.log"
sed -n '/==[0-9]*==ERROR/,/^SUMMARY/p' "$out/replay.log"
echo
echo "\$ build/bin/heddle replay $target $crash"
status=0
build/bin/heddle replay "$target" "$crash" || status=$?
[ "$status" = 1 ] || fail "heddle replay ended with exit code $status, expected 1 (a finding)"
echo
echo "\$ build/bin/heddle show --target $target $crash"
build/bin/heddle show --target "$target" "$crash"
echo
if [ -n "$afl" ]; then
  echo "The same with AFL++: build/bin/heddle fuzz --engine=afl -i corpora/bounded_queue -o out/afl build/examples/bounded_queue_afl"
else
  echo "To try AFL++ too: apt-get install afl++, then run this script again"
fi
