// The context switch for AArch64, AAPCS64. The frame on the stack, from the saved stack pointer up,
// in words: x19 to x28 (0 to 9), x29 (10), x30 (11), d8 to d15 (12 to 19), fpcr (20), padding (21).
#if defined(__aarch64__)

        .text

// void heddle_fiber_switch(void** from, void* to, uintptr_t thread_pointer)
        .globl heddle_fiber_switch
        .hidden heddle_fiber_switch
        .type heddle_fiber_switch, %function
        .p2align 4
heddle_fiber_switch:
        .cfi_startproc
        hint #34                        // bti c
        sub sp, sp, #176
        .cfi_adjust_cfa_offset 176
        stp x19, x20, [sp, #0]
        stp x21, x22, [sp, #16]
        stp x23, x24, [sp, #32]
        stp x25, x26, [sp, #48]
        stp x27, x28, [sp, #64]
        stp x29, x30, [sp, #80]
        .cfi_rel_offset x19, 0
        .cfi_rel_offset x20, 8
        .cfi_rel_offset x21, 16
        .cfi_rel_offset x22, 24
        .cfi_rel_offset x23, 32
        .cfi_rel_offset x24, 40
        .cfi_rel_offset x25, 48
        .cfi_rel_offset x26, 56
        .cfi_rel_offset x27, 64
        .cfi_rel_offset x28, 72
        .cfi_rel_offset x29, 80
        .cfi_rel_offset x30, 88
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mrs x9, fpcr
        str x9, [sp, #160]
        mov x10, sp
        str x10, [x0]
// From here on the code uses the other stack. It has the same layout, so the unwind information stays correct.
        mov sp, x1
        msr tpidr_el0, x2
        ldr x11, [sp, #160]
        cmp x9, x11
        b.eq 1f
        msr fpcr, x11
1:
        ldp d14, d15, [sp, #144]
        ldp d12, d13, [sp, #128]
        ldp d10, d11, [sp, #112]
        ldp d8, d9, [sp, #96]
        ldp x29, x30, [sp, #80]
        ldp x27, x28, [sp, #64]
        ldp x25, x26, [sp, #48]
        ldp x23, x24, [sp, #32]
        ldp x21, x22, [sp, #16]
        ldp x19, x20, [sp, #0]
        add sp, sp, #176
        .cfi_adjust_cfa_offset -176
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size heddle_fiber_switch, . - heddle_fiber_switch

// The base frame. The fiber is in x19. Unwinding ends here, because the return address is undefined.
        .globl heddle_fiber_base
        .hidden heddle_fiber_base
        .type heddle_fiber_base, %function
        .p2align 4
heddle_fiber_base:
        .cfi_startproc
        .cfi_undefined x30
        hint #36                        // bti j
        mov x29, xzr
        mov x30, xzr
        mov x0, x19
        bl heddle_fiber_main
.Lafter_main:
        mov x0, x19
        bl heddle_fiber_finish
        brk #1
        .cfi_endproc
        .size heddle_fiber_base, . - heddle_fiber_base

// void heddle_fiber_resume_base(Fiber* fiber, void* base)
        .globl heddle_fiber_resume_base
        .hidden heddle_fiber_resume_base
        .type heddle_fiber_resume_base, %function
        .p2align 4
heddle_fiber_resume_base:
        .cfi_startproc
        .cfi_undefined x30
        hint #34
        mov sp, x1
        mov x29, xzr
        mov x19, x0
        b .Lafter_main
        .cfi_endproc
        .size heddle_fiber_resume_base, . - heddle_fiber_resume_base

// void heddle_fiber_park(uint32_t* parked, void** stack_pointer, int leave)
        .globl heddle_fiber_park
        .hidden heddle_fiber_park
        .type heddle_fiber_park, %function
        .p2align 4
heddle_fiber_park:
        .cfi_startproc
        hint #34
        mov x9, sp
        str x9, [x1]
        mov x19, x0
        mov w20, w2
        mov w9, #1
        stlr w9, [x19]
        mov x8, #98                     // futex
        mov x1, #129                    // FUTEX_WAKE | FUTEX_PRIVATE_FLAG
        mov x2, #1
        svc #0
        cbz w20, 3f
        mov x8, #93                     // exit: this kernel thread alone
        mov x0, xzr
        svc #0
3:
        mov x8, #98
        mov x0, x19
        mov x1, #128                    // FUTEX_WAIT | FUTEX_PRIVATE_FLAG
        mov x2, #1
        mov x3, xzr                     // no timeout
        svc #0
        b 3b
        .cfi_endproc
        .size heddle_fiber_park, . - heddle_fiber_park

#endif

        .section .note.GNU-stack, "", %progbits
