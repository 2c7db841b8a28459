// The allocator's functions. Controlled threads get memory from the execution heap (heap/execution_heap.h), all other threads from glibc.
// All functions are weak. A sanitizer's allocator comes earlier on the link line and replaces them, and so does the program's own
// allocator. Then nothing here is used. An allocator in a shared library comes later, and is not used.
//
// They may be called before any initialisation, and by foreign threads.
#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "base/libc_call.h"
#include "base/program_code.h"
#include "base/raw_syscall.h"
#include "heap/early_heap.h"
#include "heap/execution_heap.h"
#include "heap/heap_blocks.h"
#include "heap/quarantine.h"
#include "intercept/allocation_limit.h"
#include "intercept/allocator.h"
#include "intercept/memory_lifetime.h"
#include "restore/restored_modules.h"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);
}

using namespace heddle::rt;

#define HEDDLE_ALLOCATOR extern "C" __attribute__((visibility("default"), used, weak))

namespace {

constexpr size_t kPage = 4096, kHugePage = 1 << 21, kTable = 1 << 20, kLargestTable = 1 << 26;

[[gnu::always_inline]] inline uintptr_t caller() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

size_t usable_size_in_glibc(void* block) {
  static constinit decltype(malloc_usable_size)* function = nullptr;
  if (__builtin_expect(function == nullptr, 0)) function = reinterpret_cast<decltype(function)>(own_function_of_libc("malloc_usable_size"));
  return function(block);
}

// --- on a controlled thread -----------------------------------------------------------------------

// If memory runs out, take what the quarantine holds.
template <typename Get>
[[gnu::always_inline]] inline void* obtain(uintptr_t from, Get get) {
  const auto part = of_program(from) || is_put_back(from) ? ExecutionHeap::Part::program : ExecutionHeap::Part::library;
  HeapBlock block = get(part);
  if (__builtin_expect(!block, 0)) {
    if (quarantine().drain()) block = get(part);
    if (!block) {
      errno = ENOMEM;
      return nullptr;
    }
  }
  auto* const begin = reinterpret_cast<void*>(block.begin);
  block_born(begin, block.size, from);
  return begin;
}

// Blocks freed while the thread is alone are not watched after the free.
bool to_be_held(const void* block, size_t size) {
  return !current_thread()->alone && watched_after_free(block, size) && quarantine().takes(size);
}

// The block ends. `hold`: its memory goes to the quarantine.
void end(const HeapBlock& block, Place place, bool hold) {
  void* const begin = reinterpret_cast<void*>(block.begin);
  const Freed by = freed_here(place);
  execution_heap().ends(block, hold ? BlockState::held : BlockState::freed, by);
  no_longer_accessed(begin, block.size, by.site);
  if (hold) quarantine().add(begin, block.size);
  else execution_heap().put(block);
}

// The same for a block of glibc's.
void end(void* block, size_t size, Place place, bool hold) {
  if (!freed_once(block, place, hold)) return;
  no_longer_accessed(block, size, freed_here(place).site);
  if (hold) quarantine().add(block, size);
  else __libc_free(block);
}

void release_of_glibc(void* block, Place place) {
  if (!may_be_freed(block, place)) return;
  const size_t size = usable_size_in_glibc(block);
  if (of_program(place.pc)) block_dies(block, size, place);
  if (!early_heap::keeps(block)) end(block, size, place, to_be_held(block, size));
  else if (freed_once(block, place, false)) no_longer_accessed(block, size, freed_here(place).site);
}

void* reallocate_of_glibc(void* block, size_t size, Place place) {
  if (!may_be_freed(block, place)) return nullptr;
  const size_t old_size = usable_size_in_glibc(block);
  if (of_program(place.pc)) {
    block_dies(block, old_size, place);
    if (!may_be_freed(block, place)) return nullptr;  // another thread may have had its turn
  }
  const bool keep = early_heap::keeps(block);
  if (size <= old_size && !keep) return block;
  void* const moved = allocate(size, 0, place.pc);
  if (moved == nullptr) return nullptr;  // the old block lives on
  memcpy(moved, block, old_size < size ? old_size : size);
  if (!keep) end(block, old_size, place, to_be_held(block, old_size));
  else if (freed_once(block, place, false)) no_longer_accessed(block, old_size, freed_here(place).site);
  return moved;
}

void* reallocate(void* block, size_t size, Place place) {
  if (!execution_heap().contains(block)) return reallocate_of_glibc(block, size, place);
  HeapBlock old = block_to_end(block, place);
  if (!old) return nullptr;
  // The old block ends, even if the new one has the same address.
  if (of_program(place.pc)) {
    block_dies(block, old.size, place);
    old = block_to_end(block, place);  // another thread may have had its turn
    if (!old) return nullptr;
  }
  const size_t old_size = old.size;
  if (__builtin_expect(beyond_allocation_limit(size), 0)) report_large_allocation(place.pc, size);
  const bool hold = to_be_held(block, old_size);
  constexpr size_t kMoves = 64 << 10;  // larger ones, which may grow in small steps, must not be copied each time
  const bool moves = hold && size > old_size && old_size < kMoves;
  if (!moves && execution_heap().resize(old, size)) {
    block_grown(block, old_size, old.size);
    return block;
  }
  void* const moved = allocate(size, 0, place.pc);
  if (moved == nullptr) return nullptr;  // the old block lives on
  memcpy(moved, block, old_size < size ? old_size : size);
  end(old, place, hold);
  return moved;
}

// --- on other threads -------------------------------------------------------------------------------

// libFuzzer makes tables of many megabytes and writes to all of them: half of the time that a process takes to start, with pages of 4 KiB. So each
// begins and ends with a huge page.
[[gnu::noinline]] void* get_table(size_t size) {
  const size_t whole = (size + kHugePage - 1) & ~(kHugePage - 1);
  void* const block = __libc_memalign(kHugePage, whole);
  if (block != nullptr) raw_syscall(SYS_madvise, word(block), whole, MADV_HUGEPAGE);
  return block;
}

[[gnu::always_inline]] inline void* get_elsewhere(size_t size) {
  return __builtin_expect(size - kTable < kLargestTable - kTable, 0) ? get_table(size) : __libc_malloc(size);
}

[[gnu::always_inline]] inline void* born_elsewhere(void* block, size_t size, uintptr_t from) {
  heap_blocks::given_elsewhere(block);
  if (!early_heap::captured()) early_heap::allocated(block, size, from);
  return block;
}

// A block of the execution heap is freed by a thread that is not controlled, or between executions.
void give_back_from_outside(void* block) {
  if (!heap_blocks::admitted()) return execution_heap().put_from_outside(block);
  const HeapBlock found = execution_heap().find(block);
  if (!found || !found.record->is_live()) return;
  execution_heap().ends(found, BlockState::gone);
  execution_heap().put(found);
}

void free_elsewhere(void* block) {
  if (execution_heap().contains(block)) return give_back_from_outside(block);
  if (!early_heap::captured()) early_heap::freed(block);
  heap_blocks::forget(block);
  __libc_free(block);
}

void* reallocate_elsewhere(void* block, size_t size, uintptr_t from) {
  if (block != nullptr && execution_heap().contains(block)) {
    void* const moved = size != 0 ? born_elsewhere(get_elsewhere(size), size, from) : nullptr;
    if (size != 0 && moved == nullptr) return nullptr;
    const size_t old_size = execution_heap().find(block).size;
    if (moved != nullptr) memcpy(moved, block, old_size < size ? old_size : size);
    give_back_from_outside(block);
    return moved;
  }
  if (block != nullptr) heap_blocks::forget(block);
  if (block != nullptr && !early_heap::captured()) early_heap::freed(block);
  return born_elsewhere(__libc_realloc(block, size), size, from);
}

constexpr bool power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

// As in glibc: round up to the next power of two.
[[gnu::always_inline]] inline void* aligned(size_t alignment, size_t size, uintptr_t from) {
  if (alignment > SIZE_MAX / 2 + 1) {
    errno = EINVAL;
    return nullptr;
  }
  if (current_thread() == nullptr) return born_elsewhere(__libc_memalign(alignment, size), size, from);
  size_t whole = 2 * sizeof(void*);
  while (whole < alignment) whole *= 2;
  return allocate(size, whole, from);
}

}  // namespace

namespace heddle::rt {

void* allocate(size_t size, size_t alignment, uintptr_t from) {
  if (__builtin_expect(beyond_allocation_limit(size), 0)) report_large_allocation(from, size);
  return obtain(from, [=](ExecutionHeap::Part part) { return execution_heap().get(part, size, alignment); });
}

void release(void* block, Place place) {
  if (__builtin_expect(!execution_heap().contains(block), 0)) return release_of_glibc(block, place);
  HeapBlock old = block_to_end(block, place);
  if (!old) return;
  if (of_program(place.pc)) {
    const uint32_t steps = engine().steps();
    block_ends(block, old.size, place);
    const bool others_ran = engine().steps() != steps;
    if (others_ran && !(old = block_to_end(block, place))) return;
  }
  end(old, place, to_be_held(block, old.size));
}

}  // namespace heddle::rt

// A name that nothing else defines, to find out whose malloc is in use.
extern "C" void* heddle_malloc(size_t size) noexcept {
  if (current_thread() != nullptr) return allocate(size, 0, caller());
  return born_elsewhere(get_elsewhere(size), size, caller());
}
HEDDLE_ALLOCATOR void* malloc(size_t size) noexcept __attribute__((alias("heddle_malloc")));

bool heddle::rt::allocator_is_ours() { return &malloc == &heddle_malloc; }

HEDDLE_ALLOCATOR void* calloc(size_t count, size_t size) noexcept {
  if (current_thread() == nullptr) return born_elsewhere(__libc_calloc(count, size), count * size, caller());
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  if (__builtin_expect(beyond_allocation_limit(bytes) && bytes != SIZE_MAX, 0)) report_large_allocation(caller(), bytes);
  return obtain(caller(), [=](ExecutionHeap::Part part) { return execution_heap().get_zero(part, bytes); });
}

HEDDLE_ALLOCATOR void free(void* block) noexcept {
  if (block == nullptr) return;
  if (current_thread() != nullptr) return release(block, HEDDLE_HERE);
  free_elsewhere(block);
}

HEDDLE_ALLOCATOR void* realloc(void* block, size_t size) noexcept {
  if (current_thread() == nullptr) return reallocate_elsewhere(block, size, caller());
  if (block == nullptr) return allocate(size, 0, caller());
  if (size != 0) return reallocate(block, size, HEDDLE_HERE);
  release(block, HEDDLE_HERE);
  return nullptr;
}

HEDDLE_ALLOCATOR void* memalign(size_t alignment, size_t size) noexcept { return aligned(alignment, size, caller()); }

HEDDLE_ALLOCATOR void* aligned_alloc(size_t alignment, size_t size) noexcept { return aligned(alignment, size, caller()); }

HEDDLE_ALLOCATOR int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* const block = aligned(alignment, size, caller());
  errno = before;
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}

HEDDLE_ALLOCATOR void* valloc(size_t size) noexcept { return aligned(kPage, size, caller()); }

HEDDLE_ALLOCATOR void* pvalloc(size_t size) noexcept {
  const size_t whole = (size + kPage - 1) & ~(kPage - 1);
  return aligned(kPage, whole < size ? SIZE_MAX : whole, caller());
}

HEDDLE_ALLOCATOR size_t malloc_usable_size(void* block) noexcept {
  if (block != nullptr && execution_heap().contains(block)) return execution_heap().find(block).size;
  return usable_size_in_glibc(block);
}
