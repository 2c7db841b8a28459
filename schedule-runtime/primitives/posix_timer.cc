#include "primitives/posix_timer.h"

#include <errno.h>
#include <limits.h>

#include <algorithm>

#include "primitives/futex.h"
#include "primitives/thread_life.h"

namespace heddle::rt::primitives {

// `round` is the futex's word. It counts up when the timer is set, stopped or deleted, also in the timer's next life: a thread that waits for an
// earlier round has nothing to do any more.
struct PosixTimer {
  uint32_t round;
  bool used;
  clockid_t clock;
  TimerEnd end;
  TimerSetting setting;
  int overruns;
  Place place;  // of the call that has set it
};

namespace {

constexpr uint32_t kMostTimers = 1024;
constexpr char kName[] = "timer";

struct Timers {
  uint64_t execution;
  uint32_t count;  // those behind were not used in this execution
  PosixTimer timers[kMostTimers];
};
constinit Timers g_timers = {};

Timers& timers() {
  const uint64_t now = engine().begun();
  if (g_timers.execution != now) {
    g_timers.execution = now;
    g_timers.count = 0;
  }
  return g_timers;
}

// What the waiting thread gets: a round of a timer.
void* packed(uint32_t timer, uint32_t round) { return reinterpret_cast<void*>(uintptr_t{timer} << 32 | round); }

void start_thread(void* (*start)(void*), void* argument, size_t stack, uint64_t blocked_signals, Place place) {
  pthread_t thread;
  if (thread_create(&thread, start, argument, true, place, stack) == 0) engine().thread_of(thread)->blocked_signals = blocked_signals;
}

void call_end(const PosixTimer& timer) {
  const TimerEnd end = timer.end;
  const Place place = timer.place;
  // The function is the thread's own, so that reports name it. What a detached thread returns is never looked at. As in glibc, it blocks no signal.
  if (end.function != nullptr) start_thread(reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(end.function)), end.value.sival_ptr, end.stack, 0, place);
  else if (end.send != nullptr) end.send(end, place);
}

// The time has come. The next one is a multiple of the interval away, and not over yet.
void move_on(PosixTimer& timer) {
  const uint64_t now = engine().now();
  TimerSetting& setting = timer.setting;
  const uint64_t missed = setting.due < now ? (now - setting.due) / setting.interval : 0;
  timer.overruns = static_cast<int>(std::min<uint64_t>(missed, INT_MAX));
  setting.due += (missed + 1) * setting.interval;
}

void* wait_for_end(void* argument) {
  const auto bits = reinterpret_cast<uintptr_t>(argument);
  const auto round = static_cast<uint32_t>(bits);
  PosixTimer& timer = g_timers.timers[bits >> 32];
  std::copy(std::begin(kName), std::end(kName), current_thread()->name);
  while (timer.round == round) {
    const int result = futex_wait(&timer.round, round, ~0u, timer.setting.due, timer.place);
    if (result != ETIMEDOUT || timer.round != round) continue;
    if (timer.setting.interval == 0) {
      timer.setting.due = kNever;
      call_end(timer);
      break;
    }
    move_on(timer);
    call_end(timer);
    if (engine().body_has_returned()) break;  // it would ring until the execution is cut
  }
  return nullptr;
}

// The waiting thread ends. Nothing happens if the timer does not run.
void stop(PosixTimer& timer, Place place) {
  if (timer.setting.due != kNever) futex_wake(&timer.round, 1, ~0u, place);
  ++timer.round;
}

}  // namespace

PosixTimer* posix_timer_make(clockid_t clock, const TimerEnd& end) {
  Timers& all = timers();
  PosixTimer* free = std::find_if(all.timers, all.timers + all.count, [](const PosixTimer& t) { return !t.used; });
  if (free == all.timers + all.count) {
    if (all.count == kMostTimers) return nullptr;
    ++all.count;
    free->round = 0;
  }
  *free = {.round = free->round, .used = true, .clock = clock, .end = end, .setting = {}, .overruns = 0, .place = {}};
  return free;
}

PosixTimer* find_posix_timer(const void* timer) {
  Timers& all = timers();
  for (uint32_t i = 0; i < all.count; ++i) {
    if (&all.timers[i] == timer) return all.timers[i].used ? &all.timers[i] : nullptr;
  }
  return nullptr;
}

clockid_t clock_of(const PosixTimer& timer) { return timer.clock; }
TimerSetting setting_of(const PosixTimer& timer) { return timer.setting; }
int overruns_of(const PosixTimer& timer) { return timer.overruns; }

TimerSetting posix_timer_set(PosixTimer& timer, const TimerSetting& setting, Place place) {
  stop(timer, place);
  const TimerSetting before = timer.setting;
  timer.setting = setting;
  timer.overruns = 0;
  timer.place = place;
  futex_label(&timer.round, "a timer", place);
  // The program does not know the waiting thread, so no signal is for it.
  void* const argument = packed(static_cast<uint32_t>(&timer - g_timers.timers), timer.round);
  if (setting.due != kNever) start_thread(wait_for_end, argument, 0, ~0ull, place);
  return before;
}

void posix_timer_delete(PosixTimer& timer, Place place) {
  stop(timer, place);
  timer.used = false;
  timer.setting = {};
}

}  // namespace heddle::rt::primitives
