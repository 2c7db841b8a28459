// Timers that would send a signal never ring in an execution: real time does not pass there. And outside of it they are the engine's.
#include <sys/time.h>
#include <unistd.h>

#include "engine/process_state.h"
#include "intercept/refuse.h"
#include "intercept/word_shim.h"

using namespace heddle::rt;

HEDDLE_REAL(alarm);
HEDDLE_REAL(ualarm);

static constinit Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};

HEDDLE_SHIM unsigned alarm(unsigned seconds) noexcept {
  if (current_thread() == nullptr) return real_alarm(seconds);
  if (seconds != 0) note_ignored("alarm");
  return 0;
}

HEDDLE_SHIM useconds_t ualarm(useconds_t time, useconds_t interval) noexcept {
  if (current_thread() == nullptr) return real_ualarm(time, interval);
  note_ignored("ualarm");
  return 0;
}

HEDDLE_SHIM int heddle_setitimer(int which, const itimerval* time, itimerval* before) asm("setitimer");
int heddle_setitimer(int which, const itimerval* time, itimerval* before) {
  if (current_thread() == nullptr) return real_setitimer(which, time, before);
  if (before != nullptr) *before = {};
  if (time != nullptr && (time->it_value.tv_sec != 0 || time->it_value.tv_usec != 0)) note_ignored("setitimer");
  return 0;
}

HEDDLE_WORD_SHIM(timer_create,
                 if (current_thread() != nullptr) refuse("timer_create", HEDDLE_HERE, "no real time passes in an execution; use a thread that sleeps"))
