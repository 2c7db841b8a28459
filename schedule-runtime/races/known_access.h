// The first check of every plain access, inlined into the compiler's callbacks: does the race detector already know this access? Most are known:
// the thread has accessed the same bytes in the same way since it last published something.
#pragma once

#include <cstddef>
#include <cstdint>

#include "races/access.h"
#include "races/granules.h"
#include "races/shadow.h"

namespace heddle::rt {

// The running thread: what every access needs to know about it.
struct RunningThread {
  uint32_t thread;
  uint64_t epoch;  // Access::epoch of its accesses
};
extern constinit RunningThread g_running;
extern constinit Granules g_granules;
inline Granules& granules() { return g_granules; }

// False: not known, or a few instructions cannot tell. Then the caller asks race_detector_knows. REQUIRES: the bytes lie within one
// granule.
[[gnu::always_inline]] inline bool known_here(uintptr_t address, size_t size, bool write) {
  uint32_t tag;
  const Granule* const g = shadow().at_hand(address, tag);
  if (__builtin_expect(g == nullptr, 0)) return false;
  const uint64_t mask = mask_of(address, size);
  // Masks out the bytes that are not asked about.
  const uint64_t word = g->word() & ~(Granule::kMask ^ mask << 32);
  if (__builtin_expect(word == Granule::simple(tag, static_cast<uint8_t>(mask)), 1)) {
    return Access::same_epoch(write ? g->cell.write : g->cell.read, g_running.epoch);
  }
  if (word != (Granule::simple(tag, static_cast<uint8_t>(mask)) | Granule::kSplit)) return false;
  const uint64_t wanted = write ? mask << 8 : mask;
  return ((g->cell.read ^ g_running.epoch) & (Access::kEpochMask | wanted)) == wanted;
}

// The same for any address. `size` is a compile-time constant.
[[gnu::always_inline]] inline bool known_access(uint32_t thread, uintptr_t address, size_t size, bool write) {
  if (__builtin_expect(g_running.thread != thread, 0)) return false;
  if (size == 16) return (address & 7) == 0 && known_here(address, 8, write) && known_here(address + 8, 8, write);
  return (size == 1 || (address & 7) + size <= 8) && known_here(address, size, write);
}

}  // namespace heddle::rt
