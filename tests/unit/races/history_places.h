// Where histories of memory take place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace heddle::rt {

// Single bytes are accessed here only: around the bounds of words, pages and chunks of shadow, the last of them in the same place of the list of
// recent chunks as the first. What lies between two zones is accessed from end to end.
inline constexpr uintptr_t kLow = 0x1234560000;
inline constexpr struct Zone {
  uintptr_t low, size;
} kZones[] = {{kLow - 16, 40},           {kLow + 0x1000 - 16, 32},  {kLow + 0x2000 - 8, 16},
              {kLow + 0x10000 - 16, 32}, {kLow + 0x20000 - 8, 16}, {kLow + 0x80000 - 8, 24}};
inline constexpr size_t kZoneCount = std::size(kZones);
// The hot one is chosen as often as all others together.
inline const Zone& zone(uint32_t which) { return kZones[which % 2 == 0 ? 0 : which / 2 % kZoneCount]; }
inline uintptr_t place(uint32_t which) { return zone(which).low + (which >> 4) % zone(which).size; }
inline const Zone& zone_of(uintptr_t at) {
  return *std::find_if(std::begin(kZones), std::end(kZones), [at](const Zone& z) { return at - z.low < z.size; });
}
// As far as single bytes go.
inline uintptr_t end_of(uintptr_t at, size_t size) { return std::min(at + size, zone_of(at).low + zone_of(at).size); }
inline bool in_zone(uintptr_t at) {
  return std::any_of(std::begin(kZones), std::end(kZones), [at](const Zone& z) { return at - z.low < z.size; });
}
inline constexpr uintptr_t kPages[] = {kLow, kLow + 0x1000, kLow + 0x2000, kLow + 0x10000, kLow + 0x20000, kLow + 0x80000};
inline constexpr std::pair<uintptr_t, uintptr_t> kStacks[] = {{kLow + 8, kLow + 0x1000 + 8}, {kLow + 0x2000, kLow + 0x80000}};

}  // namespace heddle::rt
