// What a plain access of a controlled thread means: it feeds the race detector, and is a visible operation where the input
// says so (DESIGN.md 6).
#pragma once

#include <cstddef>

#include "engine/engine.h"

namespace heddle::rt {

// To be called before the access happens.
void plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

}  // namespace heddle::rt
