// Timers of timer_create, in virtual time. As in glibc, a timer that runs has a thread that waits for its time, and each call of its function
// gets a thread of its own. So a call can still run, or begin, after timer_delete. Of a timer that sends a signal, the waiting thread sends it.
//
// The waiting thread waits on a futex. To set, stop or delete the timer wakes it, and it ends; a timer that is set again gets a new one, which
// knows what the setting thread has done.
#pragma once

#include <signal.h>
#include <time.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// What happens when the time has come.
struct TimerEnd {
  void (*function)(sigval) = nullptr;  // in a new thread, with a stack of at least `stack` bytes
  void (*send)(const TimerEnd&, Place) = nullptr;  // null, and no function: nothing happens
  sigval value = {};
  size_t stack = 0;
  int signal = 0;
  Thread* receiver = nullptr;  // null: the process
};

struct TimerSetting {
  uint64_t due = kNever;
  uint64_t interval = 0;  // 0: only once
};

struct PosixTimer;

// Null: there are too many. The timer ends with the execution.
PosixTimer* posix_timer_make(clockid_t clock, const TimerEnd& end);
// Null: it is no timer of this execution, or it was deleted.
PosixTimer* find_posix_timer(const void* timer);
clockid_t clock_of(const PosixTimer& timer);
TimerSetting setting_of(const PosixTimer& timer);
// How many expirations the last one stands for, besides itself.
int overruns_of(const PosixTimer& timer);

// Returns the setting that this one replaces.
TimerSetting posix_timer_set(PosixTimer& timer, const TimerSetting& setting, Place place);
void posix_timer_delete(PosixTimer& timer, Place place);

}  // namespace heddle::rt::primitives
