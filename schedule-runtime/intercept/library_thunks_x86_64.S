// Thunks of functions in libraries that are not instrumented (intercept/library_call.h). Each has a frame, so that the place of the call
// is where HEDDLE_HERE finds it.
#if defined(__x86_64__)

        .set kThunks, 1024              // LibraryThunks::kCount
        .set kThunkBytes, 32            // LibraryThunks::kBytes

        .text
        .globl heddle_library_thunks
        .hidden heddle_library_thunks
        .p2align 5
heddle_library_thunks:
        .set thunk, 0
        .rept kThunks
        .cfi_startproc
        endbr64
        pushq %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        movq %rsp, %rbp
        call heddle_assembly_operation
        popq %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        jmp *heddle_library_targets + 8 * thunk(%rip)
        .cfi_endproc
        .p2align 5
        .set thunk, thunk + 1
        .endr

        .bss
        .globl heddle_library_targets
        .hidden heddle_library_targets
        .p2align 3
heddle_library_targets:
        .skip 8 * kThunks
        .size heddle_library_targets, . - heddle_library_targets

#endif

        .section .note.GNU-stack, "", %progbits
