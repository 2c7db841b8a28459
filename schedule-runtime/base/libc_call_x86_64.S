// What a stub of harness/link/own_calls.sh does on its first call. %r11 is its record (libc_call.cc). All registers that may hold an
// argument are unchanged.
#if defined(__x86_64__)

        .text
        .globl heddle_libc_first_call
        .type heddle_libc_first_call, @function
        .p2align 4
heddle_libc_first_call:
        .cfi_startproc
        endbr64
        pushq %rax
        pushq %rdi
        pushq %rsi
        pushq %rdx
        pushq %rcx
        pushq %r8
        pushq %r9
        pushq %r10
        .cfi_adjust_cfa_offset 64
        subq $136, %rsp
        .cfi_adjust_cfa_offset 136
        movups %xmm0, (%rsp)
        movups %xmm1, 16(%rsp)
        movups %xmm2, 32(%rsp)
        movups %xmm3, 48(%rsp)
        movups %xmm4, 64(%rsp)
        movups %xmm5, 80(%rsp)
        movups %xmm6, 96(%rsp)
        movups %xmm7, 112(%rsp)
        movq %r11, %rdi
        call heddle_libc_find
        movq %rax, %r11
        movups (%rsp), %xmm0
        movups 16(%rsp), %xmm1
        movups 32(%rsp), %xmm2
        movups 48(%rsp), %xmm3
        movups 64(%rsp), %xmm4
        movups 80(%rsp), %xmm5
        movups 96(%rsp), %xmm6
        movups 112(%rsp), %xmm7
        addq $136, %rsp
        .cfi_adjust_cfa_offset -136
        popq %r10
        popq %r9
        popq %r8
        popq %rcx
        popq %rdx
        popq %rsi
        popq %rdi
        popq %rax
        .cfi_adjust_cfa_offset -64
        jmpq *%r11
        .cfi_endproc
        .size heddle_libc_first_call, . - heddle_libc_first_call

#endif
        .section .note.GNU-stack, "", @progbits
