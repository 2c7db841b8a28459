/* Under AFL++ a target keeps the coverage that libFuzzer's have, inline counters: the code is the same then, instruction by
 * instruction, and so are its positions, by which schedules name operations. A crash of one engine replays in the other's binary.
 * What libFuzzer does with the counters is done here: each gets places in AFL++'s map, one for each bucket of its values, and goes there when a run has
 * ended. (One place for all its values would do to keep an input, but AFL++ then works with one input for each place: hardly ever with what only went
 * round a loop more often, as by a second line of text.)
 *
 * On the link line this comes before the program's objects: what comes after their beginning is put back between executions. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

extern uint8_t *__afl_area_ptr;
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

/* Beyond so many counters there is one place for each: afl-fuzz looks through its whole map for each execution. */
enum { kMaxUnits = 256, kBuckets = 8, kManyCounters = 1 << 13 };
static struct Unit {
  uint8_t *counters;
  size_t size, places_each;
  uint32_t *guards;
} units[kMaxUnits];
static int unit_count;

/* From the constructor of each instrumented unit, of priority 2: AFL++ fixes the size of its map after those. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
  if (start == stop || unit_count == kMaxUnits) return;
  for (int i = 0; i < unit_count; ++i) {
    if (units[i].counters == start) return;
  }
  const size_t size = (size_t)(stop - start);
  const size_t places_each = size < kManyCounters ? kBuckets : 1, places = size * places_each;
  uint32_t *guards = mmap(NULL, places * sizeof *guards, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (guards == MAP_FAILED) return;
  __sanitizer_cov_trace_pc_guard_init(guards, guards + places);
  units[unit_count++] = (struct Unit){start, size, places_each, guards};
}

/* As libFuzzer's, and as feedback/buckets.h, which is no C: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128+. */
static size_t bucket_of(uint8_t value) { return value >= 128 ? 7 : value >= 32 ? 6 : value >= 16 ? 5 : value >= 8 ? 4 : value >= 4 ? 3 : value - 1u; }

/* Called by the runtime when a run has ended, and before the process dies of a finding: AFL++ tells crashes apart by the map. */
__attribute__((visibility("default"))) void heddle_afl_publish_counters(void) {
  for (int u = 0; u < unit_count; ++u) {
    uint8_t *const counters = units[u].counters;
    const size_t size = units[u].size, each = units[u].places_each;
    for (size_t i = 0; i < size;) {
      uint64_t word;
      if (i + sizeof word <= size) {
        memcpy(&word, counters + i, sizeof word);
        if (word == 0) {
          i += sizeof word;
          continue;
        }
      }
      const size_t end = i + sizeof word < size ? i + sizeof word : size;
      for (; i < end; ++i) {
        if (counters[i] == 0) continue;
        const uint32_t guard = units[u].guards[each == 1 ? i : i * each + bucket_of(counters[i])];
        if (guard != 0) __afl_area_ptr[guard] = counters[i];
        counters[i] = 0;
      }
    }
  }
}

/* Called when a run is about to be made again. */
__attribute__((visibility("default"))) void heddle_afl_drop_counters(void) {
  for (int u = 0; u < unit_count; ++u) memset(units[u].counters, 0, units[u].size);
}

/* What else those units refer to, and AFL++'s runtime lacks. */
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
__attribute__((weak)) __thread uintptr_t __sancov_lowest_stack;
