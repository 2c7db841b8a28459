// The compiler's callbacks for comparisons. The linker's --wrap puts them in front of the fuzzing engine's callbacks. If the engine learns
// from the comparison, its callback comes next, with the program's return address, which it takes as the place of the comparison. Memory
// and strings are in libc/compare.cc.
//
// Comparisons in a shared library come here only if it was linked with --wrap too, as heddle-clang does. Otherwise they go only to the
// fuzzing engine.
#include "intercept/libc/comparison_hooks.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "trace/comparisons.h"

using namespace heddle;
using namespace heddle::rt;

namespace {

[[gnu::always_inline]] inline bool engine_learns() { return g_comparison_gate.engine_learns; }
[[gnu::always_inline]] inline uintptr_t caller() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

}  // namespace

void heddle::rt::engine_learns_from_numbers(bool learns) { g_comparison_gate.engine_learns = learns; }

// The fuzzing engine may have no such callback. `record_` is a separate function, so that the usual path needs no frame.
#define HEDDLE_COMPARE(name, type, wanted, kind_of, variable, other)                                                          \
  extern "C" __attribute__((weak)) void __real_##name(type, type);                                                            \
  static __attribute__((noinline)) void record_##name(type a, type b) {                                                       \
    if (current_thread() != nullptr) comparisons().numbers(caller(), sizeof(type), variable, other, ComparisonKind::kind_of); \
    if (engine_learns() && &__real_##name != nullptr) [[clang::musttail]] return __real_##name(a, b);                         \
  }                                                                                                                           \
  HEDDLE_SHIM void __wrap_##name(type a, type b) {                                                                            \
    if (__builtin_expect(comparisons().wants wanted, 0)) [[clang::musttail]] return record_##name(a, b);                      \
    if (__builtin_expect(engine_learns(), 0) && &__real_##name != nullptr) [[clang::musttail]] return __real_##name(a, b);    \
  }
#define HEDDLE_COMPARE_SIZE(bytes, type, wanted)                                  \
  HEDDLE_COMPARE(__sanitizer_cov_trace_cmp##bytes, type, wanted, variables, a, b) \
  HEDDLE_COMPARE(__sanitizer_cov_trace_const_cmp##bytes, type, wanted, constant, b, a)  // the constant comes first

// The number of data bytes is never an 8-bit or 16-bit value.
HEDDLE_COMPARE_SIZE(1, uint8_t, ())
HEDDLE_COMPARE_SIZE(2, uint16_t, ())
HEDDLE_COMPARE_SIZE(4, uint32_t, (a, b))
HEDDLE_COMPARE_SIZE(8, uint64_t, (a, b))

extern "C" __attribute__((weak)) void __real___sanitizer_cov_trace_switch(uint64_t, uint64_t*);
static __attribute__((noinline)) void record_switch(uint64_t value, uint64_t* cases) {
  if (current_thread() != nullptr) comparisons().choice(caller(), value, cases);
  if (engine_learns() && &__real___sanitizer_cov_trace_switch != nullptr) [[clang::musttail]] return __real___sanitizer_cov_trace_switch(value, cases);
}
HEDDLE_SHIM void __wrap___sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) {
  if (__builtin_expect(comparisons().wants(value, value), 0)) [[clang::musttail]] return record_switch(value, cases);
  if (engine_learns() && &__real___sanitizer_cov_trace_switch != nullptr) [[clang::musttail]] return __real___sanitizer_cov_trace_switch(value, cases);
}

// Reads of data bytes by libraries, which are not instrumented.
static void note_read(const void* at, size_t size) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  if (size != 0 && engine().in_unread_payload(address)) note_payload_read(address, size);
}

void heddle::rt::bytes_compared(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size) {
  if (current_thread() == nullptr) return;
  note_read(a, a_size);
  note_read(b, b_size);
  if (comparisons().wants()) comparisons().strings(pc, a, a_size, b, b_size);
}
