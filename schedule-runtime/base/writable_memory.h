// What the kernel says of mapped memory.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Whether all of it is there, can be read and written and not executed, and is nobody else's.
bool privately_writable(uintptr_t begin, uintptr_t end);

}  // namespace heddle::rt
