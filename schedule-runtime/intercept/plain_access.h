// What a plain access of a controlled thread means: it feeds the race detector, and is a visible operation where the input
// says so (DESIGN.md 6).
#pragma once

#include <cstddef>

#include "engine/engine.h"

namespace heddle::rt {

// After so many plain accesses without a visible operation a choice is forced, so that a plain `while (!flag);` ends
// (RUNTIME.md 4).
inline constexpr uint32_t kPlainAccessLimit = 4096;

// To be called before the access happens.
void plain_access(Thread& t, uintptr_t address, size_t size, bool write, const Place& place);

}  // namespace heddle::rt
