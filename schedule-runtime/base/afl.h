// AFL++, where it is linked: weak references to its runtime, and to what heddle links beside it.
#pragma once

#include <stdlib.h>

#include <cstdint>

extern "C" {
extern __attribute__((weak)) uint8_t* __afl_area_ptr;
extern __attribute__((weak)) uint32_t __afl_map_size;
// Puts what the run covered into AFL++'s map (harness/link/afl_coverage.c).
__attribute__((weak)) void heddle_afl_publish_counters(void);
__attribute__((weak)) void heddle_afl_drop_counters(void);
}

namespace heddle::rt {

inline bool afl_linked() { return &__afl_area_ptr != nullptr; }

// One of AFL++'s programs runs this one, and gives it a map.
inline bool afl_fuzz_runs() { return afl_linked() && getenv("__AFL_SHM_ID") != nullptr; }

inline void publish_afl_counters() {
  if (&heddle_afl_publish_counters != nullptr) heddle_afl_publish_counters();
}

// What the run covered so far is forgotten: it is made again, and would have covered everything twice. AFL++'s own compilers count in the map itself.
inline void drop_afl_coverage() {
  if (!afl_linked()) return;
  if (&heddle_afl_drop_counters != nullptr) heddle_afl_drop_counters();
  if (&__afl_map_size == nullptr) return;
  __builtin_memset(__afl_area_ptr, 0, __afl_map_size);
  __afl_area_ptr[0] = 1;  // afl-fuzz takes an empty map for a program that was not instrumented
}

}  // namespace heddle::rt
