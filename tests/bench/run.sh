#!/bin/sh
# Prints the figures of docs/design/measurements.md: run.sh BUILD_DIRECTORY [SECONDS]
# BUILD_DIRECTORY was configured with -DHEDDLE_BUILD_BENCH=ON; the programs are built first.
set -eu
build=${1:?usage: run.sh BUILD_DIRECTORY [SECONDS]}
cmake --build "$build" --target bench >&2
exec python3 "$(dirname "$0")/measure.py" "$build" "${2:-2}"
