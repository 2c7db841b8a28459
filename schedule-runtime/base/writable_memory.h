// What the kernel tells about mapped memory, and changes of it.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Whether the whole range is mapped, readable, writable, not executable, and private.
bool privately_writable(uintptr_t begin, uintptr_t end);
// Makes the pages of the range readable and writable: those of a table that the linker has made read-only. False: the kernel refuses.
bool make_writable(const void* begin, const void* end);

}  // namespace heddle::rt
