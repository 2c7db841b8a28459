// Functions of libc++'s library that synchronise with their own atomics. The library is not instrumented, so heddle replaces these
// functions.
//
// They are weak. If a target is linked with the library's archive, and with an object of it that contains such a function among others, the
// library's function is used. Then only its locks and waits are seen.
//
// They are defined as heddle_program_<name> and renamed when the runtime is combined (harness/link/combine.sh): in the runtime, weak C++
// names are inline functions and heddle's own.
#pragma once

#include "intercept/real.h"

#define HEDDLE_LIBCXX(result, mangled, parameters)                                     \
  HEDDLE_SHIM __attribute__((weak)) result heddle_program_##mangled parameters;        \
  result heddle_program_##mangled parameters
