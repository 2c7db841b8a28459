// Functions of libc++'s library that synchronise by atomics of its own, which nobody sees since it is not instrumented: heddle has them itself. Weak: in a target that is
// linked with the library's archive, and with a part of it that has such a function beside others, that one is taken, and only its locks and waits are seen.
//
// Defined as heddle_program_<name>, and renamed when the runtime is combined (harness/link/combine.sh): in there weak C++ names are inline functions, and heddle's own.
#pragma once

#include "intercept/real.h"

#define HEDDLE_LIBCXX(result, mangled, parameters)                                     \
  HEDDLE_SHIM __attribute__((weak)) result heddle_program_##mangled parameters;        \
  result heddle_program_##mangled parameters
