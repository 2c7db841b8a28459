// ASan, if it is linked: weak references to its public interface.
//
// TSan's pass replaces atomics before ASan's pass sees them, and synchronisation goes through heddle's shims. So every shim must check
// ASan's shadow itself (docs/design/runtime-laws.md#interposition).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
__attribute__((weak)) void* __asan_region_is_poisoned(void* begin, size_t size);
__attribute__((weak)) void __asan_report_error(void* pc, void* bp, void* sp, void* address, int is_write, size_t access_size);
}

namespace heddle::rt {

// To call a function of ASan's. In the code of a target without ASan there must be no call of one: by these OSS-Fuzz tells how a target was built.
template <typename Function>
[[gnu::always_inline]] inline Function* by_address(Function* function) {
  asm("" : "+r"(function));
  return function;
}

// By what nobody else defines: AFL++'s driver has empty stand-ins for the functions that poison and ask.
inline bool asan_linked() { return &__asan_report_error != nullptr; }

// If ASan says that the memory is not accessible: prints ASan's report with the user's position, and ends the process.
inline void asan_check(const volatile void* address, size_t size, bool write, uintptr_t pc, uintptr_t frame) {
  if (!asan_linked()) return;
  void* bad = by_address(&__asan_region_is_poisoned)(const_cast<void*>(address), size);
  if (__builtin_expect(bad == nullptr, 1)) return;
  by_address(&__asan_report_error)(reinterpret_cast<void*>(pc), reinterpret_cast<void*>(frame), reinterpret_cast<void*>(frame), bad, write, size);
}

}  // namespace heddle::rt
