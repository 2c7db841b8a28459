// heddle's allocator functions, for operator new and delete. They replace glibc's (memory/malloc.cc). operator new and delete know which
// code of the program called; malloc and free would see only the C++ library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

// False if a sanitizer or the program has its own malloc. Then the other functions here must not be called.
bool allocator_is_ours();
// On a controlled thread. Null if there is no memory. `alignment` 0: the default.
void* allocate(size_t size, size_t alignment, uintptr_t caller);
// On a controlled thread.
void release(void* block, Place place);

}  // namespace heddle::rt
