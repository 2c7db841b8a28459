/* Included in front of every source of a target (the wrappers, heddle_instrument): atomic instructions in inline assembly announce themselves.
   The assembler looks a word up among its macros before it takes it for an instruction or a prefix. So what is written in assembly as
   `lock; cmpxchgl ...`, `xchgl ...` or `pause` calls heddle first, which decodes the instruction after the call (intercept/memory/assembly_atomic.cc); what the
   compiler itself emits is not written as text, or has become a call of heddle before. Flags and all registers are kept; the 128 bytes below the stack
   pointer are the function's (its red zone). Bytes, as the assembly may be in either syntax. */
#ifndef HEDDLE_DETAIL_ASSEMBLY_ATOMICS_H_
#define HEDDLE_DETAIL_ASSEMBLY_ATOMICS_H_
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__ASSEMBLER__) && (defined(__ELF__) || defined(__linux__))
#pragma GCC system_header

/* Once in an assembler's input, which with link-time optimisation is several sources. */
__asm__(
    ".ifndef .Lheddle_assembly_atomics\n"
    ".set .Lheddle_assembly_atomics, 1\n"
    ".macro heddle_assembly_visible\n"
    "  .byte 0x48, 0x8d, 0x64, 0x24, 0x80\n"              /* lea -128(%rsp), %rsp */
    "  call heddle_assembly_operation@PLT\n"
    "  .byte 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0\n"     /* lea 128(%rsp), %rsp */
    ".endm\n"
    ".macro lock instruction:vararg\n"
    "  heddle_assembly_visible\n"
    "  .byte 0xf0\n"
    "  \\instruction\n"
    ".endm\n"
    ".macro pause\n"
    "  heddle_assembly_visible\n"
    "  .byte 0xf3, 0x90\n"
    ".endm\n"
    /* `rep; nop` is another way to write pause. */
    ".macro rep instruction:vararg\n"
    "  .ifb \\instruction\n"
    "    heddle_assembly_visible\n"
    "  .endif\n"
    "  .byte 0xf3\n"
    "  \\instruction\n"
    ".endm\n"
    /* Needs no prefix to be atomic. Its macro makes way for the instruction, and comes back. */
    ".macro heddle_assembly_exchange name\n"
    "  .macro \\name operands:vararg\n"
    "    heddle_assembly_visible\n"
    "    .purgem \\name\n"
    "    \\name \\operands\n"
    "    heddle_assembly_exchange \\name\n"
    "  .endm\n"
    ".endm\n"
    "heddle_assembly_exchange xchg\n"
    "heddle_assembly_exchange xchgb\n"
    "heddle_assembly_exchange xchgw\n"
    "heddle_assembly_exchange xchgl\n"
    "heddle_assembly_exchange xchgq\n"
    ".endif\n");

#endif
#endif
