#include "analyses/failing_place.h"

#include <ucontext.h>

#include "base/call_frames.h"
#include "base/elf.h"
#include "base/own_code.h"
#include "trace/contexts.h"
#include "trace/live_state.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

uintptr_t frame_pointer(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RBP]);
#else
  return static_cast<uintptr_t>(machine.regs[29]);
#endif
}

// For a call to an address without code: the caller, which the call has just stored.
uintptr_t caller_into_nowhere(const void* context, uintptr_t low, uintptr_t high) {
  if (module_name_of(program_counter(context)) != nullptr) return 0;
#if defined(__x86_64__)
  constexpr greg_t kFetch = 1 << 4;  // from the page fault's error code: generated code of the program may fail, too
  if ((static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kFetch) == 0) return 0;
  const uintptr_t sp = stack_pointer(context);
  const uintptr_t caller = sp >= low && sp + sizeof sp <= high && sp % sizeof sp == 0 ? *reinterpret_cast<const uintptr_t*>(sp) : 0;
#else
  const uintptr_t caller = static_cast<const ucontext_t*>(context)->uc_mcontext.regs[30];
#endif
  return caller != 0 && module_name_of(caller - 1) != nullptr ? caller : 0;
}

// For a failure in a library that is not instrumented: the program's call into it, by the library's unwind tables. Else 0.
uintptr_t call_into_library(const void* context, uint32_t thread) {
  constexpr int kMostFrames = 64;
  uintptr_t low, high;
  CallFrame at = {program_counter(context) + 1, stack_pointer(context), frame_pointer(context)};
  if (!sites().position(at.pc).library || !live_state().stack(thread, low, high)) return 0;
  for (int i = 0; i < kMostFrames && at.stack >= low && at.stack < high; ++i) {
    at = caller_of(at);
    if (at.pc == 0) return 0;
    if (!sites().position(at.pc).library && !of_heddle(at.pc - 1)) return at.pc;
  }
  return 0;
}

}  // namespace

uintptr_t program_counter(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#else
  return static_cast<uintptr_t>(machine.pc);
#endif
}

uintptr_t stack_pointer(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RSP]);
#else
  return static_cast<uintptr_t>(machine.sp);
#endif
}

// heddle's own code keeps frame pointers.
FailingPlace failing_place(const void* context, uint32_t thread) {
  constexpr int kDepth = 32;
  const uintptr_t here = program_counter(context);
  uintptr_t low, high;
  if (!live_state().stack(thread, low, high)) return {here + 1, 0};
  if (const uintptr_t caller = caller_into_nowhere(context, low, high)) return {caller, 0};
  if (!of_heddle(here)) return {here + 1, 0};
  uintptr_t frame = frame_pointer(context);
  for (int i = 0; i < kDepth && frame >= low && frame + 2 * sizeof(uintptr_t) <= high && frame % sizeof(uintptr_t) == 0; ++i) {
    const auto* const words = reinterpret_cast<const uintptr_t*>(frame);
    if (!of_heddle(words[1] - 1)) return {words[1], frame};
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return {here + 1, 0};
}

uint32_t failing_context(const void* context, uint32_t thread) {
  const uint32_t stack = live_state().current_context();
  const uintptr_t call = call_into_library(context, thread);
  return call != 0 ? contexts().child(stack, call) : stack;
}

void* at_the_call(ucontext_t& copy, void* context) {
  const uint32_t thread = live_state().current_thread();
  const FailingPlace place = thread != kNoEvent ? failing_place(context, thread) : FailingPlace{0, 0};
  if (place.frame == 0) return context;
  copy = *static_cast<const ucontext_t*>(context);
  const uintptr_t callers_frame = *reinterpret_cast<const uintptr_t*>(place.frame), callers_stack = place.frame + 2 * sizeof(uintptr_t);
#if defined(__x86_64__)
  copy.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(place.pc - 1);
  copy.uc_mcontext.gregs[REG_RBP] = static_cast<greg_t>(callers_frame);
  copy.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(callers_stack);
#else
  copy.uc_mcontext.pc = place.pc - 1;
  copy.uc_mcontext.regs[29] = callers_frame;
  copy.uc_mcontext.sp = callers_stack;
#endif
  return &copy;
}

}  // namespace heddle::rt
