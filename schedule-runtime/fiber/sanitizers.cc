#include "fiber/sanitizers.h"

#include <cstdint>

#include "base/asan.h"
#include "fiber/context.h"
#include "fiber/thread_exit.h"
#include "fiber/thread_locals.h"
#include "fiber/thread_pointer_trap.h"

extern "C" {
void __asan_unpoison_memory_region(const volatile void*, size_t) __attribute__((weak));
void* __asan_get_current_fake_stack() __attribute__((weak));
void* __asan_addr_is_in_fake_stack(void*, void*, void**, void**) __attribute__((weak));
void __asan_get_shadow_mapping(size_t*, size_t*) __attribute__((weak));
void __asan_handle_no_return() __attribute__((weak));
void __lsan_ignore_object(const void*) __attribute__((weak));
void __lsan_register_root_region(const void*, size_t) __attribute__((weak));
}

namespace heddle::fiber::sanitizers {

namespace {

// Larger than any fake stack of ASan. The fake stack begins at the pointer that ASan returns.
constexpr uintptr_t kFakeStackReach = 1ull << 28;
constexpr unsigned char kUseAfterReturn = 0xF5;  // ASan's own mark

// ASan finds the fake stack by the thread pointer. Not inlined, so that a value computed under one thread pointer is not used under the
// other.
__attribute__((noinline)) void ask_for_fake_stack(Fiber* fiber) {
  const KernelKnows known;
  const uintptr_t own = context::thread_pointer();
  context::set_thread_pointer(fiber->thread_pointer);
  fiber->fake_stack = rt::by_address(&__asan_get_current_fake_stack)();
  context::set_thread_pointer(own);
}

void* fake_stack_of(Fiber* fiber) {
  if (fiber->fake_stack == nullptr && fiber->state != State::kFinished) ask_for_fake_stack(fiber);
  return fiber->fake_stack;
}

// Does what clang's code at the end of a function does: sets the shadow to "after return", and sets the flag, whose address is in the
// frame's last word, to 0.
void retire_frame(void* begin, void* end) {
  size_t scale = 0, offset = 0;
  rt::by_address(&__asan_get_shadow_mapping)(&scale, &offset);
  const auto first = reinterpret_cast<uintptr_t>(begin), last = reinterpret_cast<uintptr_t>(end);
  **reinterpret_cast<unsigned char**>(last - sizeof(void*)) = 0;
  auto* shadow = reinterpret_cast<unsigned char*>((first >> scale) + offset);
  for (size_t i = 0; i < (last - first) >> scale; ++i) shadow[i] = kUseAfterReturn;
}

struct Dropped {
  const Fiber* fiber;
  void* fake_stack;
  bool retire;
  bool ignore;
};

// Could this value point to a heap block?
bool like_a_pointer(uintptr_t value) {
  constexpr uintptr_t kUserEnd = 1ull << 48, kLowest = 1 << 16;
  return value >= kLowest && value < kUserEnd;
}

void ignore_word(const Dropped& dropped, uintptr_t value) {
  if (!like_a_pointer(value)) return;
  if (value >= reinterpret_cast<uintptr_t>(dropped.fiber->stack_low) &&
      value < reinterpret_cast<uintptr_t>(dropped.fiber->stack_high)) {
    return;
  }
  __lsan_ignore_object(reinterpret_cast<void*>(value));
}

void visit_words(const Dropped& dropped, uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = (begin + 7) & ~uintptr_t{7}; at + 8 <= end; at += 8) {
    const uintptr_t value = *reinterpret_cast<uintptr_t*>(at);
    if (dropped.ignore) ignore_word(dropped, value);
    if (dropped.fake_stack == nullptr) continue;
    const auto fake = reinterpret_cast<uintptr_t>(dropped.fake_stack);
    if (value < fake || value >= fake + kFakeStackReach) continue;
    void *frame_begin = nullptr, *frame_end = nullptr;
    if (rt::by_address(&__asan_addr_is_in_fake_stack)(dropped.fake_stack, reinterpret_cast<void*>(value),
                                     &frame_begin, &frame_end) == nullptr) {
      continue;
    }
    if (dropped.ignore) {
      Dropped inner = dropped;
      inner.fake_stack = nullptr;
      visit_words(inner, reinterpret_cast<uintptr_t>(frame_begin),
                  reinterpret_cast<uintptr_t>(frame_end));
    }
    if (dropped.retire) retire_frame(frame_begin, frame_end);
  }
}

void ignore_range(void* begin, size_t size, void* argument) {
  const auto at = reinterpret_cast<uintptr_t>(begin);
  visit_words(*static_cast<Dropped*>(argument), at, at + size);
}

void visit_stack(Dropped& dropped) {
  const auto low = reinterpret_cast<uintptr_t>(dropped.fiber->stack_pointer);
  visit_words(dropped, low, reinterpret_cast<uintptr_t>(dropped.fiber->base));
}

bool leaks_are_detected() { return &__lsan_ignore_object != nullptr; }

void ignore_outside_stack(Dropped& dropped) {
  Dropped plain = dropped;
  plain.fake_stack = nullptr;
  thread_locals::for_each_range(dropped.fiber, &ignore_range, &plain);
  visit_thread_exit(
      dropped.fiber,
      [](void* value, void* argument) {
        ignore_word(*static_cast<Dropped*>(argument), reinterpret_cast<uintptr_t>(value));
      },
      &plain);
}

}  // namespace

void finishing(Fiber* fiber) {
  if (rt::asan_linked()) fiber->fake_stack = rt::by_address(&__asan_get_current_fake_stack)();
}

void retire_stack(Fiber* fiber, bool abandoned) {
  const bool asan = rt::asan_linked();
  if (!asan && !leaks_are_detected()) return;
  if (fiber->stack_pointer == fiber->base) return;
  Dropped dropped = {fiber, asan ? fake_stack_of(fiber) : nullptr, true,
                     abandoned && leaks_are_detected()};
  if (dropped.fake_stack != nullptr || dropped.ignore) visit_stack(dropped);
  if (dropped.ignore) ignore_outside_stack(dropped);
  if (asan) {
    // Includes memory below the stack pointer, because the last called function may have left its red zone.
    constexpr uintptr_t kBelow = 256;
    const auto low = reinterpret_cast<uintptr_t>(fiber->stack_pointer) - kBelow;
    rt::by_address(&__asan_unpoison_memory_region)(reinterpret_cast<void*>(low),
                                  reinterpret_cast<uintptr_t>(fiber->base) - low);
  }
}

void frames_dropped(Fiber*) {
  if (&__asan_handle_no_return != nullptr) rt::by_address(&__asan_handle_no_return)();
}

void ignore_leaks(Fiber* fiber) {
  if (!leaks_are_detected()) return;
  const bool asan = rt::asan_linked();
  Dropped dropped = {fiber, asan ? fake_stack_of(fiber) : nullptr, false, true};
  visit_stack(dropped);
  ignore_outside_stack(dropped);
}

void ignore_thread_locals(Fiber* fiber) {
  if (!leaks_are_detected()) return;
  Dropped dropped = {fiber, nullptr, false, true};
  ignore_outside_stack(dropped);
}

void ignore_object(const void* object) {
  if (leaks_are_detected()) __lsan_ignore_object(object);
}

void ignore_words(const void* begin, size_t size) {
  if (!leaks_are_detected()) return;
  const auto first = reinterpret_cast<uintptr_t>(begin) & ~uintptr_t{7};
  for (uintptr_t at = first; at < reinterpret_cast<uintptr_t>(begin) + size; at += sizeof(uintptr_t)) {
    const uintptr_t value = *reinterpret_cast<const uintptr_t*>(at);
    if (like_a_pointer(value)) __lsan_ignore_object(reinterpret_cast<const void*>(value));
  }
}

void add_roots(const void* begin, size_t size) {
  if (&__lsan_register_root_region != nullptr) __lsan_register_root_region(begin, size);
}

}  // namespace heddle::fiber::sanitizers
