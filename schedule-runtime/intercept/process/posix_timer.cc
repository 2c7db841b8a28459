// timer_create and its kin, in virtual time. Timers from before the execution belong to the kernel.
#include "primitives/posix_timer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "intercept/library_access.h"
#include "intercept/own_number.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/process/signal_value.h"
#include "primitives/timing.h"

using namespace heddle::rt;

HEDDLE_REAL(timer_create);
HEDDLE_REAL(timer_settime);
HEDDLE_REAL(timer_gettime);
HEDDLE_REAL(timer_getoverrun);
HEDDLE_REAL(timer_delete);

namespace {

using primitives::PosixTimer;
using primitives::TimerEnd;
using primitives::TimerSetting;

int failed(int error) {
  errno = error;
  return -1;
}

PosixTimer* controlled_timer(timer_t id) { return controlled() ? primitives::find_posix_timer(id) : nullptr; }

void send(const TimerEnd& end, Place place) {
  carry_signal_value(end.signal, SI_TIMER, end.value);
  send_from_timer(end.signal, end.receiver, place);
}

// 0 or an error number. Without an event, the timer sends SIGALRM.
int end_of(const sigevent* event, TimerEnd& end) {
  const int how = event != nullptr ? event->sigev_notify : SIGEV_SIGNAL;
  if (event != nullptr) end.value = event->sigev_value;
  switch (how) {
    case SIGEV_NONE: return 0;
    case SIGEV_THREAD:
      end.function = event->sigev_notify_function;
      if (event->sigev_notify_attributes != nullptr) {
        pthread_attr_getstacksize(static_cast<const pthread_attr_t*>(event->sigev_notify_attributes), &end.stack);
      }
      return 0;
    case SIGEV_THREAD_ID:
      end.receiver = thread_of_number(event->_sigev_un._tid);
      if (end.receiver == nullptr) return EINVAL;
      break;
    case SIGEV_SIGNAL: break;
    default: return EINVAL;
  }
  end.signal = event != nullptr ? event->sigev_signo : SIGALRM;
  if (end.signal <= 0 || end.signal >= NSIG) return EINVAL;
  end.send = send;
  return 0;
}

itimerspec left_of(const TimerSetting& setting) { return primitives::timer_left(setting.due, setting.interval); }

TimerSetting setting_for(const PosixTimer& timer, int flags, const itimerspec& time) {
  if (primitives::nanoseconds_of(time.it_value) == 0) return {};
  return {primitives::timer_due(clock_of(timer), (flags & TIMER_ABSTIME) != 0, time.it_value), primitives::nanoseconds_of(time.it_interval)};
}

}  // namespace

HEDDLE_SHIM int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  if (!controlled()) return real_timer_create(clock, event, id);
  value_accessed(event, false, HEDDLE_HERE);
  TimerEnd end;
  if (const int error = end_of(event, end)) return failed(error);
  PosixTimer* const timer = primitives::posix_timer_make(clock, end);
  if (timer == nullptr) return failed(EAGAIN);
  value_accessed(id, true, HEDDLE_HERE);
  *id = timer;
  return 0;
}

HEDDLE_SHIM int timer_settime(timer_t id, int flags, const itimerspec* time, itimerspec* before) noexcept {
  PosixTimer* const timer = controlled_timer(id);
  if (timer == nullptr) return real_timer_settime(id, flags, time, before);
  value_accessed(time, false, HEDDLE_HERE);
  if (!primitives::valid_for_timer(*time)) return failed(EINVAL);
  const itimerspec wanted = *time;  // another thread may go first
  const TimerSetting was = primitives::posix_timer_set(*timer, setting_for(*timer, flags, wanted), HEDDLE_HERE);
  if (before == nullptr) return 0;
  value_accessed(before, true, HEDDLE_HERE);
  *before = left_of(was);
  return 0;
}

// Who asks for the time reads a clock, so time goes on.
HEDDLE_SHIM int timer_gettime(timer_t id, itimerspec* left) noexcept {
  if (controlled_timer(id) == nullptr) return real_timer_gettime(id, left);
  primitives::read_clock(CLOCK_MONOTONIC, HEDDLE_HERE);
  const PosixTimer* const timer = primitives::find_posix_timer(id);
  if (timer == nullptr) return failed(EINVAL);
  value_accessed(left, true, HEDDLE_HERE);
  *left = left_of(setting_of(*timer));
  return 0;
}

HEDDLE_SHIM int timer_getoverrun(timer_t id) noexcept {
  const PosixTimer* const timer = controlled_timer(id);
  return timer != nullptr ? overruns_of(*timer) : real_timer_getoverrun(id);
}

HEDDLE_SHIM int timer_delete(timer_t id) noexcept {
  PosixTimer* const timer = controlled_timer(id);
  if (timer == nullptr) return real_timer_delete(id);
  primitives::posix_timer_delete(*timer, HEDDLE_HERE);
  return 0;
}
