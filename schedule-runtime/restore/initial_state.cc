#include "restore/initial_state.h"

#include <cstdint>

#include "base/asan.h"
#include "base/reserved_array.h"
#include "fiber/fiber.h"
#include "heap/early_heap.h"
#include "restore/large_data.h"
#include "restore/program_data.h"
#include "restore/restored_modules.h"

namespace heddle::rt {
namespace {

// Data is compared and copied in blocks. With vectors instead of memcmp, because the engine and the sanitizers intercept memcmp, and it
// does not tell where the difference is.
using Block = uint64_t __attribute__((vector_size(64)));

constinit DataRange ranges[kMaxDataRanges] = {};
constinit size_t range_count = 0;
constinit size_t total = 0;
// The data that is compared: everything that large_data.h has not taken.
struct Piece {
  unsigned char* live;
  const unsigned char* saved;
  size_t size;
};
constinit Piece pieces[2 * kMaxDataRanges] = {};
constinit size_t piece_count = 0;
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

// The barrier keeps the compiler from calling memcpy: ASan's memcpy would report the red zones between variables.
void save_range(unsigned char* saved, const unsigned char* live, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    saved[i] = live[i];
    asm volatile("" ::: "memory");
  }
}

__attribute__((always_inline)) inline size_t restore_pieces() {
  size_t changed = 0;
  for (size_t i = 0; i < piece_count; ++i) changed += restore_range(pieces[i].live, pieces[i].saved, pieces[i].size);
  return changed;
}

size_t restore_large(unsigned char* live, const unsigned char* saved, size_t size) { return restore_range(live, saved, size); }

size_t restore_all() {
  const size_t changed = restore_pieces();
  return large_data::any() ? changed + large_data::restore(restore_large) : changed;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) size_t restore_large_wide(unsigned char* live, const unsigned char* saved, size_t size) {
  return restore_range(live, saved, size);
}

__attribute__((target("avx2"))) size_t restore_all_wide() {
  const size_t changed = restore_pieces();
  return large_data::any() ? changed + large_data::restore(restore_large_wide) : changed;
}
#endif

void add_piece(unsigned char* begin, const unsigned char* end) {
  if (begin != end) pieces[piece_count++] = {begin, nullptr, static_cast<size_t>(end - begin)};
}

}  // namespace

void capture_initial_state() {
  if (captured) return;
  captured = true;
  find_restored_modules();
  range_count = find_program_data(ranges);
  for (size_t i = 0; i < range_count; ++i) total += ranges[i].size;
  if (total == 0) return;
  early_heap::Range roots[kMaxDataRanges];
  for (size_t i = 0; i < range_count; ++i) roots[i] = {ranges[i].begin, ranges[i].size};
  early_heap::capture(roots, range_count, is_put_back);
  for (size_t i = 0; i < range_count; ++i) {
    unsigned char* const begin = ranges[i].begin;
    const large_data::Part large = large_data::take(begin, ranges[i].size);
    add_piece(begin, large.size != 0 ? large.begin : begin + ranges[i].size);
    if (large.size != 0) add_piece(large.begin + large.size, begin + ranges[i].size);
  }
  size_t bytes = 0;
  for (size_t i = 0; i < piece_count; ++i) bytes += padded(pieces[i].size);
  auto* saved = static_cast<unsigned char*>(reserve_memory(bytes + 1));
  for (size_t i = 0; i < piece_count; ++i) {
    save_range(saved, pieces[i].live, pieces[i].size);
    pieces[i].saved = saved;
    saved += padded(pieces[i].size);
  }
#if defined(__x86_64__)
  __builtin_cpu_init();
  wide = __builtin_cpu_supports("avx2");
#endif
}

size_t restore_initial_state() {
  if (total == 0) return 0;
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
