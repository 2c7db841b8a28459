// Clocks, sleeps and yields, all in virtual time (docs/design/runtime-laws.md#when-nothing-moves).
#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "engine/initialisation.h"
#include "intercept/early_wait.h"
#include "intercept/library_access.h"
#include "primitives/timing.h"

using namespace heddle::rt;

HEDDLE_REAL(clock_gettime);
HEDDLE_REAL(time);
HEDDLE_REAL(nanosleep);
HEDDLE_REAL(clock_nanosleep);
HEDDLE_REAL(usleep);
HEDDLE_REAL(sleep);
HEDDLE_REAL(sched_yield);

static constinit Real<int(timeval*, void*)> real_gettimeofday{"gettimeofday"};

namespace {

constexpr uint64_t kSecond = 1'000'000'000ull;

timespec early_time(clockid_t clock) { return primitives::timespec_of(primitives::read_early_clock(clock)); }

// The sleep of a thread that heddle does not control has ended well.
void slept(uint64_t ns) {
  if (initialises()) initialisation().pass(ns);
}

template <typename Time>
void set(Time* to, const Time& value, Place place) {
  value_accessed(to, true, place);
  *to = value;
}

}  // namespace

HEDDLE_SHIM int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (initialises()) {
    *time = early_time(clock);
    return 0;
  }
  if (current_thread() == nullptr) return real_clock_gettime(clock, time);
  const Place here = HEDDLE_HERE;
  if (!primitives::valid_clock(clock)) {
    errno = EINVAL;
    return -1;
  }
  const uint64_t ns = primitives::read_clock(clock, here);
  set(time, {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}, here);
  return 0;
}

HEDDLE_SHIM int gettimeofday(timeval* time, void* zone) noexcept {
  if (initialises()) {
    const timespec now = early_time(CLOCK_REALTIME);
    *time = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
  }
  if (current_thread() == nullptr) return real_gettimeofday(time, zone);
  const Place here = HEDDLE_HERE;
  const uint64_t ns = primitives::read_clock(CLOCK_REALTIME, here);
  set(time, {static_cast<time_t>(ns / kSecond), static_cast<suseconds_t>(ns % kSecond / 1000)}, here);
  return 0;
}

HEDDLE_SHIM time_t time(time_t* out) noexcept {
  if (initialises()) {
    const time_t seconds = early_time(CLOCK_REALTIME).tv_sec;
    if (out != nullptr) *out = seconds;
    return seconds;
  }
  if (current_thread() == nullptr) return real_time(out);
  const Place here = HEDDLE_HERE;
  const time_t seconds = static_cast<time_t>(primitives::read_clock(CLOCK_REALTIME, here) / kSecond);
  if (out != nullptr) set(out, seconds, here);
  return seconds;
}

HEDDLE_SHIM int nanosleep(const timespec* interval, timespec* rest) {
  if (current_thread() == nullptr) {
    const int result = real_nanosleep(interval, rest);
    if (result == 0) slept(primitives::nanoseconds_of(*interval));
    return result;
  }
  value_accessed(interval, false, HEDDLE_HERE);
  if (!primitives::valid_timespec(*interval) || interval->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  if (primitives::sleep_for(*interval, rest, HEDDLE_HERE)) return 0;
  errno = EINTR;
  return -1;
}

HEDDLE_SHIM int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  if (current_thread() == nullptr) {
    if ((flags & TIMER_ABSTIME) != 0) {
      return wait_until_kernel_time(clock, time, [&](const timespec* until) { return real_clock_nanosleep(clock, flags, until, rest); }, true);
    }
    const int result = real_clock_nanosleep(clock, flags, time, rest);
    if (result == 0) slept(primitives::nanoseconds_of(*time));
    return result;
  }
  value_accessed(time, false, HEDDLE_HERE);
  if (const int error = primitives::sleep_error(clock)) return error;
  if (!primitives::valid_timespec(*time) || time->tv_sec < 0) return EINVAL;
  if ((flags & TIMER_ABSTIME) != 0) {
    return primitives::sleep_until(primitives::deadline_at(clock, *time), HEDDLE_HERE) ? 0 : EINTR;
  }
  return primitives::sleep_for(*time, rest, HEDDLE_HERE) ? 0 : EINTR;
}

HEDDLE_SHIM int usleep(useconds_t us) {
  if (current_thread() == nullptr) {
    const int result = real_usleep(us);
    if (result == 0) slept(us * uint64_t{1000});
    return result;
  }
  const timespec interval = {static_cast<time_t>(us / 1'000'000), static_cast<long>(us % 1'000'000) * 1000};
  if (primitives::sleep_for(interval, nullptr, HEDDLE_HERE)) return 0;
  errno = EINTR;
  return -1;
}

HEDDLE_SHIM unsigned sleep(unsigned seconds) {
  if (current_thread() == nullptr) {
    const unsigned left = real_sleep(seconds);
    slept((seconds - left) * kSecond);
    return left;
  }
  timespec rest = {0, 0};
  primitives::sleep_for({static_cast<time_t>(seconds), 0}, &rest, HEDDLE_HERE);
  return static_cast<unsigned>(rest.tv_sec);  // as glibc, which drops a part of a second
}

HEDDLE_SHIM int sched_yield() noexcept {
  if (current_thread() == nullptr) return real_sched_yield();
  primitives::yield(HEDDLE_HERE);
  return 0;
}
