// operator new as libstdc++ has it, so that the block is known to be the program's: malloc only sees the library as its caller. Weak, like the
// functions of memory_malloc.cc. operator delete ends in free, and only notes whose it was.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "intercept/memory_lifetime.h"
#include "intercept/outer_place.h"

using namespace heddle::rt;

#define HEDDLE_NEW __attribute__((visibility("default"), used, weak))

namespace {

[[gnu::always_inline]] inline uintptr_t caller() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

// Through malloc, whosever it is: operator delete will give the block to free. Ours passes it through here.
void* get(size_t size, size_t alignment) {
  if (size == 0) size = 1;
  if (current_thread() == nullptr && alignment == 0) return malloc(size);
  Uncontrolled guard;
  return alignment != 0 ? aligned_alloc(alignment, size) : malloc(size);
}

// The new-handler, then bad_alloc: the standard's loop.
void* get_or_throw(size_t size, size_t alignment) {
  for (;;) {
    if (void* block = get(size, alignment)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* get_or_null(size_t size, size_t alignment) noexcept {
  try {
    return get_or_throw(size, alignment);
  } catch (...) {
    return nullptr;
  }
}

// All that belongs to the block, asked for or not: free is a write to all of it.
[[gnu::always_inline]] inline void* born(void* block, uintptr_t from) {
  if (__builtin_expect(current_thread() != nullptr && block != nullptr, 0)) block_born(block, malloc_usable_size(block), from);
  return block;
}

}  // namespace

HEDDLE_NEW void* operator new(size_t size) { return born(get_or_throw(size, 0), caller()); }
HEDDLE_NEW void* operator new[](size_t size) { return born(get_or_throw(size, 0), caller()); }
HEDDLE_NEW void* operator new(size_t size, const std::nothrow_t&) noexcept { return born(get_or_null(size, 0), caller()); }
HEDDLE_NEW void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return born(get_or_null(size, 0), caller());
}
HEDDLE_NEW void* operator new(size_t size, std::align_val_t alignment) {
  return born(get_or_throw(size, static_cast<size_t>(alignment)), caller());
}
HEDDLE_NEW void* operator new[](size_t size, std::align_val_t alignment) {
  return born(get_or_throw(size, static_cast<size_t>(alignment)), caller());
}
HEDDLE_NEW void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return born(get_or_null(size, static_cast<size_t>(alignment)), caller());
}
HEDDLE_NEW void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return born(get_or_null(size, static_cast<size_t>(alignment)), caller());
}

// In heddle::rt, so that positions here count as the runtime's and not as the program's.
namespace heddle::rt {
namespace {

void release(void* block, uintptr_t from) noexcept {
  if (current_thread() == nullptr) return free(block);
  if (!of_program(from)) {
    Uncontrolled guard;
    return free(block);
  }
  OuterPlace place(from);
  free(block);
}

}  // namespace
}  // namespace heddle::rt

#define HEDDLE_DELETE(...) \
  HEDDLE_NEW void operator delete(void* block __VA_ARGS__) noexcept { release(block, caller()); } \
  HEDDLE_NEW void operator delete[](void* block __VA_ARGS__) noexcept { release(block, caller()); }

HEDDLE_DELETE()
HEDDLE_DELETE(, size_t)
HEDDLE_DELETE(, const std::nothrow_t&)
HEDDLE_DELETE(, std::align_val_t)
HEDDLE_DELETE(, size_t, std::align_val_t)
HEDDLE_DELETE(, std::align_val_t, const std::nothrow_t&)
