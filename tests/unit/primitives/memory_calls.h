// What a program's accesses and calls about memory look like to heddle, from several positions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::test {

enum class Do : uint8_t {
  read, write, read_write, read_range, write_range, copy, move, set, load, store, add, cas,
  allocate, zeroed, aligned, reallocate, free, map, unmap, remap, discard,
};
inline constexpr uint8_t kPositions = 64;

// `order`: of an atomic operation. The answer is the call's own, and of a compare-and-swap whether it has swapped.
uintptr_t call(uint8_t position, Do what, void* at, void* other, size_t size, int order);
// Which of them a return address belongs to.
uint8_t position_of(uintptr_t pc);

}  // namespace heddle::test
