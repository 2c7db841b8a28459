// System calls that no shim sees. heddle interposes syscall() and much of libc. So if the runtime used these on a controlled thread, even a
// harmless futex or open of its own would become an operation of the target.
#pragma once

#include <errno.h>

#include <cstdint>

namespace heddle::rt {

// Returns the kernel's result: -errno on failure. Does not change errno.
inline long raw_syscall(long number, uintptr_t a = 0, uintptr_t b = 0, uintptr_t c = 0,
                        uintptr_t d = 0, uintptr_t e = 0, uintptr_t f = 0) {
#if defined(__x86_64__)
  long result = number;
  register uintptr_t r10 asm("r10") = d;
  register uintptr_t r8 asm("r8") = e;
  register uintptr_t r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 asm("x8") = number;
  register uintptr_t x0 asm("x0") = a;
  register uintptr_t x1 asm("x1") = b;
  register uintptr_t x2 asm("x2") = c;
  register uintptr_t x3 asm("x3") = d;
  register uintptr_t x4 asm("x4") = e;
  register uintptr_t x5 asm("x5") = f;
  asm volatile("svc #0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory");
  return static_cast<long>(x0);
#else
#error "no system calls for this architecture"
#endif
}

template <typename T>
uintptr_t word(T* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}
// Converts a descriptor or flags.
inline uintptr_t word(int value) { return static_cast<unsigned>(value); }

// Converts the kernel's result to libc's form.
inline long through_errno(long result) {
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace heddle::rt
