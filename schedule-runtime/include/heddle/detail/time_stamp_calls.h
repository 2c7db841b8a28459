/* Makes the processor's time stamp counter show virtual time: rdtsc and rdtscp in inline assembly, and the compiler's built-in functions, become a call of
   heddle. Without it the instruction itself would have to fault (engine/time_stamp.h), which costs more, and which some virtual machines do not do.
   assembly_atomics.h includes this file, so it stands in front of every source of a target. All registers but the results are kept, and the red zone. */
#ifndef HEDDLE_DETAIL_TIME_STAMP_CALLS_H_
#define HEDDLE_DETAIL_TIME_STAMP_CALLS_H_
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__ASSEMBLER__) && (defined(__ELF__) || defined(__linux__))
#pragma GCC system_header

/* The no-operation at the end of the first macro is a sign for heddle: a time stamp is wanted (intercept/memory/assembly_atomic.cc). */
__asm__(
    ".ifndef .Lheddle_time_stamp_calls\n"
    ".set .Lheddle_time_stamp_calls, 1\n"
    ".macro rdtsc\n"
    "  .byte 0x48, 0x8d, 0x64, 0x24, 0x80\n"              /* lea -128(%rsp), %rsp */
    "  call heddle_assembly_time_stamp@PLT\n"
    "  .byte 0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0\n"     /* lea 128(%rsp), %rsp */
    "  .byte 0x0f, 0x1f, 0x40, 0x31\n"                    /* nopl 0x31(%rax) */
    ".endm\n"
    ".macro rdtscp\n"
    "  rdtsc\n"
    "  .byte 0xb9, 0, 0, 0, 0\n"                          /* mov $0, %ecx: the processor's number, as sched_getcpu gives it */
    ".endm\n"
    ".endif\n");

/* gcc does not inline them into its own header's functions, which have another target. */
#if defined(__clang__)
#define HEDDLE_DETAIL_INLINE static __inline__ __attribute__((always_inline, unused))
#else
#define HEDDLE_DETAIL_INLINE static __inline__ __attribute__((unused))
#endif
HEDDLE_DETAIL_INLINE unsigned long long heddle_detail_time_stamp(void) {
  unsigned low, high;
  __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}
HEDDLE_DETAIL_INLINE unsigned long long heddle_detail_time_stamp_of(unsigned* processor) {
  *processor = 0;
  return heddle_detail_time_stamp();
}
#undef HEDDLE_DETAIL_INLINE

#define __builtin_ia32_rdtsc() heddle_detail_time_stamp()
#define __builtin_ia32_rdtscp(processor) heddle_detail_time_stamp_of(processor)
#define __builtin_readcyclecounter() heddle_detail_time_stamp()

#endif
#endif
