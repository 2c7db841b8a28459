// The context switch: one assembly file per architecture.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::fiber {
struct Fiber;
}

#define HEDDLE_FIBER_HIDDEN __attribute__((visibility("hidden")))

extern "C" {

// Saves the callee-saved state on the current stack, and the stack's position in *from. Then continues at `to` with `thread_pointer`.
HEDDLE_FIBER_HIDDEN void heddle_fiber_switch(void** from, void* to, uintptr_t thread_pointer);

// The base frame: calls heddle_fiber_main(fiber), then heddle_fiber_finish(fiber). Its unwind
// information marks the end of the stack.
HEDDLE_FIBER_HIDDEN void heddle_fiber_base();

// Drops everything below `base` and continues after heddle_fiber_main().
[[noreturn]] HEDDLE_FIBER_HIDDEN void heddle_fiber_resume_base(heddle::fiber::Fiber* fiber,
                                                               void* base);

// The end of a donor's own activity: writes its stack pointer to *stack_pointer and 1 to *parked, wakes the thread that waits on *parked,
// and never wakes up again. Touches no stack after the first store.
[[noreturn]] HEDDLE_FIBER_HIDDEN void heddle_fiber_park(uint32_t* parked, void** stack_pointer, int leave);

// Called by the base frame.
HEDDLE_FIBER_HIDDEN void heddle_fiber_main(heddle::fiber::Fiber* fiber);
[[noreturn]] HEDDLE_FIBER_HIDDEN void heddle_fiber_finish(heddle::fiber::Fiber* fiber);

// x86-64: whether the thread pointer (FS base) is written by the instruction, now. Else the kernel is asked. See thread_pointer_trap.h.
extern HEDDLE_FIBER_HIDDEN uint8_t heddle_fiber_use_wrfsbase;
}

namespace heddle::fiber::context {

inline uintptr_t thread_pointer() {
  uintptr_t value;
#if defined(__x86_64__)
  asm volatile("mov %%fs:0, %0" : "=r"(value));
#elif defined(__aarch64__)
  asm volatile("mrs %0, tpidr_el0" : "=r"(value));
#else
#error "no context switch for this architecture"
#endif
  return value;
}

inline void set_thread_pointer(uintptr_t value) {
#if defined(__x86_64__)
  if (heddle_fiber_use_wrfsbase != 0) {
    asm volatile("wrfsbase %0" ::"r"(value) : "memory");
  } else {
    long result = 158;  // arch_prctl(ARCH_SET_FS)
    asm volatile("syscall" : "+a"(result) : "D"(0x1002L), "S"(value) : "rcx", "r11", "memory");
  }
#elif defined(__aarch64__)
  asm volatile("msr tpidr_el0, %0" ::"r"(value) : "memory");
#endif
}

// Makes a frame at the top of a fresh stack, which heddle_fiber_switch() can go to. `base` is aligned to 16 and becomes the stack pointer
// of the base frame.
inline void* prepare(void* base, Fiber* fiber) {
  auto* top = static_cast<uint64_t*>(base);
#if defined(__x86_64__)
  uint32_t mxcsr;
  uint16_t control;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(control));
  *--top = reinterpret_cast<uint64_t>(&heddle_fiber_base);
  *--top = 0;                                  // rbp: ends the chain of frame pointers
  *--top = 0;                                  // rbx
  *--top = reinterpret_cast<uint64_t>(fiber);  // r12
  for (int i = 13; i <= 15; ++i) *--top = 0;
  *--top = mxcsr | static_cast<uint64_t>(control) << 32;
#elif defined(__aarch64__)
  uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  top -= 22;  // the layout of switch_aarch64.S
  for (int i = 0; i < 22; ++i) top[i] = 0;
  top[0] = reinterpret_cast<uint64_t>(fiber);                // x19
  top[11] = reinterpret_cast<uint64_t>(&heddle_fiber_base);  // x30
  top[20] = fpcr;
#endif
  return top;
}

// The words of a saved frame, counted from its stack pointer.
#if defined(__x86_64__)
inline constexpr size_t kSavedFramePointer = 6, kSavedProgramCounter = 7, kSavedWords = 8;
#elif defined(__aarch64__)
inline constexpr size_t kSavedFramePointer = 10, kSavedProgramCounter = 11, kSavedWords = 22;
#endif

}  // namespace heddle::fiber::context
