// The identity of a controlled thread. The kernel would give wrong answers, because all controlled threads run on one kernel thread
// (docs/design/runtime-laws.md#fibers).
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/own_number.h"
#include "intercept/real.h"

#include <sys/syscall.h>

using namespace heddle::rt;

HEDDLE_REAL(pthread_getcpuclockid);

// The main thread's number is that of the process, as programs expect. Other threads' numbers follow the order of creation.
HEDDLE_SHIM pid_t gettid() noexcept {
  const Thread* t = current_thread();
  if (t == nullptr) return static_cast<pid_t>(raw_syscall(SYS_gettid));
  return t->main ? getpid() : kFirstVirtualThread + static_cast<pid_t>(t->index);
}

// Any clock that a controlled thread reads is virtual time.
HEDDLE_SHIM int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  if (current_thread() == nullptr) return real_pthread_getcpuclockid(thread, clock);
  if (engine().thread_of(thread) == nullptr) return ESRCH;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
