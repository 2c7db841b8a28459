/* Makes atomic instructions in inline assembly visible to heddle. The wrappers and heddle_instrument include it in front of every source of a target.
   The assembler looks for a macro of a name before it takes the name for an instruction or a prefix. So `lock; cmpxchgl ...`, `xchgl ...`, `mfence` or `pause` in
   assembly call heddle first, which decodes the instruction after the call (intercept/memory/assembly_atomic.cc). The compiler's own atomics are not
   affected: they are not written as text, or are calls of heddle already. Flags and all registers are kept. So are the 128 bytes below the stack
   pointer, the red zone of the function. The macros contain bytes, because the assembly can be in either syntax. */
#ifndef HEDDLE_DETAIL_ASSEMBLY_ATOMICS_H_
#define HEDDLE_DETAIL_ASSEMBLY_ATOMICS_H_
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__ASSEMBLER__) && (defined(__ELF__) || defined(__linux__))
#pragma GCC system_header

/* Once in the input of an assembler. With link-time optimisation, that input is several sources. */
__asm__(
    ".ifndef .Lheddle_assembly_atomics\n"
    ".set .Lheddle_assembly_atomics, 1\n"
    ".macro heddle_assembly_visible\n"
    "  .byte 0x48, 0x8d, 0x64, 0x24, 0x80\n"              /* lea -128(%rsp), %rsp */
    "  call heddle_assembly_operation@PLT\n"
    "  .byte 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0\n"     /* lea 128(%rsp), %rsp */
    ".endm\n"
    ".set .Lheddle_locked, 0\n"
    ".macro lock instruction:vararg\n"
    "  heddle_assembly_visible\n"
    "  .byte 0xf0\n"
    "  .ifnb \\instruction\n"
    "    .set .Lheddle_locked, 1\n"
    "    \\instruction\n"
    "    .set .Lheddle_locked, 0\n"
    "  .endif\n"
    ".endm\n"
    ".macro pause\n"
    "  heddle_assembly_visible\n"
    "  .byte 0xf3, 0x90\n"
    ".endm\n"
    ".macro mfence\n"
    "  heddle_assembly_visible\n"
    "  .byte 0x0f, 0xae, 0xf0\n"
    ".endm\n"
    /* `rep; nop` is another spelling of pause. */
    ".macro rep instruction:vararg\n"
    "  .ifb \\instruction\n"
    "    heddle_assembly_visible\n"
    "  .endif\n"
    "  .byte 0xf3\n"
    "  \\instruction\n"
    ".endm\n"
    /* xchg is atomic without a prefix. Its macro removes itself for the instruction, then defines itself again. With a prefix before it (`lock; xchgl`),
       a macro cannot know that. So the first instruction is one that may have the prefix, and changes no flags and nothing that is in use. */
    ".macro heddle_assembly_exchange name\n"
    "  .macro \\name operands:vararg\n"
    "    .if .Lheddle_locked == 0\n"
    "      .byte 0xf6, 0x94, 0x24, 0x78, 0xff, 0xff, 0xff\n" /* notb -136(%rsp) */
    "      heddle_assembly_visible\n"
    "    .endif\n"
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

/* A plain move of a naturally aligned word is atomic on x86, too, and code that writes its own atomics uses it for loads and stores
   (Concurrency Kit). As above, the macro removes itself for the instruction. Only with clang's own assembler, which reads nothing but inline
   assembly: gcc writes the moves of the compiled code as text, too. So does clang with -S, -save-temps or -fno-integrated-as: the wrapper
   then defines HEDDLE_NO_ASSEMBLY_MOVES. */
#if defined(__clang__) && !defined(HEDDLE_NO_ASSEMBLY_MOVES)
__asm__(
    ".ifndef .Lheddle_assembly_moves\n"
    ".set .Lheddle_assembly_moves, 1\n"
    ".macro heddle_assembly_move name\n"
    "  .macro \\name operands:vararg\n"
    "    .byte 0x48, 0x8d, 0x64, 0x24, 0x80\n"              /* lea -128(%rsp), %rsp */
    "    call heddle_assembly_move_operation@PLT\n"
    "    .byte 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0\n"     /* lea 128(%rsp), %rsp */
    "    .purgem \\name\n"
    "    \\name \\operands\n"
    "    heddle_assembly_move \\name\n"
    "  .endm\n"
    ".endm\n"
    "heddle_assembly_move mov\n"
    "heddle_assembly_move movb\n"
    "heddle_assembly_move movw\n"
    "heddle_assembly_move movl\n"
    "heddle_assembly_move movq\n"
    ".endif\n");
#endif

/* Before version 19, clang makes a store of an exchange whose result is not used. Under a weak memory model that is another program, and heddle says so. */
#if defined(__clang__) && __clang_major__ < 19
__asm__(
    ".ifndef heddle_built_by_clang_before_19\n"
    ".pushsection .rodata.heddle_built_by, \"a\"\n"
    ".weak heddle_built_by_clang_before_19\n"
    "heddle_built_by_clang_before_19: .byte 1\n"
    ".popsection\n"
    ".endif\n");
#endif

#endif

#include "atomic_calls.h"
#include "time_stamp_calls.h"
#endif
