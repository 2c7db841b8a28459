// Comparisons and searches of bytes and strings. They record what is read, as in TSan, and what is compared, for the mutator and the
// fuzzing engine.
//
// libFuzzer learns from comparisons through its own interceptors, which are not linked into targets. So its hooks are called here. ASan's
// interceptors call the hooks themselves. They come next, reached by a jump, because the hooks take the return address as the place of the
// comparison.
//
// The functions are defined as heddle_program_<name> and renamed when the runtime is combined (harness/link/combine.sh): inside the
// runtime, the plain names are the runtime's own (own_compare.c). They are weak, because the program may define these names. ASan's are
// weak, too, and come first on the link line, and the driver's libFuzzer has its own. In these cases, the wrapper's --defsym makes the
// names mean heddle_first_<name>.
#include <ctype.h>
#include <string.h>

#include "intercept/libc/comparison_hooks.h"
#include "intercept/library_access.h"
#include "schema/event.h"

using namespace heddle::rt;

namespace {

constexpr size_t kNoLimit = ~size_t{0};

int exactly(int c) { return c; }

// Up to and including the first difference or the end of both strings.
template <int (*Fold)(int)>
size_t compared(const char* a, const char* b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    const auto x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
    if (x == 0 || Fold(x) != Fold(y)) return i + 1;
  }
  return most;
}

// The length, up to the largest that is recorded.
size_t first(const char* s, size_t most = heddle::Comparison::kLongest) {
  size_t n = 0;
  while (n < most && n < heddle::Comparison::kLongest && s[n] != 0) ++n;
  return n;
}

// The part of `in` that is read: up to the end of what was found, or everything.
size_t searched(const char* in, const char* what, const char* found) {
  return found != nullptr ? static_cast<size_t>(found - in) + length(what) : text_size(in);
}

}  // namespace

// `of_a`, `of_b`: how many bytes of each side are recorded.
#define HEDDLE_COMPARISON(result, name, parameters, arguments, hook, hook_parameters, hook_arguments, a, of_a, b, of_b, ...) \
  extern "C" __attribute__((weak)) void __sanitizer_weak_hook_##hook hook_parameters;                                        \
  HEDDLE_LIBRARY_NEXT(result, name, parameters)                                                                              \
  HEDDLE_SHIM __attribute__((weak)) result heddle_program_##name parameters;                                                 \
  HEDDLE_SHIM result heddle_first_##name parameters __attribute__((alias("heddle_program_" #name)));                         \
  result heddle_program_##name parameters {                                                                                  \
    const Place here = HEDDLE_HERE;                                                                                          \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)                                                                   \
    if (current_thread() != nullptr && !of_heddle(here.pc)) bytes_compared(here.pc, a, of_a, b, of_b);                       \
    if (&___interceptor_##name != nullptr) [[clang::musttail]] return ___interceptor_##name arguments;                       \
    const auto r = next_##name arguments;                                                                                    \
    if (&__sanitizer_weak_hook_##hook == nullptr || of_heddle(here.pc)) return r;                                            \
    void* const pc = reinterpret_cast<void*>(here.pc);                                                                       \
    const Uncontrolled guard; /* the engine compares and copies in there */                                                  \
    __sanitizer_weak_hook_##hook hook_arguments;                                                                             \
    return r;                                                                                                                \
  }

#define HEDDLE_COMPARE_BYTES(name)                                                                                        \
  HEDDLE_COMPARISON(int, name, (const void* a, const void* b, size_t n), (a, b, n), memcmp,                               \
                    (void*, const void*, const void*, size_t, int), (pc, a, b, n, r), a, n, b, n, {                       \
                      reads(a, HEDDLE_BYTES(n));                                                                          \
                      reads(b, HEDDLE_BYTES(n));                                                                          \
                    })
HEDDLE_COMPARE_BYTES(memcmp)
HEDDLE_COMPARE_BYTES(bcmp)

#define HEDDLE_COMPARE_STRINGS(name, fold)                                                                                \
  HEDDLE_COMPARISON(int, name, (const char* a, const char* b), (a, b), name, (void*, const char*, const char*, int),      \
                    (pc, a, b, r), a, first(a), b, first(b), {                                                            \
                      const auto size = HEDDLE_BYTES(compared<fold>(a, b, kNoLimit));                                     \
                      reads(a, size);                                                                                     \
                      reads(b, size);                                                                                     \
                    })
HEDDLE_COMPARE_STRINGS(strcmp, exactly)
HEDDLE_COMPARE_STRINGS(strcasecmp, tolower)

#define HEDDLE_COMPARE_BOUNDED(name, fold)                                                                                \
  HEDDLE_COMPARISON(int, name, (const char* a, const char* b, size_t n), (a, b, n), name,                                 \
                    (void*, const char*, const char*, size_t, int), (pc, a, b, n, r), a, first(a, n), b, first(b, n), {   \
                      const auto size = HEDDLE_BYTES(compared<fold>(a, b, n));                                            \
                      reads(a, size);                                                                                     \
                      reads(b, size);                                                                                     \
                    })
HEDDLE_COMPARE_BOUNDED(strncmp, exactly)
HEDDLE_COMPARE_BOUNDED(strncasecmp, tolower)

#define HEDDLE_SEARCH(name)                                                                                               \
  HEDDLE_COMPARISON(char*, name, (const char* in, const char* what), (in, what), name,                                    \
                    (void*, const char*, const char*, char*), (pc, in, what, r), in, first(in), what, first(what), {      \
                      reads.text(what);                                                                                   \
                      reads(in, HEDDLE_BYTES(searched(in, what, peek_##name(in, what))));                                 \
                    })
HEDDLE_SEARCH(strstr)
HEDDLE_SEARCH(strcasestr)

HEDDLE_COMPARISON(void*, memmem, (const void* in, size_t in_size, const void* what, size_t size), (in, in_size, what, size), memmem,
                  (void*, const void*, size_t, const void*, size_t, void*), (pc, in, in_size, what, size, r), in, in_size, what, size, {
                    reads(what, HEDDLE_BYTES(size));
                    reads(in, HEDDLE_BYTES(in_size));
                  })

// gcc's callbacks for floating-point comparisons. No fuzzing engine has them.
extern "C" [[gnu::weak, gnu::visibility("default")]] void __sanitizer_cov_trace_cmpf(float, float) {}
extern "C" [[gnu::weak, gnu::visibility("default")]] void __sanitizer_cov_trace_cmpd(double, double) {}
