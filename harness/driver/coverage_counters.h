// The program's coverage counters: those in the executable. A process passes them to its parent in memory that both have. With AFL++, its own map
// is in such memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/afl.h"

extern "C" {
__attribute__((weak, visibility("hidden"))) extern uint8_t __start___sancov_cntrs[];
__attribute__((weak, visibility("hidden"))) extern uint8_t __stop___sancov_cntrs[];
}

namespace heddle::driver {

inline uint8_t* first_counter() { return __start___sancov_cntrs; }
inline size_t counter_count() { return static_cast<size_t>(__stop___sancov_cntrs - __start___sancov_cntrs); }
inline void pass_counters(uint8_t* to) {
  if (!rt::afl_linked()) std::memcpy(to, first_counter(), counter_count());
}
inline void take_counters(const uint8_t* from) {
  if (!rt::afl_linked()) std::memcpy(first_counter(), from, counter_count());
}

}  // namespace heddle::driver
