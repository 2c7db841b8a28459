// syscall(). Futexes go to their model. Calls that another shim handles under their libc name go there. Calls that would leave the
// execution are refused. The kernel does the rest.
//
// libc's own futex calls are inline and never come here. They belong to functions that have shims.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/descriptors/by_number.h"
#include "intercept/fork_by_number.h"
#include "intercept/own_number.h"
#include "intercept/real.h"
#include "intercept/refuse.h"
#include "primitives/futex.h"
#include "primitives/timing.h"

using namespace heddle::rt;

namespace {

// FUTEX_WAIT takes an interval, FUTEX_WAIT_BITSET an absolute time.
uint64_t deadline_of(int op, const timespec* time) {
  if (time == nullptr) return kNever;
  if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT) return primitives::deadline_in(*time);
  return primitives::deadline_at((op & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time);
}

// As in the kernel, a number of 0 or below is 1.
uint32_t limit_of(uintptr_t value) { return static_cast<int>(value) < 1 ? 1 : static_cast<uint32_t>(value); }

long futex(const uint32_t* word, int op, uint32_t value, uintptr_t argument, uint32_t* other, uint32_t bitset, Place place) {
  const int command = op & FUTEX_CMD_MASK;
  if (reinterpret_cast<uintptr_t>(word) % alignof(uint32_t) != 0) return -EINVAL;
  if (command == FUTEX_WAIT || command == FUTEX_WAKE) bitset = FUTEX_BITSET_MATCH_ANY;
  switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      const timespec* time = reinterpret_cast<const timespec*>(argument);
      if (bitset == 0 || (time != nullptr && (!primitives::valid_timespec(*time) || time->tv_sec < 0))) return -EINVAL;
      return -primitives::futex_wait(word, value, bitset, deadline_of(op, time), place);
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      if (bitset == 0) return -EINVAL;
      return primitives::futex_wake(word, limit_of(value), bitset, place);
    case FUTEX_WAKE_OP:
      if (reinterpret_cast<uintptr_t>(other) % alignof(uint32_t) != 0) return -EINVAL;
      return primitives::futex_wake_op(word, limit_of(value), other, limit_of(argument), bitset, place);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      if (reinterpret_cast<uintptr_t>(other) % alignof(uint32_t) != 0 || static_cast<int>(value) < 0 || static_cast<int>(argument) < 0) return -EINVAL;
      return primitives::futex_requeue(word, value, other, static_cast<uint32_t>(argument), command == FUTEX_REQUEUE ? nullptr : &bitset, place);
    default:
      refuse("syscall(SYS_futex) with this operation", place,
             "only waits, wakes and moves of waiters are supported, without priority inheritance. Use a mutex or a condition variable");
      return -ENOSYS;
  }
}

void refuse_foreign(long number, Place place) {
  switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_execve:
    case SYS_execveat:
      refuse("syscall() for a new thread or process", place, "start threads with pthread_create. Move processes out of the body");
      break;
    case SYS_io_uring_enter:
      refuse("syscall(SYS_io_uring_enter)", place, "the scheduler cannot see what it waits for. Use read, write and poll");
      break;
    case SYS_clock_settime:
    case SYS_settimeofday:
    case SYS_adjtimex:
    case SYS_clock_adjtime:
      refuse("syscall() that sets a clock", place, "it would set the clock of the machine. Leave it out of the test");
      break;
    case SYS_exit:
      refuse("syscall(SYS_exit)", place, "end the thread with pthread_exit");
      break;
#ifdef SYS_futex_waitv
    case SYS_futex_waitv:
      refuse("syscall(SYS_futex_waitv)", place, "wait for one futex at a time");
      break;
#endif
  }
}

}  // namespace

HEDDLE_SHIM long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  uintptr_t a[6];
  for (uintptr_t& argument : a) argument = va_arg(list, uintptr_t);
  va_end(list);
  if (current_thread() == nullptr) return through_errno(raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  switch (number) {
    case SYS_futex:
      return through_errno(futex(reinterpret_cast<uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<uint32_t>(a[2]), a[3],
                                 reinterpret_cast<uint32_t*>(a[4]), static_cast<uint32_t>(a[5]), HEDDLE_HERE));
    case SYS_getpid: return getpid();
    case SYS_getppid: return getppid();
    case SYS_gettid: return gettid();
    case SYS_tgkill: return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    case SYS_getrandom: return getrandom(reinterpret_cast<void*>(a[0]), a[1], static_cast<unsigned>(a[2]));
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork: return fork_by_number(HEDDLE_HERE);
#endif
    case SYS_sched_yield:
      primitives::yield(HEDDLE_HERE);
      return 0;
    case SYS_clock_gettime:
      return clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
    case SYS_nanosleep: return nanosleep(reinterpret_cast<timespec*>(a[0]), reinterpret_cast<timespec*>(a[1]));
    case SYS_clock_nanosleep:
      return through_errno(-clock_nanosleep(static_cast<clockid_t>(a[0]), static_cast<int>(a[1]), reinterpret_cast<timespec*>(a[2]),
                                            reinterpret_cast<timespec*>(a[3])));
    default:
      if (long result; descriptor_syscall(number, a, result)) return result;
      refuse_foreign(number, HEDDLE_HERE);
      numbers_for_kernel(number, a);
      return through_errno(raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
  }
}
