#include "memory_calls.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <utility>

#define TSAN_PLAIN(size)                            \
  void __tsan_read##size(void*);                    \
  void __tsan_write##size(void*);                   \
  void __tsan_read_write##size(void*);              \
  void __tsan_unaligned_read##size(void*);          \
  void __tsan_unaligned_write##size(void*);         \
  void __tsan_unaligned_read_write##size(void*);
#define TSAN_ATOMIC(bits, type)                                                     \
  type __tsan_atomic##bits##_load(const volatile type*, int);                       \
  void __tsan_atomic##bits##_store(volatile type*, type, int);                      \
  type __tsan_atomic##bits##_fetch_add(volatile type*, type, int);                  \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type*, type*, type, int, int);

extern "C" {
TSAN_PLAIN(1) TSAN_PLAIN(2) TSAN_PLAIN(4) TSAN_PLAIN(8) TSAN_PLAIN(16)
TSAN_ATOMIC(8, uint8_t) TSAN_ATOMIC(16, uint16_t) TSAN_ATOMIC(32, uint32_t) TSAN_ATOMIC(64, uint64_t) TSAN_ATOMIC(128, unsigned __int128)
void __tsan_read_range(void*, size_t);
void __tsan_write_range(void*, size_t);
void* __tsan_memcpy(void*, const void*, size_t);
void* __tsan_memmove(void*, const void*, size_t);
void* __tsan_memset(void*, int, size_t);
}

namespace heddle::test {
namespace {

#define BY_SIZE(name)                                                                      \
  switch (unaligned ? size + 100 : size) {                                                 \
    case 1: case 101: __tsan_##name##1(at); break;                                         \
    case 2: __tsan_##name##2(at); break;                                                   \
    case 4: __tsan_##name##4(at); break;                                                   \
    case 8: __tsan_##name##8(at); break;                                                   \
    case 16: __tsan_##name##16(at); break;                                                 \
    case 102: __tsan_unaligned_##name##2(at); break;                                       \
    case 104: __tsan_unaligned_##name##4(at); break;                                       \
    case 108: __tsan_unaligned_##name##8(at); break;                                       \
    case 116: __tsan_unaligned_##name##16(at); break;                                      \
  }                                                                                        \
  break
#define BY_BITS(name, ...)                                                                 \
  switch (size) {                                                                          \
    case 1: { using T = uint8_t; auto* a = static_cast<T*>(at); __VA_ARGS__(__tsan_atomic8_##name); break; }              \
    case 2: { using T = uint16_t; auto* a = static_cast<T*>(at); __VA_ARGS__(__tsan_atomic16_##name); break; }            \
    case 4: { using T = uint32_t; auto* a = static_cast<T*>(at); __VA_ARGS__(__tsan_atomic32_##name); break; }            \
    case 8: { using T = uint64_t; auto* a = static_cast<T*>(at); __VA_ARGS__(__tsan_atomic64_##name); break; }            \
    case 16: { using T = unsigned __int128; auto* a = static_cast<T*>(at); __VA_ARGS__(__tsan_atomic128_##name); break; } \
  }                                                                                        \
  break
#define LOAD(f) f(a, order)
#define STORE(f) f(a, T{1}, order)
#define ADD(f) f(a, T{1}, order)
// It succeeds where there is a 0.
#define CAS(f) T expected = 0; result = static_cast<uintptr_t>(f(a, &expected, T{1}, order, __ATOMIC_RELAXED))

template <int position>
[[gnu::noinline]] uintptr_t call_from(Do what, void* at, void* other, size_t size, int order) {
  const bool unaligned = size == 0 || reinterpret_cast<uintptr_t>(at) % size != 0;
  uintptr_t result = 0;
  const auto answer = [&](void* p) { result = reinterpret_cast<uintptr_t>(p); };
  switch (what) {
    case Do::read: BY_SIZE(read);
    case Do::write: BY_SIZE(write);
    case Do::read_write: BY_SIZE(read_write);
    case Do::read_range: __tsan_read_range(at, size); break;
    case Do::write_range: __tsan_write_range(at, size); break;
    case Do::copy: __tsan_memcpy(at, other, size); break;
    case Do::move: __tsan_memmove(at, other, size); break;
    case Do::set: __tsan_memset(at, 0, size); break;
    case Do::load: BY_BITS(load, LOAD);
    case Do::store: BY_BITS(store, STORE);
    case Do::add: BY_BITS(fetch_add, ADD);
    case Do::cas: BY_BITS(compare_exchange_strong, CAS);
    case Do::allocate: answer(malloc(size)); break;
    case Do::zeroed: answer(calloc(1, size)); break;
    case Do::aligned: answer(memalign(64, size)); break;
    case Do::reallocate: answer(realloc(at, size)); break;
    case Do::free: free(at); break;
    case Do::map: answer(mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)); break;
    case Do::unmap: munmap(at, size); break;
    case Do::remap: answer(mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, other)); break;
    case Do::discard: madvise(at, size, MADV_DONTNEED); break;
  }
  // No call is the last thing that is done: its return address would lie elsewhere.
  asm volatile("" : "+r"(result) : "i"(position) : "memory");
  return result;
}

using Call = uintptr_t (*)(Do, void*, void*, size_t, int);
template <int... position>
Call from(uint8_t wanted, std::integer_sequence<int, position...>) {
  static constexpr Call kCalls[] = {&call_from<position>...};
  return kCalls[wanted];
}
Call from(uint8_t wanted) { return from(wanted, std::make_integer_sequence<int, kPositions>()); }

}  // namespace

uintptr_t call(uint8_t position, Do what, void* at, void* other, size_t size, int order) {
  return from(position)(what, at, other, size, order);
}

uint8_t position_of(uintptr_t pc) {
  uintptr_t nearest = 0;
  uint8_t result = kPositions;
  for (uint8_t i = 0; i < kPositions; ++i) {
    const auto start = reinterpret_cast<uintptr_t>(from(i));
    if (start < pc && start > nearest) {
      nearest = start;
      result = i;
    }
  }
  return result;
}

}  // namespace heddle::test
