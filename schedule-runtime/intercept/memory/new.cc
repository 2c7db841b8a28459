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

// `n`, `d`: the first letters of the mangled names. Those that a program mostly replaces have a second name, which nothing else defines.
#define HEDDLE_REPLACED(n, d)                                                                                                            \
  extern "C" void* heddle_own_zn##n(size_t size);                                                                                        \
  extern "C" void* heddle_own_zn##n##_aligned(size_t size, std::align_val_t alignment);                                                  \
  extern "C" void heddle_own_zd##d(void* block) noexcept;                                                                                \
  extern "C" void heddle_own_zd##d##_aligned(void* block, std::align_val_t alignment) noexcept;                                          \
  HEDDLE_NEW void* heddle_program__Zn##n##m(size_t size) __attribute__((alias("heddle_own_zn" #n)));                                     \
  HEDDLE_NEW void* heddle_program__Zn##n##mSt11align_val_t(size_t, std::align_val_t) __attribute__((alias("heddle_own_zn" #n "_aligned"))); \
  HEDDLE_NEW void heddle_program__Zd##d##Pv(void* block) noexcept __attribute__((alias("heddle_own_zd" #d)));                            \
  HEDDLE_NEW void heddle_program__Zd##d##PvSt11align_val_t(void*, std::align_val_t) noexcept __attribute__((alias("heddle_own_zd" #d "_aligned")));

HEDDLE_REPLACED(w, l)
HEDDLE_REPLACED(a, a)

// As in the C++ library: the others come to what the program has replaced, those for arrays also to those for single objects.
#define HEDDLE_IF_REPLACED(symbol, own, ...) \
  if (__builtin_expect(&heddle_program_##symbol != &heddle_own_##own, 0)) return heddle_program_##symbol(__VA_ARGS__)
#define HEDDLE_NO_FORWARD(...)

namespace {

template <typename Get>
void* or_null(Get get) noexcept {
  try {
    return get();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

// `to_single`: HEDDLE_IF_REPLACED for arrays.
#define HEDDLE_OPERATORS(n, d, to_single)                                                                                                \
  void* heddle_own_zn##n(size_t size) {                                                                                                  \
    to_single(_Znwm, znw, size);                                                                                                         \
    return get_or_throw(size, 0, caller());                                                                                              \
  }                                                                                                                                      \
  void* heddle_own_zn##n##_aligned(size_t size, std::align_val_t alignment) {                                                            \
    to_single(_ZnwmSt11align_val_t, znw_aligned, size, alignment);                                                                       \
    return get_or_throw(size, static_cast<size_t>(alignment), caller());                                                                 \
  }                                                                                                                                      \
  HEDDLE_NEW void* heddle_program__Zn##n##mRKSt9nothrow_t(size_t size, const std::nothrow_t&) noexcept {                                 \
    const uintptr_t from = caller();                                                                                                     \
    return or_null([=]() -> void* {                                                                                                      \
      HEDDLE_IF_REPLACED(_Zn##n##m, zn##n, size);                                                                                        \
      to_single(_Znwm, znw, size);                                                                                                       \
      return get_or_throw(size, 0, from);                                                                                                \
    });                                                                                                                                  \
  }                                                                                                                                      \
  HEDDLE_NEW void* heddle_program__Zn##n##mSt11align_val_tRKSt9nothrow_t(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept { \
    const uintptr_t from = caller();                                                                                                     \
    return or_null([=]() -> void* {                                                                                                      \
      HEDDLE_IF_REPLACED(_Zn##n##mSt11align_val_t, zn##n##_aligned, size, alignment);                                                    \
      to_single(_ZnwmSt11align_val_t, znw_aligned, size, alignment);                                                                     \
      return get_or_throw(size, static_cast<size_t>(alignment), from);                                                                   \
    });                                                                                                                                  \
  }                                                                                                                                      \
  void heddle_own_zd##d(void* block) noexcept {                                                                                          \
    to_single(_ZdlPv, zdl, block);                                                                                                       \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }                                                                                                                                      \
  void heddle_own_zd##d##_aligned(void* block, [[maybe_unused]] std::align_val_t alignment) noexcept {                                                    \
    to_single(_ZdlPvSt11align_val_t, zdl_aligned, block, alignment);                                                                     \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }                                                                                                                                      \
  HEDDLE_NEW void heddle_program__Zd##d##Pvm(void* block, size_t) noexcept {                                                             \
    HEDDLE_IF_REPLACED(_Zd##d##Pv, zd##d, block);                                                                                        \
    to_single(_ZdlPv, zdl, block);                                                                                                       \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }                                                                                                                                      \
  HEDDLE_NEW void heddle_program__Zd##d##PvRKSt9nothrow_t(void* block, const std::nothrow_t&) noexcept {                                 \
    HEDDLE_IF_REPLACED(_Zd##d##Pv, zd##d, block);                                                                                        \
    to_single(_ZdlPv, zdl, block);                                                                                                       \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }                                                                                                                                      \
  HEDDLE_NEW void heddle_program__Zd##d##PvmSt11align_val_t(void* block, size_t, std::align_val_t alignment) noexcept {                  \
    HEDDLE_IF_REPLACED(_Zd##d##PvSt11align_val_t, zd##d##_aligned, block, alignment);                                                    \
    to_single(_ZdlPvSt11align_val_t, zdl_aligned, block, alignment);                                                                     \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }                                                                                                                                      \
  HEDDLE_NEW void heddle_program__Zd##d##PvSt11align_val_tRKSt9nothrow_t(void* block, std::align_val_t alignment, const std::nothrow_t&) noexcept { \
    HEDDLE_IF_REPLACED(_Zd##d##PvSt11align_val_t, zd##d##_aligned, block, alignment);                                                    \
    to_single(_ZdlPvSt11align_val_t, zdl_aligned, block, alignment);                                                                     \
    give_back(block, HEDDLE_HERE);                                                                                                       \
  }

HEDDLE_OPERATORS(w, l, HEDDLE_NO_FORWARD)
HEDDLE_OPERATORS(a, a, HEDDLE_IF_REPLACED)
