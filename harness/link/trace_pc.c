/* Coverage of objects that gcc compiled. Its -fsanitize-coverage=trace-pc calls this function in every basic block, which neither libFuzzer nor
 * AFL++ listens to: here each block gets a place among inline 8-bit counters, as clang's units bring them, by a hash of its position in the
 * executable. Blocks of a large program may share a counter.
 *
 * On the link line this comes before the program's objects: what comes after their beginning is put back between executions. */
#include <stdint.h>

enum { kLogCounters = 14, kCounters = 1 << kLogCounters };

static uint8_t counters[kCounters];
/* libFuzzer wants as many positions as counters; each is known once its block has run. */
static struct {
  uintptr_t pc, flags;
} positions[kCounters];

extern const char __executable_start[] __attribute__((visibility("hidden")));
__attribute__((weak)) void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
__attribute__((weak)) void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);

/* Of the priority that clang's own have. */
__attribute__((constructor(2))) static void announce(void) {
  if (__sanitizer_cov_8bit_counters_init) __sanitizer_cov_8bit_counters_init(counters, counters + kCounters);
  if (__sanitizer_cov_pcs_init) __sanitizer_cov_pcs_init(&positions[0].pc, &positions[kCounters].pc);
}

/* libFuzzer has a __sanitizer_cov_trace_pc of its own, which prints that this is not supported and exits. The wrapper's --defsym makes that name mean
 * this function, in the executable and for its libraries. */
__attribute__((visibility("default"))) void heddle_trace_pc(void) {
  const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
  const uint64_t hash = (pc - (uintptr_t)__executable_start) * 0x9E3779B97F4A7C15ull;
  const uint32_t place = (uint32_t)(hash >> (64 - kLogCounters));
  positions[place].pc = pc;
  if (++counters[place] == 0) counters[place] = 255;
}
