// heddle's allocator functions, which stand in front of glibc's (memory/malloc.cc), for operator new and delete. These know which code of the
// program asked; malloc and free would see only the C++ library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

// False where a sanitizer or the program has brought its own malloc: then nothing else here may be called.
bool allocator_is_ours();
// On a controlled thread; null when there is no memory. `alignment` 0: the usual one.
void* allocate(size_t size, size_t alignment, uintptr_t caller);
// On a controlled thread.
void release(void* block, Place place);

}  // namespace heddle::rt
