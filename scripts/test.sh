#!/bin/sh
# Builds heddle and runs its tests. On Debian 12 it first installs missing packages, and says so.
#
#   scripts/test.sh [--asan] [CTEST-OPTION...]     such as -R codec
#
# The build tree is build/; with --asan, which tests heddle's own code under ASan and UBSan, build-asan/.
set -eu
script=test.sh
cd "$(dirname -- "$0")/.."
. scripts/packages.sh

preset=default
if [ "${1:-}" = --asan ]; then
  preset=asan
  shift
fi
# shellcheck disable=SC2086
require_packages "$script" $build_packages $test_packages
echo "$script: building (preset $preset)"
cmake --preset "$preset" -DHEDDLE_BUILD_TESTS=ON > /dev/null || fail "cmake could not configure; see above"
cmake --build --preset "$preset" || fail "the build failed; see above"
build=build
[ "$preset" = default ] || build=build-$preset
echo "$script: running the tests"
# One more at once than there are processors: some tests wait.
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 300 -j "$(($(nproc) + 1))" "$@" || fail "tests failed; see above"
