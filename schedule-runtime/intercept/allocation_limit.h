// libFuzzer's limit for one allocation (-malloc_limit_mb).
//
// With ASan, libFuzzer sees each allocation itself. Without ASan, only heddle sees them. In both cases heddle checks first, to show how the
// execution came to the allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/own_failure.h"

namespace heddle::rt {

inline constinit size_t allocation_limit_mb = 0;
inline constinit size_t largest_allocation = SIZE_MAX;

inline void limit_allocations(size_t megabytes) {
  allocation_limit_mb = megabytes;
  largest_allocation = megabytes == 0 || megabytes > SIZE_MAX >> 20 ? SIZE_MAX : (megabytes << 20) - 1;
}

// As in libFuzzer, an allocation of exactly the limit is too large.
inline bool beyond_allocation_limit(size_t size) { return size > largest_allocation; }

// Called on a controlled thread. `pc` is the return address of the call; 0 if unknown. Returns if the fuzzing engine accepts the
// allocation.
inline void report_large_allocation(uintptr_t pc, size_t size) { own_failure_sink().large_allocation(pc, size, allocation_limit_mb); }

}  // namespace heddle::rt
