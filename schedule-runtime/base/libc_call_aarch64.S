// What a stub of harness/link/own_calls.sh does on its first call. x17 is its record (libc_call.cc). All registers that may hold an
// argument are unchanged.
#if defined(__aarch64__)

        .text
        .globl heddle_libc_first_call
        .type heddle_libc_first_call, %function
        .p2align 4
heddle_libc_first_call:
        .cfi_startproc
        stp x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        stp x0, x1, [sp, #16]
        stp x2, x3, [sp, #32]
        stp x4, x5, [sp, #48]
        stp x6, x7, [sp, #64]
        str x8, [sp, #80]
        stp q0, q1, [sp, #96]
        stp q2, q3, [sp, #128]
        stp q4, q5, [sp, #160]
        stp q6, q7, [sp, #192]
        mov x0, x17
        bl heddle_libc_find
        mov x17, x0
        ldp x0, x1, [sp, #16]
        ldp x2, x3, [sp, #32]
        ldp x4, x5, [sp, #48]
        ldp x6, x7, [sp, #64]
        ldr x8, [sp, #80]
        ldp q0, q1, [sp, #96]
        ldp q2, q3, [sp, #128]
        ldp q4, q5, [sp, #160]
        ldp q6, q7, [sp, #192]
        ldp x29, x30, [sp], #224
        .cfi_restore x30
        .cfi_restore x29
        .cfi_def_cfa_offset 0
        br x17
        .cfi_endproc
        .size heddle_libc_first_call, . - heddle_libc_first_call

#endif
        .section .note.GNU-stack, "", %progbits
