// AFL++, where it is linked: weak references to its runtime, and to what heddle links beside it.
#pragma once

#include <cstdint>

extern "C" {
extern __attribute__((weak)) uint8_t* __afl_area_ptr;
// Puts what the run covered into AFL++'s map (harness/link/afl_coverage.c).
__attribute__((weak)) void heddle_afl_publish_counters(void);
}

namespace heddle::rt {

inline bool afl_linked() { return &__afl_area_ptr != nullptr; }

inline void publish_afl_counters() {
  if (&heddle_afl_publish_counters != nullptr) heddle_afl_publish_counters();
}

}  // namespace heddle::rt
