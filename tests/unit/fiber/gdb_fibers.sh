#!/bin/sh
# gdb_fibers.sh <program> <heddle_gdb.py>: the script lists the fibers and leaves the program as it was.
program=$1 script=$2
if ! command -v gdb >/dev/null; then
  echo "skipped: no gdb"
  exit 77
fi
log=$(gdb -nx -q -batch -ex "source $script" -ex run -ex 'heddle fibers' -ex 'heddle bt all' -ex continue \
  "$program" 2>&1)
case $log in
  *ptrace*"not permitted"*)
    echo "skipped: no debugging here"
    exit 77
    ;;
esac
expect() {
  if ! echo "$log" | grep -Eq "$1"; then
    echo "no \"$1\" in:"
    echo "$log"
    exit 1
  fi
}
expect '^ +0 +live .*engine'
expect '^ +1 +live .*waits_here'
expect '^\* +2 +live .*running'
expect '^#3 .*waits_here'
expect '^#1 .*heddle_fiber_base'
expect '^went on'
