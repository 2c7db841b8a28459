// sigsetjmp and siglongjmp: the saved signal mask is the thread's own (signal.cc), which the kernel does not know. It is kept beside the kernel's, in
// the part of the program's buffer that the kernel leaves free.
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include <utility>

#include "engine/program_exit.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/real.h"

using namespace heddle::rt;

HEDDLE_REAL_OR_ASAN(void, longjmp, (__jmp_buf_tag*, int));
HEDDLE_REAL_OR_ASAN(void, siglongjmp, (__jmp_buf_tag*, int));
static constinit Real<void(__jmp_buf_tag*, int)> real___longjmp_chk{"__longjmp_chk"};

namespace {

// In the words of __saved_mask after the first, which is all that the kernel uses.
struct OwnMask {
  uint64_t kernels, mark, blocked;
};
constexpr uint64_t kMark = 0x6B73'616D'656C'6464;
static_assert(sizeof(OwnMask) <= sizeof(__sigset_t));

OwnMask own_mask_of(const __jmp_buf_tag* buffer) {
  OwnMask own;
  memcpy(&own, &buffer->__saved_mask, sizeof own);
  return own;
}

void put_mask_back(const __jmp_buf_tag* buffer, Place place) {
  if (current_thread() == nullptr || buffer->__mask_was_saved == 0) return;
  const OwnMask own = own_mask_of(buffer);
  if (own.mark != kMark) return;
  const uint64_t before = std::exchange(current_thread()->blocked_signals, own.blocked);
  deliver_unblocked_signals(place, before);
}

}  // namespace

// Called by __sigsetjmp, with its arguments. Returns the C library's function.
extern "C" __attribute__((used, visibility("hidden"))) void* heddle_next_sigsetjmp(__jmp_buf_tag* buffer, int saves_mask) {
  static constinit void* next = nullptr;
  if (next == nullptr) next = dlsym(RTLD_NEXT, "__sigsetjmp");
  if (saves_mask != 0) {
    const OwnMask own = {0, current_thread() != nullptr ? kMark : 0, current_thread() != nullptr ? current_thread()->blocked_signals : 0};
    memcpy(&buffer->__saved_mask, &own, sizeof own);
  }
  return next;
}

// __sigsetjmp(buffer, saves_mask) goes on in the C library's function, which must see the program's frame.
#if defined(__x86_64__)
asm(R"(
        .text
        .globl __sigsetjmp
        .type __sigsetjmp, @function
        .p2align 4
__sigsetjmp:
        .cfi_startproc
        endbr64
        pushq %rdi
        .cfi_adjust_cfa_offset 8
        pushq %rsi
        .cfi_adjust_cfa_offset 8
        subq $8, %rsp
        .cfi_adjust_cfa_offset 8
        call heddle_next_sigsetjmp
        addq $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq %rsi
        .cfi_adjust_cfa_offset -8
        popq %rdi
        .cfi_adjust_cfa_offset -8
        jmp *%rax
        .cfi_endproc
        .size __sigsetjmp, . - __sigsetjmp
)");
#elif defined(__aarch64__)
asm(R"(
        .text
        .globl __sigsetjmp
        .type __sigsetjmp, %function
        .p2align 4
__sigsetjmp:
        .cfi_startproc
        hint #34                        // bti c
        stp x29, x30, [sp, #-32]!
        .cfi_adjust_cfa_offset 32
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        stp x0, x1, [sp, #16]
        bl heddle_next_sigsetjmp
        mov x16, x0
        ldp x0, x1, [sp, #16]
        ldp x29, x30, [sp], #32
        .cfi_adjust_cfa_offset -32
        .cfi_restore x29
        .cfi_restore x30
        br x16
        .cfi_endproc
        .size __sigsetjmp, . - __sigsetjmp
)");
#endif

#define HEDDLE_JUMP(name)                                                        \
  HEDDLE_SHIM [[noreturn]] void heddle_##name(__jmp_buf_tag*, int) asm(#name);   \
  void heddle_##name(__jmp_buf_tag* buffer, int value) {                         \
    put_mask_back(buffer, HEDDLE_HERE);                                          \
    real_##name(buffer, value);                                                  \
    __builtin_unreachable();                                                     \
  }
HEDDLE_JUMP(longjmp)
HEDDLE_JUMP(siglongjmp)
HEDDLE_JUMP(__longjmp_chk)
