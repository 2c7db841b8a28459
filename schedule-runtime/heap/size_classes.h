// The sizes of small blocks: multiples of 16 up to 128, then four steps for each doubling. Each class has its own runs of pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::rt::size_classes {

inline constexpr size_t kPage = 4096, kUnit = 16, kLargest = 32 << 10;
inline constexpr unsigned kCount = 40;

struct Class {
  uint32_t size;
  uint32_t blocks;      // in a run
  uint32_t pages;       // of a run
  uint32_t reciprocal;  // offset * reciprocal >> 32 equals offset / size within a run
};

constexpr uint32_t size_of(unsigned index) {
  if (index < 8) return static_cast<uint32_t>((index + 1) * kUnit);
  return (5 + (index - 8) % 4) << (5 + (index - 8) / 4);
}

constexpr std::array<Class, kCount> make() {
  std::array<Class, kCount> all = {};
  for (unsigned i = 0; i < kCount; ++i) {
    const uint32_t size = size_of(i);
    const uint32_t pages = size <= 512 ? 1 : size <= 1024 ? 2 : size <= 2048 ? 4 : size <= 4096 ? 8 : 16;
    all[i] = {size, static_cast<uint32_t>(pages * kPage / size), pages, static_cast<uint32_t>((1ull << 32) / size + 1)};
  }
  return all;
}
inline constexpr std::array<Class, kCount> kAll = make();
static_assert(kAll[kCount - 1].size == kLargest);

// The class for a size up to kLargest.
constexpr unsigned of(size_t size) {
  if (size <= 8 * kUnit) return size == 0 ? 0 : static_cast<unsigned>((size - 1) / kUnit);
  const unsigned bits = 63 - static_cast<unsigned>(__builtin_clzll(size - 1));  // at least 7
  return 8 + 4 * (bits - 7) + static_cast<unsigned>(((size - 1) >> (bits - 2)) & 3);
}

}  // namespace heddle::rt::size_classes
