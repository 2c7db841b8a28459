// One thread's step of a history of memory.
#pragma once

#include <cstdint>

#include "memory_calls.h"
#include "memory_script.h"

namespace heddle::test {

inline uintptr_t word(const void* p) { return reinterpret_cast<uintptr_t>(p); }
inline constexpr uintptr_t kPage = 4096;

extern "C" uint32_t __tsan_atomic32_fetch_add(volatile uint32_t*, uint32_t, int);

struct Turn {
  MemoryWorld& w;
  uint32_t me;  // worker
  uint8_t position;
  uint32_t detail;

  void log(Done what, uintptr_t low, uintptr_t high, uint32_t other = 0, bool acquires = false, bool releases = false) const {
    if (w.entries < MemoryWorld::kEntries) w.entry[w.entries++] = {what, position, acquires, releases, w.worker[me].index, other, low, high};
  }
  void log(Done what, const void* at, size_t size) const { log(what, word(at), word(at) + size); }
  void pass_baton() const {
    log(Done::atomic_rmw, word(&w.baton), word(&w.baton) + sizeof w.baton, 0, true, true);
    __tsan_atomic32_fetch_add(&w.baton, 0, __ATOMIC_ACQ_REL);
  }
  void orders(Done what, uint32_t other = 0) const { log(what, uintptr_t{0}, uintptr_t{0}, other); }
  uintptr_t call(Do what, void* at, size_t size, void* other = nullptr, int order = 0) const {
    return test::call(position, what, at, other, size, order);
  }
};

void act(const Turn& turn, uint32_t what, uint32_t where, uint32_t to);
// What a thread runs; its argument is its worker.
void* work(void* worker);

}  // namespace heddle::test
