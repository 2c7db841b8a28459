// AFL++, if it is linked: weak references to its runtime, and to what heddle links in addition.
#pragma once

#include <stdlib.h>

#include <cstdint>

extern "C" {
extern __attribute__((weak)) uint8_t* __afl_area_ptr;
extern __attribute__((weak)) uint32_t __afl_map_size;
// Adds the coverage of the run to AFL++'s map (harness/link/afl_coverage.c).
__attribute__((weak)) void heddle_afl_publish_counters(void);
__attribute__((weak)) void heddle_afl_drop_counters(void);
}

namespace heddle::rt {

inline bool afl_linked() { return &__afl_area_ptr != nullptr; }

// True if one of AFL++'s programs runs this process and gives it a map.
inline bool afl_fuzz_runs() { return afl_linked() && getenv("__AFL_SHM_ID") != nullptr; }

inline void publish_afl_counters() {
  if (&heddle_afl_publish_counters != nullptr) heddle_afl_publish_counters();
}

// Forgets the coverage of the run so far. The run is repeated, and would count everything twice. AFL++'s own compilers count directly in
// the map.
inline void drop_afl_coverage() {
  if (!afl_linked()) return;
  if (&heddle_afl_drop_counters != nullptr) heddle_afl_drop_counters();
  if (&__afl_map_size == nullptr) return;
  __builtin_memset(__afl_area_ptr, 0, __afl_map_size);
  __afl_area_ptr[0] = 1;  // afl-fuzz would think that a program with an empty map was not instrumented
}

}  // namespace heddle::rt
