// Threads. A thread is controlled if its creator is; control is never global, because libFuzzer starts a thread of its own
// (docs/design/runtime-laws.md#inherited-control).
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include <cstring>

#include "base/elf.h"
#include "base/path.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/library_access.h"
#include "intercept/refuse.h"
#include "intercept/threads/early_threads.h"
#include "primitives/thread_life.h"
#include "primitives/timing.h"

using namespace heddle::rt;

extern "C" int pthread_clockjoin_np(pthread_t, void**, clockid_t, const timespec*) noexcept(false);

// ASan must see the threads that heddle does not control.
extern "C" __attribute__((weak)) int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
extern "C" __attribute__((weak)) int ___interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

namespace {

constinit void (*g_early_thread_hook)() = nullptr;

// libgomp's threads wait with system calls that it makes directly, so heddle cannot intercept them. The module of a position is looked up
// only if it is not the position that last created a thread.
bool waits_unseen(uintptr_t caller) {
  static constinit uintptr_t last = 0;
  if (caller == last) return false;
  const char* const module = module_name_of(caller);
  if (module != nullptr && std::strncmp(base_name(module), "libgomp.", 8) == 0) return true;
  last = caller;
  return false;
}

int joined(int error, void** result, Place place) {
  if (error == 0) value_accessed(result, true, place);
  return error;
}

// Without a time there is no limit.
int join_until(pthread_t thread, void** result, clockid_t clock, const timespec* time, Place place) {
  if (time != nullptr && !primitives::valid_limit(clock, *time)) return EINVAL;
  const uint64_t deadline = time != nullptr ? primitives::deadline_at(clock, *time) : kNever;
  return joined(primitives::thread_tryjoin(thread, result, deadline, place), result, place);
}

}  // namespace

void heddle::rt::set_early_thread_hook(void (*hook)()) { g_early_thread_hook = hook; }

HEDDLE_REAL(pthread_create);
HEDDLE_REAL_OR_ASAN(int, pthread_join, (pthread_t, void**));
HEDDLE_REAL(pthread_tryjoin_np);
HEDDLE_REAL(pthread_timedjoin_np);
HEDDLE_REAL(pthread_clockjoin_np);
HEDDLE_REAL_OR_ASAN(int, pthread_detach, (pthread_t));

HEDDLE_SHIM int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  if (current_thread() != nullptr) {
    const Place here = HEDDLE_HERE;
    if (waits_unseen(here.pc)) refuse("libgomp", here, "heddle cannot see its waits. Link clang's libomp instead, which has the same functions");
    int state = PTHREAD_CREATE_JOINABLE;
    size_t stack = 0;
    sigset_t blocked;
    bool has_mask = false;
    if (attributes != nullptr) {
      pthread_attr_getdetachstate(attributes, &state);
      pthread_attr_getstacksize(attributes, &stack);
      has_mask = pthread_attr_getsigmask_np(attributes, &blocked) == 0;
    }
    value_accessed(thread, true, here);
    const int error = primitives::thread_create(thread, start, argument, state == PTHREAD_CREATE_DETACHED, here, stack);
    if (error == 0 && has_mask) std::memcpy(&engine().thread_of(*thread)->blocked_signals, &blocked, sizeof(uint64_t));
    return error;
  }
  if (g_early_thread_hook != nullptr) g_early_thread_hook();
  note_foreign_thread(HEDDLE_HERE.pc);
  const heddle::fiber::KernelKnows known;
  if (&___interceptor_pthread_create != nullptr) return ___interceptor_pthread_create(thread, attributes, start, argument);
  if (&__interceptor_pthread_create != nullptr) return __interceptor_pthread_create(thread, attributes, start, argument);
  return real_pthread_create(thread, attributes, start, argument);
}

HEDDLE_SHIM int pthread_join(pthread_t thread, void** result) {
  if (current_thread() != nullptr) return joined(primitives::thread_join(thread, result, HEDDLE_HERE), result, HEDDLE_HERE);
  return real_pthread_join(thread, result);
}

HEDDLE_SHIM int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  if (current_thread() != nullptr) return joined(primitives::thread_tryjoin(thread, result, 0, HEDDLE_HERE), result, HEDDLE_HERE);
  return real_pthread_tryjoin_np(thread, result);
}

HEDDLE_SHIM int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* time) {
  if (current_thread() == nullptr) return real_pthread_timedjoin_np(thread, result, time);
  return join_until(thread, result, CLOCK_REALTIME, time, HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* time) {
  if (current_thread() == nullptr) return real_pthread_clockjoin_np(thread, result, clock, time);
  return join_until(thread, result, clock, time, HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_detach(pthread_t thread) noexcept {
  if (current_thread() != nullptr) return primitives::thread_detach(thread, HEDDLE_HERE);
  return real_pthread_detach(thread);
}

// libc's pthread_exit would unwind through the donor's parked frame (docs/design/runtime-laws.md#fibers).
HEDDLE_SHIM void pthread_exit(void* result) {
  if (current_thread() != nullptr) primitives::thread_exit(result);
  static const auto real = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_NEXT, "pthread_exit"));
  real(result);
  __builtin_unreachable();
}
