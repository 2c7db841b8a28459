// The program's coverage counters: those in the executable.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
__attribute__((weak, visibility("hidden"))) extern uint8_t __start___sancov_cntrs[];
__attribute__((weak, visibility("hidden"))) extern uint8_t __stop___sancov_cntrs[];
}

namespace heddle::driver {

inline uint8_t* first_counter() { return __start___sancov_cntrs; }
inline size_t counter_count() { return static_cast<size_t>(__stop___sancov_cntrs - __start___sancov_cntrs); }

}  // namespace heddle::driver
