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

// Those that a program mostly replaces have a second name, which nothing else defines.
extern "C" {
void* heddle_own_new(size_t size);
void* heddle_own_new_aligned(size_t size, std::align_val_t alignment);
void heddle_own_delete(void* block) noexcept;
void heddle_own_delete_aligned(void* block, std::align_val_t alignment) noexcept;
void* heddle_own_array_new(size_t size);
void* heddle_own_array_new_aligned(size_t size, std::align_val_t alignment);
void heddle_own_array_delete(void* block) noexcept;
void heddle_own_array_delete_aligned(void* block, std::align_val_t alignment) noexcept;
}
HEDDLE_NEW void* heddle_program__Znwm(size_t) __attribute__((alias("heddle_own_new")));
HEDDLE_NEW void* heddle_program__ZnwmSt11align_val_t(size_t, std::align_val_t) __attribute__((alias("heddle_own_new_aligned")));
HEDDLE_NEW void heddle_program__ZdlPv(void*) noexcept __attribute__((alias("heddle_own_delete")));
HEDDLE_NEW void heddle_program__ZdlPvSt11align_val_t(void*, std::align_val_t) noexcept __attribute__((alias("heddle_own_delete_aligned")));
HEDDLE_NEW void* heddle_program__Znam(size_t) __attribute__((alias("heddle_own_array_new")));
HEDDLE_NEW void* heddle_program__ZnamSt11align_val_t(size_t, std::align_val_t) __attribute__((alias("heddle_own_array_new_aligned")));
HEDDLE_NEW void heddle_program__ZdaPv(void*) noexcept __attribute__((alias("heddle_own_array_delete")));
HEDDLE_NEW void heddle_program__ZdaPvSt11align_val_t(void*, std::align_val_t) noexcept __attribute__((alias("heddle_own_array_delete_aligned")));

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

// As in the C++ library: the other forms come to what the program has replaced, those for arrays also to those for single objects. Null: nothing.
template <typename F>
[[gnu::always_inline]] inline F* theirs(bool array, F* of_arrays, F* own_of_arrays, F* single, F* own_single) {
  if (array && __builtin_expect(of_arrays != own_of_arrays, 0)) return of_arrays;
  return __builtin_expect(single != own_single, 0) ? single : nullptr;
}

[[gnu::always_inline]] inline void* new_block(bool array, size_t size, uintptr_t from) {
  if (auto* const f = theirs(array, &heddle_program__Znam, &heddle_own_array_new, &heddle_program__Znwm, &heddle_own_new)) return f(size);
  return get_or_throw(size, 0, from);
}

[[gnu::always_inline]] inline void* new_block(bool array, size_t size, std::align_val_t alignment, uintptr_t from) {
  if (auto* const f = theirs(array, &heddle_program__ZnamSt11align_val_t, &heddle_own_array_new_aligned, &heddle_program__ZnwmSt11align_val_t,
                             &heddle_own_new_aligned))
    return f(size, alignment);
  return get_or_throw(size, static_cast<size_t>(alignment), from);
}

template <typename... Arguments>
void* or_null(Arguments... arguments) noexcept {
  try {
    return new_block(arguments...);
  } catch (...) {
    return nullptr;
  }
}

[[gnu::always_inline]] inline void end_block(bool array, void* block, Place place) {
  if (auto* const f = theirs(array, &heddle_program__ZdaPv, &heddle_own_array_delete, &heddle_program__ZdlPv, &heddle_own_delete)) return f(block);
  give_back(block, place);
}

[[gnu::always_inline]] inline void end_block(bool array, void* block, std::align_val_t alignment, Place place) {
  if (auto* const f = theirs(array, &heddle_program__ZdaPvSt11align_val_t, &heddle_own_array_delete_aligned, &heddle_program__ZdlPvSt11align_val_t,
                             &heddle_own_delete_aligned))
    return f(block, alignment);
  give_back(block, place);
}

}  // namespace
}  // namespace heddle::rt

// `n`, `d`: the first letters of the mangled names.
#define HEDDLE_OPERATORS(n, d, own, array)                                                                                                      \
  void* heddle_own_##own##new(size_t size) { return new_block(array, size, caller()); }                                                         \
  void* heddle_own_##own##new_aligned(size_t size, std::align_val_t alignment) { return new_block(array, size, alignment, caller()); }          \
  HEDDLE_NEW void* heddle_program__Zn##n##mRKSt9nothrow_t(size_t size, const std::nothrow_t&) noexcept { return or_null(array, size, caller()); } \
  HEDDLE_NEW void* heddle_program__Zn##n##mSt11align_val_tRKSt9nothrow_t(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { \
    return or_null(array, size, alignment, caller());                                                                                           \
  }                                                                                                                                             \
  void heddle_own_##own##delete(void* block) noexcept { end_block(array, block, HEDDLE_HERE); }                                                 \
  void heddle_own_##own##delete_aligned(void* block, std::align_val_t alignment) noexcept { end_block(array, block, alignment, HEDDLE_HERE); }  \
  HEDDLE_NEW void heddle_program__Zd##d##Pvm(void* block, size_t) noexcept { end_block(array, block, HEDDLE_HERE); }                            \
  HEDDLE_NEW void heddle_program__Zd##d##PvRKSt9nothrow_t(void* block, const std::nothrow_t&) noexcept { end_block(array, block, HEDDLE_HERE); } \
  HEDDLE_NEW void heddle_program__Zd##d##PvmSt11align_val_t(void* block, size_t, std::align_val_t alignment) noexcept {                         \
    end_block(array, block, alignment, HEDDLE_HERE);                                                                                            \
  }                                                                                                                                             \
  HEDDLE_NEW void heddle_program__Zd##d##PvSt11align_val_tRKSt9nothrow_t(void* block, std::align_val_t alignment, const std::nothrow_t&) noexcept { \
    end_block(array, block, alignment, HEDDLE_HERE);                                                                                            \
  }

HEDDLE_OPERATORS(w, l, , false)
HEDDLE_OPERATORS(a, a, array_, true)
