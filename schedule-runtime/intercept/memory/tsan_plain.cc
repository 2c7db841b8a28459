// The calls that the compiler makes for plain accesses with -fsanitize=thread: before each load and store, of every size.
#include <cstring>

#include "intercept/copy_parts.h"
#include "intercept/first_access.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"

using namespace heddle::rt;

namespace {

// True: a choice has stood before the access.
[[gnu::always_inline]] inline bool access(const volatile void* address, size_t size, bool write, Place place) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (passes_gate(at, size, write)) return false;
  Thread* const t = current_thread();
  return t != nullptr && !range_passes(*t, at, size, write) && rest_of_plain_access(*t, at, size, write, place);
}

[[gnu::always_inline]] inline size_t begin(void* to, const void* from, size_t size, Place here) {
  return begin_copy(to, from, [=] { return size; }, [=](size_t done, bool write) {
    return access(static_cast<const char*>(write ? to : from) + done, size - done, write, here);
  });
}

// The program's code calls these in the middle of loops, and seldom. So they keep most registers for it, and it need not save what it has there
// (harness/gate/check_accesses.cc). Calls of the usual convention are correct, too.
#define HEDDLE_KEEPS_REGISTERS __attribute__((preserve_most))

// The steps for an access that does not pass the gate. Tail calls keep the shim's return address and frame, so the shim needs no frame of
// its own.
template <size_t size, bool write, typename T>
[[gnu::noinline]] HEDDLE_KEEPS_REGISTERS void rest_of_listed(T* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  Thread& t = *current_thread();
  const Place here = HEDDLE_HERE;
  if (!passes_unlisted<size, write>(t, at, here.pc)) rest_of_plain_access(t, at, size, write, here);
}
template <size_t size, bool write, typename T>
[[gnu::noinline]] HEDDLE_KEEPS_REGISTERS void rest(T* address) {
  Thread& t = *current_thread();
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (__builtin_expect(t.plain_path == PlainPath::shared, 1) && window_goes_on(write)) {
    if (size <= 8 && (size == 1 || (at & 7) + size <= 8)) {
      if (passes<size, write>(t, at) || first_access<size, write>(t, at, HEDDLE_HERE)) return;
    } else if (range_passes(t, at, size, write) || first_access_across<size, write>(t, at, HEDDLE_HERE)) {
      return;
    }
  }
  if (__builtin_expect(t.plain_path == PlainPath::listed, 0)) [[clang::musttail]] return rest_of_listed<size, write>(address);
  rest_of_plain_access(t, at, size, write, HEDDLE_HERE);
}

template <size_t size, bool write, typename T>
[[gnu::noinline]] HEDDLE_KEEPS_REGISTERS void watched(T* address) {
  if (quick_access<size, write>(*current_thread(), reinterpret_cast<uintptr_t>(address), reinterpret_cast<uintptr_t>(__builtin_return_address(0)))) return;
  [[clang::musttail]] return rest<size, write>(address);
}

template <size_t size, bool write, typename T>
[[gnu::always_inline]] inline HEDDLE_KEEPS_REGISTERS void behind_gate(T* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (recent_accesses().contains(at, size, write)) {
    if (__builtin_expect(window_goes_on(write), 1)) return;
  } else {
    Thread* const t = current_thread();
    if (size <= 8 && __builtin_expect(t != nullptr && t->plain_path == PlainPath::shared, 1)) [[clang::musttail]] return watched<size, write>(address);
    if (__builtin_expect(t == nullptr || passes<size, write>(*t, at), 1)) return;
  }
  [[clang::musttail]] return rest<size, write>(address);
}

}  // namespace

// Code in which the gate is inline calls these for what does not pass, or if the window is over. It has counted the access
// (harness/gate/check_accesses.cc).
#define HEDDLE_BEHIND_GATE(size)                                                                                                                  \
  HEDDLE_SHIM HEDDLE_KEEPS_REGISTERS void heddle_gate_read##size(void* address) { [[clang::musttail]] return behind_gate<size, false>(address); } \
  HEDDLE_SHIM HEDDLE_KEEPS_REGISTERS void heddle_gate_write##size(void* address) { [[clang::musttail]] return behind_gate<size, true>(address); }
HEDDLE_BEHIND_GATE(1)
HEDDLE_BEHIND_GATE(2)
HEDDLE_BEHIND_GATE(4)
HEDDLE_BEHIND_GATE(8)
HEDDLE_BEHIND_GATE(16)

namespace {

// The compiler passes the position, because the call itself is elsewhere.
[[gnu::always_inline]] inline Place at(void* pc, Place here) { return {reinterpret_cast<uintptr_t>(pc), here.frame}; }

}  // namespace

#define HEDDLE_READ(name, size)                                                                      \
  HEDDLE_SHIM HEDDLE_KEEPS_REGISTERS void __tsan_##name(void* address) {                             \
    if (__builtin_expect(passes_gate(reinterpret_cast<uintptr_t>(address), size, false), 1)) return; \
    [[clang::musttail]] return heddle_gate_read##size(address);                                      \
  }
#define HEDDLE_WRITE(name, size)                                                                    \
  HEDDLE_SHIM HEDDLE_KEEPS_REGISTERS void __tsan_##name(void* address) {                            \
    if (__builtin_expect(passes_gate(reinterpret_cast<uintptr_t>(address), size, true), 1)) return; \
    [[clang::musttail]] return heddle_gate_write##size(address);                                    \
  }
#define HEDDLE_ACCESS_PC(name, size, write) \
  HEDDLE_SHIM void __tsan_##name##_pc(void* address, void* pc) { access(address, size, write, at(pc, HEDDLE_HERE)); }
// One callback for a load and a store of the same location.
#define HEDDLE_COMPOUND(name, size)               \
  HEDDLE_SHIM void __tsan_##name(void* address) { \
    const Place here = HEDDLE_HERE;               \
    access(address, size, false, here);           \
    access(address, size, true, here);            \
  }

#define HEDDLE_SIZE(size)                   \
  HEDDLE_READ(read##size, size)             \
  HEDDLE_WRITE(write##size, size)           \
  HEDDLE_ACCESS_PC(read##size, size, false) \
  HEDDLE_ACCESS_PC(write##size, size, true) \
  HEDDLE_READ(volatile_read##size, size)    \
  HEDDLE_WRITE(volatile_write##size, size)  \
  HEDDLE_COMPOUND(read_write##size, size)

#define HEDDLE_UNALIGNED(size)                       \
  HEDDLE_READ(unaligned_read##size, size)            \
  HEDDLE_WRITE(unaligned_write##size, size)          \
  HEDDLE_READ(unaligned_volatile_read##size, size)   \
  HEDDLE_WRITE(unaligned_volatile_write##size, size) \
  HEDDLE_COMPOUND(unaligned_read_write##size, size)

HEDDLE_SIZE(1)
HEDDLE_SIZE(2)
HEDDLE_SIZE(4)
HEDDLE_SIZE(8)
HEDDLE_SIZE(16)
HEDDLE_UNALIGNED(1)
HEDDLE_UNALIGNED(2)
HEDDLE_UNALIGNED(4)
HEDDLE_UNALIGNED(8)
HEDDLE_UNALIGNED(16)

HEDDLE_SHIM void __tsan_read_range(void* address, size_t size) { access(address, size, false, HEDDLE_HERE); }
HEDDLE_SHIM void __tsan_write_range(void* address, size_t size) { access(address, size, true, HEDDLE_HERE); }
HEDDLE_SHIM void __tsan_read_range_pc(void* address, size_t size, void* pc) {
  access(address, size, false, at(pc, HEDDLE_HERE));
}
HEDDLE_SHIM void __tsan_write_range_pc(void* address, size_t size, void* pc) {
  access(address, size, true, at(pc, HEDDLE_HERE));
}

// The virtual-table pointer. Constructors and destructors of a class hierarchy write it again and again, mostly with the same value. That is no access:
// other threads may call virtual functions meanwhile. But it counts as one. What new memory on a stack holds is left from earlier calls or executions,
// and must not decide where a choice is forced.
HEDDLE_SHIM void __tsan_vptr_update(void** place, void* value) {
  if (*place != value) {
    access(place, sizeof *place, true, HEDDLE_HERE);
  } else if (Thread* const t = current_thread()) {
    count_plain_access(*t, reinterpret_cast<uintptr_t>(place), true, HEDDLE_HERE);
  }
}
HEDDLE_READ(vptr_read, 8)

// These also do the work. They call the C library's function, so that ASan's checks apply.
HEDDLE_SHIM void* __tsan_memcpy(void* to, const void* from, size_t size) {
  const Place here = HEDDLE_HERE;
  const size_t first = size != 0 ? begin(to, from, size, here) : 0;
  memcpy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, size - first);
  return to;
}
HEDDLE_SHIM void* __tsan_memmove(void* to, const void* from, size_t size) {
  const Place here = HEDDLE_HERE;
  const size_t first = size != 0 ? begin(to, from, size, here) : 0;
  memmove(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, size - first);
  return to;
}
HEDDLE_SHIM void* __tsan_memset(void* to, int value, size_t size) {
  const Place here = HEDDLE_HERE;
  const size_t first = size != 0 && access(to, size, true, here) ? first_part(size) : size;
  memset(to, value, first);
  if (first == size) return to;
  access(static_cast<char*>(to) + first, size - first, true, here);
  memset(static_cast<char*>(to) + first, value, size - first);
  return to;
}
