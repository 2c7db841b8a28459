// The context switch for x86-64, System V ABI. The frame on the stack, from the saved stack pointer
// up: mxcsr and x87 control word, r15, r14, r13, r12, rbx, rbp, return address.
#if defined(__x86_64__)

        .text

// void heddle_fiber_switch(void** from, void* to, uintptr_t thread_pointer)
        .globl heddle_fiber_switch
        .hidden heddle_fiber_switch
        .type heddle_fiber_switch, @function
        .p2align 4
heddle_fiber_switch:
        .cfi_startproc
        endbr64
        pushq %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        subq $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw 4(%rsp)
        movl (%rsp), %eax
        movzwl 4(%rsp), %ecx
        movq %rsp, (%rdi)
// From here on the code uses the other stack. It has the same layout, so the unwind information stays correct.
        movq %rsi, %rsp
// Setting the control words costs more than the rest, and usually they are already equal.
        cmpl (%rsp), %eax
        jne 3f
        cmpw 4(%rsp), %cx
        jne 3f
4:
        cmpb $0, heddle_fiber_use_wrfsbase(%rip)
        je 1f
        wrfsbase %rdx
2:
        addq $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
1:
        .cfi_adjust_cfa_offset 56
        .cfi_rel_offset %rbp, 48
        .cfi_rel_offset %rbx, 40
        .cfi_rel_offset %r12, 32
        .cfi_rel_offset %r13, 24
        .cfi_rel_offset %r14, 16
        .cfi_rel_offset %r15, 8
        movl $158, %eax                 // arch_prctl
        movl $0x1002, %edi              // ARCH_SET_FS
        movq %rdx, %rsi
        syscall
        jmp 2b
3:
        ldmxcsr (%rsp)
        fldcw 4(%rsp)
        jmp 4b
        .cfi_endproc
        .size heddle_fiber_switch, . - heddle_fiber_switch

// The base frame. The fiber is in r12. Unwinding ends here, because the return address is undefined.
        .globl heddle_fiber_base
        .hidden heddle_fiber_base
        .type heddle_fiber_base, @function
        .p2align 4
heddle_fiber_base:
        .cfi_startproc
        .cfi_undefined %rip
        endbr64
        xorl %ebp, %ebp
        movq %r12, %rdi
        call heddle_fiber_main
.Lafter_main:
        movq %r12, %rdi
        call heddle_fiber_finish
        ud2
        .cfi_endproc
        .size heddle_fiber_base, . - heddle_fiber_base

// void heddle_fiber_resume_base(Fiber* fiber, void* base)
        .globl heddle_fiber_resume_base
        .hidden heddle_fiber_resume_base
        .type heddle_fiber_resume_base, @function
        .p2align 4
heddle_fiber_resume_base:
        .cfi_startproc
        .cfi_undefined %rip
        endbr64
        movq %rsi, %rsp
        xorl %ebp, %ebp
        movq %rdi, %r12
        jmp .Lafter_main
        .cfi_endproc
        .size heddle_fiber_resume_base, . - heddle_fiber_resume_base

// void heddle_fiber_park(uint32_t* parked, void** stack_pointer, int leave)
        .globl heddle_fiber_park
        .hidden heddle_fiber_park
        .type heddle_fiber_park, @function
        .p2align 4
heddle_fiber_park:
        .cfi_startproc
        endbr64
        movq %rsp, (%rsi)
        movq %rdi, %r12
        movl %edx, %r13d
        movl $1, (%r12)                 // stores are seen in order
        movl $202, %eax                 // futex
        movl $129, %esi                 // FUTEX_WAKE | FUTEX_PRIVATE_FLAG
        movl $1, %edx
        syscall
        testl %r13d, %r13d
        jz 3f
        movl $60, %eax                  // exit: this kernel thread alone
        xorl %edi, %edi
        syscall
3:
        movl $202, %eax
        movq %r12, %rdi
        movl $128, %esi                 // FUTEX_WAIT | FUTEX_PRIVATE_FLAG
        movl $1, %edx
        xorl %r10d, %r10d               // no timeout
        syscall
        jmp 3b
        .cfi_endproc
        .size heddle_fiber_park, . - heddle_fiber_park

        .section .note.GNU-stack, "", @progbits
#endif
