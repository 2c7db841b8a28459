// What the kernel tells about mapped memory.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Whether the whole range is mapped, readable, writable, not executable, and private.
bool privately_writable(uintptr_t begin, uintptr_t end);

}  // namespace heddle::rt
