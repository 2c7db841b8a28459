// The allocator's functions, in front of glibc's. All are weak: a sanitizer's own allocator, which stands earlier on the link line, wins, and so
// does one that the program brings along; then nothing here is used.
//
// They may be called before anything is initialised, and by foreign threads: everything but a controlled thread goes straight to glibc.
#include <errno.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "intercept/allocator.h"
#include "intercept/memory_lifetime.h"
#include "memory/early_heap.h"
#include "memory/heap_blocks.h"
#include "memory/quarantine.h"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void* __libc_valloc(size_t size);
void* __libc_pvalloc(size_t size);
void __libc_free(void* block);
}

using namespace heddle::rt;

#define HEDDLE_ALLOCATOR extern "C" __attribute__((visibility("default"), used, weak))

namespace {

[[gnu::always_inline]] inline uintptr_t caller() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

[[gnu::always_inline]] inline void* born(void* block, size_t size, uintptr_t from) {
  if (current_thread() != nullptr) {
    block_born(block, block != nullptr ? malloc_usable_size(block) : 0, from);
    return block;
  }
  heap_blocks::given_elsewhere(block);
  if (!early_heap::captured() && of_program(from)) early_heap::allocated(block, size);
  return block;
}

// What is held back is no reason to have no memory.
template <typename Get>
[[gnu::always_inline]] inline void* obtain(Get get) {
  void* const block = get();
  if (__builtin_expect(block == nullptr, 0) && current_thread() != nullptr && quarantine().drain()) return get();
  return block;
}
[[gnu::always_inline]] inline void* obtain(size_t size) {
  return obtain([=] { return __libc_malloc(size); });
}
[[gnu::always_inline]] inline void* obtain(size_t size, size_t alignment) {
  return obtain([=] { return __libc_memalign(alignment, size); });
}

// What a thread that is alone frees is not watched after its end.
bool to_be_held(size_t size) { return !current_thread()->alone && quarantine().takes(size); }

constexpr bool power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

namespace heddle::rt {

void* allocate(size_t size, size_t alignment, uintptr_t from) {
  return born(alignment != 0 ? obtain(size, alignment) : obtain(size), size, from);
}

void release(void* block, const Place& place) {
  // No access is held against a block of a thread that is alone: so its end may be noted first, with one look at the books.
  const bool alone = current_thread()->alone;
  if (alone) block_freed(block, 0, place);
  else check_free(block, place);
  const size_t size = malloc_usable_size(block);
  if (of_program(place.pc)) block_dies(block, size, place);
  const bool keep = early_heap::keeps(block), hold = !keep && to_be_held(size);
  if (!alone) block_freed(block, size, place, hold);
  if (hold) quarantine().add(block, size);
  else if (!keep) __libc_free(block);
}

}  // namespace heddle::rt

// Under a name that nobody else has, to know whose malloc is in use.
extern "C" void* heddle_malloc(size_t size) noexcept { return born(obtain(size), size, caller()); }
HEDDLE_ALLOCATOR void* malloc(size_t size) noexcept __attribute__((alias("heddle_malloc")));

bool heddle::rt::allocator_is_ours() { return &malloc == &heddle_malloc; }

HEDDLE_ALLOCATOR void* calloc(size_t count, size_t size) noexcept {
  return born(obtain([=] { return __libc_calloc(count, size); }), count * size, caller());
}

HEDDLE_ALLOCATOR void free(void* block) noexcept {
  if (block == nullptr) return;
  if (current_thread() != nullptr) return release(block, HEDDLE_HERE);
  if (!early_heap::captured()) early_heap::freed(block);
  heap_blocks::forget(block);
  __libc_free(block);
}

HEDDLE_ALLOCATOR void* realloc(void* block, size_t size) noexcept {
  if (current_thread() == nullptr) {
    if (block != nullptr) heap_blocks::forget(block);
    if (block != nullptr && !early_heap::captured()) early_heap::freed(block);
    return born(__libc_realloc(block, size), size, caller());
  }
  if (block == nullptr) return born(obtain(size), size, caller());
  const Place here = HEDDLE_HERE;
  if (size == 0) {
    release(block, here);
    return nullptr;
  }
  check_free(block, here);
  // The old block's life ends, also where the new one lies in its place.
  if (of_program(here.pc)) {
    block_dies(block, malloc_usable_size(block), here);
    check_free(block, here);  // another thread may have had its turn
  }
  const size_t old_size = malloc_usable_size(block);
  const bool keep = early_heap::keeps(block), hold = !keep && size > old_size && to_be_held(old_size);
  void* const moved = obtain([=] { return keep || hold ? __libc_malloc(size) : __libc_realloc(block, size); });
  if (moved == nullptr) return nullptr;  // the old block lives on
  if (keep || hold) memcpy(moved, block, old_size < size ? old_size : size);
  if (moved != block) {
    block_freed(block, old_size, here, hold);
    if (hold) quarantine().add(block, old_size);
    return born(moved, size, caller());
  }
  block_grown(block, old_size, malloc_usable_size(block), caller());
  return block;
}

HEDDLE_ALLOCATOR void* memalign(size_t alignment, size_t size) noexcept {
  return born(obtain(size, alignment), size, caller());
}

HEDDLE_ALLOCATOR void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return born(obtain(size, alignment), size, caller());
}

HEDDLE_ALLOCATOR int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const block = obtain(size, alignment);
  if (block == nullptr) return ENOMEM;
  *out = born(block, size, caller());
  return 0;
}

HEDDLE_ALLOCATOR void* valloc(size_t size) noexcept { return born(obtain([=] { return __libc_valloc(size); }), size, caller()); }

HEDDLE_ALLOCATOR void* pvalloc(size_t size) noexcept { return born(obtain([=] { return __libc_pvalloc(size); }), size, caller()); }
