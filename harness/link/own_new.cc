// The operators new and delete of the runtime and the mutator, local in the combined object (combine.sh): glibc's memory, and not by way of
// the program's operators (intercept/memory/new.cc).
//
// The program's belong to its tests: ASan keeps what was freed in its quarantine, so each mutation would take memory that no cache holds; and
// an allocator of the program's own would have heddle's blocks among the program's.
#include <cstddef>
#include <new>

#include "base/check.h"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);
}

namespace {

// heddle's code never catches bad_alloc.
void* existing(void* block) {
  if (__builtin_expect(block == nullptr, 0)) heddle::rt::fail("no memory");
  return block;
}

size_t least(size_t size) { return size != 0 ? size : 1; }

}  // namespace

#define HEDDLE_OPERATORS(new, delete)                                                                    \
  void* operator new(size_t size) { return existing(__libc_malloc(least(size))); }                       \
  void* operator new(size_t size, std::align_val_t alignment) {                                          \
    return existing(__libc_memalign(static_cast<size_t>(alignment), least(size)));                       \
  }                                                                                                      \
  void* operator new(size_t size, const std::nothrow_t&) noexcept { return __libc_malloc(least(size)); } \
  void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {          \
    return __libc_memalign(static_cast<size_t>(alignment), least(size));                                 \
  }                                                                                                      \
  void operator delete(void* block) noexcept { __libc_free(block); }                                     \
  void operator delete(void* block, size_t) noexcept { __libc_free(block); }                             \
  void operator delete(void* block, const std::nothrow_t&) noexcept { __libc_free(block); }              \
  void operator delete(void* block, std::align_val_t) noexcept { __libc_free(block); }                   \
  void operator delete(void* block, size_t, std::align_val_t) noexcept { __libc_free(block); }           \
  void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { __libc_free(block); }

HEDDLE_OPERATORS(new, delete)
HEDDLE_OPERATORS(new[], delete[])
