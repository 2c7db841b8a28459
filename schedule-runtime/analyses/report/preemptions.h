// How often a run switched away from a thread that could have gone on.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

uint32_t preemptions(const RunSummary& run);

}  // namespace heddle::rt
