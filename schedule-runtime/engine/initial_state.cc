#include "engine/initial_state.h"

#include <cstdint>

#include "base/asan.h"
#include "base/reserved_array.h"
#include "engine/program_data.h"
#include "fiber/fiber.h"
#include "memory/early_heap.h"

namespace heddle::rt {
namespace {

// Compared and copied by the block. Vectors and no memcmp: the engine and the sanitizers intercept that, and it does not say
// where.
using Block = uint64_t __attribute__((vector_size(64)));

constinit DataRange ranges[kMaxDataRanges] = {};
constinit size_t range_count = 0;
constinit size_t total = 0;
constinit unsigned char* snapshot = nullptr;  // the ranges, one behind the other, each begun at a multiple of a block
constinit bool captured = false;
constinit bool wide = false;

constexpr size_t padded(size_t size) { return (size + sizeof(Block) - 1) & ~(sizeof(Block) - 1); }

__attribute__((always_inline)) inline bool restore_block(unsigned char* live, const unsigned char* saved) {
  Block now, then;
  __builtin_memcpy(&now, live, sizeof now);
  __builtin_memcpy(&then, saved, sizeof then);
  const Block different = now ^ then;
  if (__builtin_expect(__builtin_reduce_or(different) == 0, 1)) return false;
  if (asan_linked()) fiber::ignore_leaks_behind(live, sizeof now);
  __builtin_memcpy(live, &then, sizeof then);
  return true;
}

__attribute__((always_inline)) inline size_t restore_range(unsigned char* live, const unsigned char* saved,
                                                           size_t size) {
  size_t changed = 0, i = 0;
  for (; i + sizeof(Block) <= size; i += sizeof(Block)) {
    if (restore_block(live + i, saved + i)) changed += sizeof(Block);
  }
  if (asan_linked()) fiber::ignore_leaks_behind(live + i, size - i);
  for (; i < size; ++i) {
    if (live[i] == saved[i]) continue;
    live[i] = saved[i];
    ++changed;
  }
  return changed;
}

// The barrier keeps the compiler from calling memcpy: ASan's would report the red zones between variables.
void save_range(unsigned char* saved, const unsigned char* live, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    saved[i] = live[i];
    asm volatile("" ::: "memory");
  }
}

size_t restore_all() {
  size_t changed = 0;
  const unsigned char* saved = snapshot;
  for (size_t i = 0; i < range_count; ++i) {
    changed += restore_range(ranges[i].begin, saved, ranges[i].size);
    saved += padded(ranges[i].size);
  }
  return changed;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) size_t restore_all_wide() {
  size_t changed = 0;
  const unsigned char* saved = snapshot;
  for (size_t i = 0; i < range_count; ++i) {
    changed += restore_range(ranges[i].begin, saved, ranges[i].size);
    saved += padded(ranges[i].size);
  }
  return changed;
}
#endif

}  // namespace

void capture_initial_state() {
  if (captured) return;
  captured = true;
  range_count = find_program_data(ranges);
  size_t bytes = 0;
  for (size_t i = 0; i < range_count; ++i) {
    total += ranges[i].size;
    bytes += padded(ranges[i].size);
  }
  if (bytes == 0) return;
  early_heap::Range roots[kMaxDataRanges];
  for (size_t i = 0; i < range_count; ++i) roots[i] = {ranges[i].begin, ranges[i].size};
  early_heap::capture(roots, range_count);
  snapshot = static_cast<unsigned char*>(reserve_memory(bytes));
  unsigned char* saved = snapshot;
  for (size_t i = 0; i < range_count; ++i) {
    save_range(saved, ranges[i].begin, ranges[i].size);
    saved += padded(ranges[i].size);
  }
#if defined(__x86_64__)
  __builtin_cpu_init();
  wide = __builtin_cpu_supports("avx2");
#endif
}

size_t restore_initial_state() {
  if (snapshot == nullptr) return 0;
  const size_t heap = early_heap::restore(asan_linked() ? fiber::ignore_leaks_behind : nullptr);
#if defined(__x86_64__)
  if (wide) return heap + restore_all_wide();
#endif
  return heap + restore_all();
}

bool in_initial_state(const void* address) {
  for (size_t i = 0; i < range_count; ++i) {
    const auto offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(ranges[i].begin);
    if (offset < ranges[i].size) return true;
  }
  return false;
}

size_t initial_state_size() { return total + early_heap::size(); }

}  // namespace heddle::rt
