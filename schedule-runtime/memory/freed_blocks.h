// Heap blocks that controlled threads have freed in this execution and that nobody has been given again: freeing one of them once more is a
// double free, whatever the allocator would make of it.
//
// Exact, because every block that the allocator hands out passes its shims, those that libraries ask for included. Kernel threads outside of
// heddle's control cannot look here: when one of them is given a block, everything is forgotten.
//
// The race detector marks their memory (race_detector_freed), so that an access to it is a use after free, which it asks here.
#pragma once

#include <cstdint>

namespace heddle::rt::freed_blocks {

struct Freed {
  uint32_t thread;   // index
  uint32_t site;     // index
  uint32_t context;  // node
};

// A new execution: everything is forgotten.
void begin();
void remember(const void* block, const Freed& by);
// Null: it may well be live.
const Freed* find(const void* block);
// The allocator has given it to somebody: any thread, under control or not.
void reborn(const void* block);

enum class BadFree : uint8_t {
  twice,
  not_heap,  // a variable's address, or one at which no block begins
  read_after, written_after,  // not freed, but accessed when it had been
};
struct BadFreeReport {
  BadFree what;
  uintptr_t address;
  Freed now;
  Freed first;  // but for not_heap: who freed it before
  uintptr_t block = 0;  // where the freed block that was accessed began
  const char* used = nullptr;  // "a mutex": what it was used as; null: bytes
};
// Told where it happens, before the allocator is.
using Sink = void (*)(const BadFreeReport&);
void set_sink(Sink sink);
void report(const BadFreeReport& bad);

}  // namespace heddle::rt::freed_blocks
