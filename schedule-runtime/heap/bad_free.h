// Errors in freeing memory, or in using it afterwards. Raised at the moment of the error.
#pragma once

#include <cstdint>

#include "heap/heap_record.h"

namespace heddle::rt {

enum class BadFree : uint8_t {
  twice,
  not_heap,  // address of a variable, or not the start of a block
  read_after, written_after,  // not a free: an access to a freed block
};

struct BadFreeReport {
  BadFree what;
  uintptr_t address;
  Freed now;
  Freed first;    // but for not_heap: who freed it before
  uintptr_t block = 0;         // start of the freed block that was accessed
  const char* used = nullptr;  // what the memory was used as, such as "a mutex"; null: bytes
};

// Called before the allocator is. Null: no one.
using BadFreeSink = void (*)(const BadFreeReport&);
inline constinit BadFreeSink g_bad_free_sink = nullptr;
inline void raise_bad_free(const BadFreeReport& bad) {
  if (g_bad_free_sink != nullptr) g_bad_free_sink(bad);
}

}  // namespace heddle::rt
