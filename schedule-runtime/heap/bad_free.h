// What is wrong about giving memory back, or about using it afterwards: told where it happens.
#pragma once

#include <cstdint>

#include "heap/heap_record.h"

namespace heddle::rt {

enum class BadFree : uint8_t {
  twice,
  not_heap,  // a variable's address, or one at which no block begins
  read_after, written_after,  // not freed, but accessed when it had been
};

struct BadFreeReport {
  BadFree what;
  uintptr_t address;
  Freed now;
  Freed first;    // but for not_heap: who freed it before
  uintptr_t block = 0;         // where the freed block that was accessed began
  const char* used = nullptr;  // "a mutex": what it was used as; null: bytes
};

// Told before the allocator is. Null: nobody.
using BadFreeSink = void (*)(const BadFreeReport&);
inline constinit BadFreeSink g_bad_free_sink = nullptr;
inline void raise_bad_free(const BadFreeReport& bad) {
  if (g_bad_free_sink != nullptr) g_bad_free_sink(bad);
}

}  // namespace heddle::rt
