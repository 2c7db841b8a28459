/* A runtime that a compiler puts behind everything else. Its variables are its own: nobody puts them back. */
#include "shared.h"

int __sanitizer_appended = 61;
int __afl_appended;
/* gcov's counters are among the variables of the program's own units. */
int __llvm_gcov_ctr_appended, __gcov0_appended;
static int rounds = 71;
static int zero_rounds;
void heddle_test_bump_runtime(void) { ++__sanitizer_appended, ++__afl_appended, ++__llvm_gcov_ctr_appended, ++__gcov0_appended, ++rounds, ++zero_rounds; }
int heddle_test_runtime(void) { return __sanitizer_appended - 61 + __afl_appended + __llvm_gcov_ctr_appended + __gcov0_appended + rounds - 71 + zero_rounds; }
