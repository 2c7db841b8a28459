// Waiting for signals (sigwait and similar calls). A signal to a thread that blocks it, or to the process, stays pending until a thread takes it.
// A signal that is not blocked is delivered at once, by the shims.
//
// One object represents all waiters, also those that read signals from a descriptor (descriptor_signals.cc). Each waiter looks at its own signals
// and at those of the process.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

constexpr uint64_t signal_bit(int number) { return 1ull << (number - 1); }

// Signals sent to the process that no thread has taken yet, a bit for each number. Those sent to a thread are in its pending_signals.
uint64_t process_signals();
// One more signal is pending for the thread, or (null) for the process; or somebody has taken one. Of real-time signals each one counts, in the order in
// which they were sent. Of the others, one of a number.
void add_pending_signal(Thread* to, int number);
void take_pending_signal(Thread* from, int number);
// The thread takes this signal: the event that sent it. kNoEvent: a timer's, or not known. Of signals that do not queue, all that were sent come as one,
// and the first one counts.
uint32_t take_sent(Thread* by, int number);
// The signal is pending from now on: for the thread, or (null) for the process.
void signal_send(Thread* to, int number, Place place);
// SIGALRM comes at `due` (kNever: not at all), and then after each `interval` (0: only once). A thread that waits for it takes it, or it interrupts
// the main thread (interruption.h). Returns the previous setting.
struct Alarm {
  uint64_t due;
  uint64_t interval;
};
Alarm set_alarm(const Alarm& alarm);
Alarm current_alarm();
// If the alarm is due, it is pending for the thread from now on. `early`: also if it will be within five seconds.
void alarm_rings_for(Thread& t, bool early);

// The same for the process, as a thread sees it that blocks SIGALRM and reads it from a descriptor.
void alarm_rings_for_process();
// The time at which the alarm ends a wait for these signals; kNever.
uint64_t alarm_due_for(uint64_t set);

// The object of all operations on signals.
Object& signals_object(Place place);

// The thread is about to wait for the delivery of a signal (sigsuspend, pause). Signals that come before that are not delivered to it.
void signal_expect(Place place);
// A handler of this signal begins on the calling thread. It learns what the sender did before. `could_be_late`: the operation at `place` could
// have gone first.
void signal_handle(int number, Place place, bool could_be_late);
// Takes a pending signal in `set`, the lowest first, and waits for one until the deadline (kNever: no deadline). Returns 0 if none came.
int signal_wait(uint64_t set, uint64_t deadline, Place place);

}  // namespace heddle::rt::primitives
