// heddle_assembly_operation(): called before an atomic instruction in inline assembly (heddle/detail/assembly_atomics.h). The compiler does
// not expect a call there. So every register, the flags and the vector state are restored, even if other threads run meanwhile.
#if defined(__x86_64__)

        // The state that the operation may change: x87, SSE, AVX and AVX-512 (the bits of XCR0).
        .set kVectorState, 0xe7
        // The size of that state in xsave's standard layout.
        .set kVectorBytes, 2688

        .text
        .globl heddle_assembly_operation
        .type heddle_assembly_operation, @function
        .p2align 4
heddle_assembly_operation:
        .cfi_startproc
        endbr64
        pushq %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushfq
        pushq %r15
        movq heddle_thread@GOTTPOFF(%rip), %r15
        cmpq $0, %fs:(%r15)
        je 2f
        // The layout of AssemblyRegisters, from its end.
        pushq %r14
        pushq %r13
        pushq %r12
        pushq %r11
        pushq %r10
        pushq %r9
        pushq %r8
        pushq %rdi
        pushq %rsi
        pushq (%rbp)
        leaq 144(%rbp), %rsi            // the stack pointer at the instruction, above our frame and the red zone
        pushq %rsi
        pushq %rbx
        pushq %rdx
        pushq %rcx
        pushq %rax
        movq %rsp, %rdi
        movq 8(%rbp), %rsi
        subq $kVectorBytes, %rsp
        andq $-64, %rsp
        movq %rsp, %rbx
        cld
        cmpb $0, heddle_assembly_has_xsave(%rip)
        je 3f
        xorl %eax, %eax
        movq %rax, 512(%rsp)            // the header: xsave writes only its first word, and only part of that
        movq %rax, 520(%rsp)
        movq %rax, 528(%rsp)
        movq %rax, 536(%rsp)
        movq %rax, 544(%rsp)
        movq %rax, 552(%rsp)
        movq %rax, 560(%rsp)
        movq %rax, 568(%rsp)
        movl $kVectorState, %eax
        xorl %edx, %edx
        xsave (%rsp)
        movq %rbp, %rdx
        call heddle_before_assembly_operation
        movl $kVectorState, %eax
        xorl %edx, %edx
        xrstor (%rbx)
1:
        leaq -136(%rbp), %rsp
        popq %rax
        popq %rcx
        popq %rdx
        popq %rbx
        addq $16, %rsp
        popq %rsi
        popq %rdi
        popq %r8
        popq %r9
        popq %r10
        popq %r11
        popq %r12
        popq %r13
        popq %r14
2:
        popq %r15
        popfq
        popq %rbp
        .cfi_def_cfa %rsp, 8
        ret
3:
        .cfi_def_cfa %rbp, 16
        fxsave (%rsp)
        movq %rbp, %rdx
        call heddle_before_assembly_operation
        fxrstor (%rbx)
        jmp 1b
        .cfi_endproc
        .size heddle_assembly_operation, . - heddle_assembly_operation

// heddle_assembly_move_operation(): called before `mov` in inline assembly, which is often no access to memory. Only one that is goes on above.
        .globl heddle_assembly_move_operation
        .type heddle_assembly_move_operation, @function
        .p2align 4
heddle_assembly_move_operation:
        .cfi_startproc
        endbr64
        pushfq
        .cfi_adjust_cfa_offset 8
        pushq %rax
        .cfi_adjust_cfa_offset 8
        pushq %rdx
        .cfi_adjust_cfa_offset 8
        movq heddle_thread@GOTTPOFF(%rip), %rdx
        cmpq $0, %fs:(%rdx)
        je 3f
        movq 24(%rsp), %rdx
        addq $8, %rdx                   // behind the instruction that gives the red zone back
        movzbl (%rdx), %eax
        cmpb $0x66, %al                 // 16 bits
        jne 1f
        incq %rdx
        movzbl (%rdx), %eax
1:      andb $0xf0, %al
        cmpb $0x40, %al                 // a REX prefix
        jne 2f
        incq %rdx
2:      cmpb $0xc0, 1(%rdx)             // ModRM: the operand is a register
        jae 3f
        movzbl (%rdx), %eax
        subb $0x88, %al                 // 88 to 8b: between memory and a register
        cmpb $3, %al
        jbe 4f
        subb $0xc6 - 0x88, %al          // c6, c7: a constant
        cmpb $1, %al
        jbe 4f
3:
        popq %rdx
        .cfi_adjust_cfa_offset -8
        popq %rax
        .cfi_adjust_cfa_offset -8
        popfq
        .cfi_adjust_cfa_offset -8
        ret
4:
        .cfi_adjust_cfa_offset 24
        popq %rdx
        .cfi_adjust_cfa_offset -8
        popq %rax
        .cfi_adjust_cfa_offset -8
        popfq
        .cfi_adjust_cfa_offset -8
        jmp heddle_assembly_operation
        .cfi_endproc
        .size heddle_assembly_move_operation, . - heddle_assembly_move_operation

// heddle_assembly_time_stamp(): called in place of rdtsc (heddle/detail/time_stamp_calls.h). The result is in edx and eax. Outside of the
// program's threads it is the real one.
        .globl heddle_assembly_time_stamp
        .type heddle_assembly_time_stamp, @function
        .p2align 4
heddle_assembly_time_stamp:
        .cfi_startproc
        endbr64
        pushfq
        .cfi_adjust_cfa_offset 8
        pushq %r15
        .cfi_adjust_cfa_offset 8
        movq heddle_thread@GOTTPOFF(%rip), %r15
        cmpq $0, %fs:(%r15)
        popq %r15
        .cfi_adjust_cfa_offset -8
        je 1f
        popfq
        .cfi_adjust_cfa_offset -8
        jmp heddle_assembly_operation
1:
        .cfi_adjust_cfa_offset 8
        popfq
        .cfi_adjust_cfa_offset -8
        rdtsc
        ret
        .cfi_endproc
        .size heddle_assembly_time_stamp, . - heddle_assembly_time_stamp

#endif

        .section .note.GNU-stack, "", %progbits
