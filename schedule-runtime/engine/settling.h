// After main has finished, the other threads run for so many more operations, plus four times the operations before. Their accesses to what
// main has left can be bugs. But without this limit, a thread that never ends would make every execution as long as the step bound. A service
// that polls would still take most of the time. So with most seeds it is a tenth of that.
#pragma once

#include <cstdint>

#include "schema/identity.h"

namespace heddle::rt {

inline constexpr uint32_t kSettleOperations = 20'000, kShortSettle = kSettleOperations / 10, kSeedsToSettle = 8;

// Whether executions of inputs with this seed go on for kSettleOperations.
constexpr bool settles_long(uint64_t seed) { return mix(seed, 0x5E771E) % kSeedsToSettle == 0; }

}  // namespace heddle::rt
