// Timers that send a signal, in virtual time. A thread that waits for SIGALRM gets it. If it has a handler, it interrupts the main thread between two
// operations. It never ends the process. Outside of executions these timers belong to the fuzzing engine.
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/engine.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/real.h"
#include "primitives/signal_wait.h"
#include "restore/process_state.h"

using namespace heddle::rt;

HEDDLE_REAL(alarm);
HEDDLE_REAL(ualarm);

static constinit Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};
static constinit Real<int(int, itimerval*)> real_getitimer{"getitimer"};

namespace {

constexpr uint64_t kMicrosecond = 1'000, kSecond = 1'000'000'000;

// In nanoseconds; 0: the alarm is not set.
uint64_t left_of(const primitives::Alarm& alarm) {
  const uint64_t now = engine().now();
  return alarm.due == kNever ? 0 : alarm.due > now ? alarm.due - now : 1;
}

// Returns the previous alarm, with its remaining time. Without a handler, only a thread that waits for the alarm notices it.
primitives::Alarm start(const char* call, uint64_t time, uint64_t interval) {
  if (time != 0 && !let_alarm_interrupt() && (current_thread()->blocked_signals & primitives::signal_bit(SIGALRM)) == 0) note_ignored(call);
  primitives::Alarm before = primitives::set_alarm({time == 0 ? kNever : engine().now() + time, interval});
  before.due = left_of(before);
  return before;
}

uint64_t nanoseconds(const timeval& time) { return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_usec) * kMicrosecond; }

// Rounded up: 0 would mean that the alarm is not set.
timeval time_of(uint64_t ns) {
  const uint64_t microseconds = (ns + kMicrosecond - 1) / kMicrosecond;
  return {static_cast<time_t>(microseconds / 1'000'000), static_cast<suseconds_t>(microseconds % 1'000'000)};
}

bool valid(const timeval& time) { return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1'000'000; }

}  // namespace

HEDDLE_SHIM unsigned alarm(unsigned seconds) noexcept {
  if (current_thread() == nullptr) return real_alarm(seconds);
  return static_cast<unsigned>((start("alarm", seconds * kSecond, 0).due + kSecond - 1) / kSecond);
}

HEDDLE_SHIM useconds_t ualarm(useconds_t time, useconds_t interval) noexcept {
  if (current_thread() == nullptr) return real_ualarm(time, interval);
  return static_cast<useconds_t>(start("ualarm", time * kMicrosecond, interval * kMicrosecond).due / kMicrosecond);
}

HEDDLE_SHIM int heddle_setitimer(int which, const itimerval* time, itimerval* before) asm("setitimer");
int heddle_setitimer(int which, const itimerval* time, itimerval* before) {
  if (current_thread() == nullptr) return real_setitimer(which, time, before);
  if (before != nullptr) *before = {};
  if (time == nullptr) return 0;
  if (!valid(time->it_value) || !valid(time->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (which != ITIMER_REAL) {
    if (nanoseconds(time->it_value) != 0) note_ignored("setitimer");
    return 0;
  }
  const primitives::Alarm was = start("setitimer", nanoseconds(time->it_value), nanoseconds(time->it_interval));
  if (before != nullptr) *before = {time_of(was.interval), time_of(was.due)};
  return 0;
}

HEDDLE_SHIM int heddle_getitimer(int which, itimerval* time) asm("getitimer");
int heddle_getitimer(int which, itimerval* time) {
  if (current_thread() == nullptr || which != ITIMER_REAL || time == nullptr) return real_getitimer(which, time);
  const primitives::Alarm now = primitives::current_alarm();
  *time = {time_of(now.interval), time_of(left_of(now))};
  return 0;
}
