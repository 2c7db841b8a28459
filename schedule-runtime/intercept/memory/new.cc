// operator new and delete as in libstdc++. They are here so that heddle knows which code of the program called: malloc and free would see
// only the library. They are weak, like the functions of memory/malloc.cc, which do the work unless the program has its own malloc.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "base/program_code.h"
#include "intercept/allocator.h"
#include "intercept/memory_lifetime.h"
#include "intercept/outer_place.h"

using namespace heddle::rt;

#define HEDDLE_NEW extern "C" __attribute__((visibility("default"), used, weak))

// In heddle::rt, so that positions in here count as the runtime's, not as the program's.
namespace heddle::rt {
namespace {

[[gnu::always_inline]] inline uintptr_t caller() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

void* get(size_t size, size_t alignment, uintptr_t from) {
  if (size == 0) size = 1;
  if (current_thread() == nullptr) return alignment != 0 ? aligned_alloc(alignment, size) : malloc(size);
  if (__builtin_expect(allocator_is_ours(), 1)) return allocate(size, alignment, from);
  void* block;
  {
    Uncontrolled guard;
    block = alignment != 0 ? aligned_alloc(alignment, size) : malloc(size);
  }
  // The usable size, not the requested one: free is a write to all of it.
  if (block != nullptr) block_born(block, malloc_usable_size(block), from);
  return block;
}

// The standard's loop: call the new-handler, finally throw bad_alloc.
void* get_or_throw(size_t size, size_t alignment, uintptr_t from) {
  for (;;) {
    if (void* block = get(size, alignment, from)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* get_or_null(size_t size, size_t alignment, uintptr_t from) noexcept {
  try {
    return get_or_throw(size, alignment, from);
  } catch (...) {
    return nullptr;
  }
}

// Uninstrumented libraries synchronise the use of their blocks in ways that heddle does not see. So there is no choice point at the end of
// such a block (`release` checks this).
void give_back(void* block, Place place) noexcept {
  if (block == nullptr) return;
  if (current_thread() == nullptr) return free(block);
  if (__builtin_expect(allocator_is_ours(), 1)) return release(block, place);
  if (!of_program(place.pc)) {
    Uncontrolled guard;
    return free(block);
  }
  OuterPlace outer(place.pc);
  free(block);
}

}  // namespace
}  // namespace heddle::rt

// `n`, `d`: the first letters of the mangled names.
#define HEDDLE_OPERATORS(n, d)                                                                                              \
  HEDDLE_NEW void* heddle_program__Zn##n##m(size_t size) { return get_or_throw(size, 0, caller()); }                        \
  HEDDLE_NEW void* heddle_program__Zn##n##mRKSt9nothrow_t(size_t size, const std::nothrow_t&) noexcept {                    \
    return get_or_null(size, 0, caller());                                                                                  \
  }                                                                                                                         \
  HEDDLE_NEW void* heddle_program__Zn##n##mSt11align_val_t(size_t size, std::align_val_t alignment) {                       \
    return get_or_throw(size, static_cast<size_t>(alignment), caller());                                                    \
  }                                                                                                                         \
  HEDDLE_NEW void* heddle_program__Zn##n##mSt11align_val_tRKSt9nothrow_t(size_t size, std::align_val_t alignment,           \
                                                                         const std::nothrow_t&) noexcept {                  \
    return get_or_null(size, static_cast<size_t>(alignment), caller());                                                     \
  }                                                                                                                         \
  HEDDLE_NEW void heddle_program__Zd##d##Pv(void* block) noexcept { give_back(block, HEDDLE_HERE); }                        \
  HEDDLE_NEW void heddle_program__Zd##d##Pvm(void* block, size_t) noexcept { give_back(block, HEDDLE_HERE); }               \
  HEDDLE_NEW void heddle_program__Zd##d##PvRKSt9nothrow_t(void* block, const std::nothrow_t&) noexcept {                    \
    give_back(block, HEDDLE_HERE);                                                                                          \
  }                                                                                                                         \
  HEDDLE_NEW void heddle_program__Zd##d##PvSt11align_val_t(void* block, std::align_val_t) noexcept {                        \
    give_back(block, HEDDLE_HERE);                                                                                          \
  }                                                                                                                         \
  HEDDLE_NEW void heddle_program__Zd##d##PvmSt11align_val_t(void* block, size_t, std::align_val_t) noexcept {               \
    give_back(block, HEDDLE_HERE);                                                                                          \
  }                                                                                                                         \
  HEDDLE_NEW void heddle_program__Zd##d##PvSt11align_val_tRKSt9nothrow_t(void* block, std::align_val_t,                     \
                                                                         const std::nothrow_t&) noexcept {                  \
    give_back(block, HEDDLE_HERE);                                                                                          \
  }

HEDDLE_OPERATORS(w, l)
HEDDLE_OPERATORS(a, a)
