// The control certificate: "no finding" means something only if heddle really schedules the program. So each binary proves at its start:
// the program's code calls the instrumentation, the system's thread functions lead to heddle (from the executable and from libraries), and
// a probe run under control leaves the expected record.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/asan.h"
#include "base/call_instruction.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "engine/run.h"
#include "harness/driver/interception.h"
#include "harness/driver/target.h"
#include "harness/driver/whole_program.h"
#include "intercept/allocator.h"
#include "restore/restored_modules.h"

extern "C" {
void __tsan_init();
void __tsan_func_entry(void* caller);
// Defined by the linker.
__attribute__((weak, visibility("hidden"))) extern void (*__init_array_start[])();
__attribute__((weak, visibility("hidden"))) extern void (*__init_array_end[])();
__attribute__((weak, visibility("hidden"))) extern unsigned char __start___libfuzzer_extra_counters[];
__attribute__((weak, visibility("hidden"))) extern unsigned char __stop___libfuzzer_extra_counters[];
}

namespace heddle::driver {
namespace {

// Does the code at `code` call or jump to `target` within its first `limit` bytes?
bool calls_early(const void* code, size_t limit, const void* target) {
  const auto* p = static_cast<const unsigned char*>(code);
  for (size_t i = 0; i + rt::kCallSize <= limit; i += rt::kCallStep) {
    if (rt::callee_at(p + i, true) == target) return true;
  }
  return false;
}

// Each instrumented unit has a constructor that only calls __tsan_init. gcc instruments that constructor, too, and protects it like any other
// function: -fcf-protection and -fstack-protector-all put 32 bytes before its first call.
bool initialises_instrumentation(const void* code) {
  if (calls_early(code, 16, reinterpret_cast<const void*>(&__tsan_init))) return true;
  return calls_early(code, 48, reinterpret_cast<const void*>(&__tsan_func_entry)) &&
         calls_early(code, 64, reinterpret_cast<const void*>(&__tsan_init));
}

size_t instrumented_units() {
  size_t count = 0;
  for (auto** constructor = __init_array_start; constructor < __init_array_end; ++constructor) {
    const auto* code = reinterpret_cast<const void*>(*constructor);
    if (code != nullptr && initialises_instrumentation(code)) ++count;
  }
  return count;
}

constexpr const char* kInterceptors[] = {
    "pthread_create",      "pthread_join", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait",
    "pthread_cond_signal", "pthread_once", "sched_yield",        "clock_nanosleep",      "clock_gettime",
    "sem_wait",            "syscall",
};
constexpr size_t kInterceptorCount = sizeof kInterceptors / sizeof *kInterceptors;

// The first function with which a library would not reach heddle. Null if all reach heddle.
const char* missing_interceptor() {
  for (const char* name : kInterceptors) {
    if (!reaches_heddle(name)) return name;
  }
  return nullptr;
}

// The operations that the probe must leave in the record. Returns the first missing one, or null.
const char* missing_operation(size_t& recorded) {
  const RunSummary& run = rt::run_one({}, control_probe);
  recorded = run.event_count;
  for (const Kind kind : {Kind::thread_create, Kind::mutex_lock, Kind::mutex_unlock, Kind::cond_signal, Kind::thread_join}) {
    bool found = false;
    for (uint32_t i = 0; i < run.event_count; ++i) found = found || (run.events[i].kind == kind && run.events[i].finished());
    if (!found) return kind_info(kind).name.data();
  }
  return nullptr;
}

// In a whole program the fuzzing engine starts later, and may be in another process.
bool puts_back_an_allocator() {
  return !is_program() && !rt::asan_linked() && !rt::allocator_is_ours() && rt::is_put_back(reinterpret_cast<uintptr_t>(&malloc));
}

// One line of at most 256 characters. Null if control is proved.
const char* find_gap(char (&why)[256], size_t& units, size_t& recorded) {
  units = instrumented_units();
  if (units == 0) {
    return "no part of the executable is instrumented: compile it with heddle-clang++ or heddle_add_fuzz_target";
  }
  const void* const entry = is_program() ? reinterpret_cast<const void*>(&__real_main) : reinterpret_cast<const void*>(&__real_LLVMFuzzerTestOneInput);
  if (!calls_early(entry, 256, reinterpret_cast<const void*>(&__tsan_func_entry))) {
    rt::print_line(2, "heddle: note: %s itself is not instrumented, or it calls no function\n", is_program() ? "main" : "LLVMFuzzerTestOneInput");
  }
  if (const char* name = missing_interceptor()) {
    snprintf(why, sizeof why, "calls of %s from libraries do not reach heddle: link dynamically, with heddle-clang++", name);
    return why;
  }
  if (puts_back_an_allocator()) {
    return "this executable defines malloc. Its variables would be restored although the fuzzing engine uses the same heap: leave the allocator out of the "
           "fuzz target, or keep its variables (HEDDLE_KEEP_EVERYTHING, docs/reference/limits.md)";
  }
  if (const char* name = missing_operation(recorded)) {
    snprintf(why, sizeof why, "the probe run did not record '%s'", name);
    return why;
  }
  return nullptr;
}

}  // namespace

// Calls the C library's functions: both C++ libraries use these, and this object is linked with either library.
int control_probe(const uint8_t*, size_t) {
  struct Shared {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    bool ready = false;
  } shared;
  const auto other = [](void* argument) -> void* {
    auto& s = *static_cast<Shared*>(argument);
    pthread_mutex_lock(&s.mutex);
    s.ready = true;
    pthread_cond_signal(&s.changed);
    pthread_mutex_unlock(&s.mutex);
    return nullptr;
  };
  pthread_t thread;
  if (pthread_create(&thread, nullptr, other, &shared) != 0) return 0;
  pthread_mutex_lock(&shared.mutex);
  while (!shared.ready) pthread_cond_wait(&shared.changed, &shared.mutex);
  pthread_mutex_unlock(&shared.mutex);
  pthread_join(thread, nullptr);
  return 0;
}

void verify_control() {
  char why[256];
  size_t units = 0, recorded = 0;
  const char* gap = find_gap(why, units, recorded);
  // The probe's run must not contribute to the features of the next input.
  for (auto* counter = __start___libfuzzer_extra_counters; counter < __stop___libfuzzer_extra_counters; ++counter) *counter = 0;
  if (gap == nullptr) {
    rt::print_line(2, "heddle: control verified: %zu instrumented unit%s, %zu interceptors, %zu operations in a probe run\n",
                   units, units == 1 ? "" : "s", kInterceptorCount, recorded);
    return;
  }
  if (rt::options().verify) {
    rt::print_line(2, "heddle: control not verified: %s (to run anyway: HEDDLE_OPTIONS=verify=0)\n", gap);
    _exit(rt::kNotControlledExit);
  }
  rt::print_line(2, "heddle: warning: control not verified: %s\n", gap);
}

}  // namespace heddle::driver
