/* Stands in front of the compiler's header of this name, which <x86intrin.h> and <immintrin.h> include. There, clang has __rdtsc as a built-in function that
   is no macro's (heddle/detail/time_stamp_calls.h). A source without these headers may have a function of its own with that name. */
#pragma once
#include_next <ia32intrin.h>
#if defined(HEDDLE_DETAIL_TIME_STAMP_CALLS_H_) && defined(__clang__) && defined(__x86_64__) && !defined(__ILP32__)
#pragma GCC system_header
#undef __rdtsc
#define __rdtsc() heddle_detail_time_stamp()
#endif
