// What comes to a thread from another one while it does something else: handlers of signals, and cancellation. Both come before the thread's next
// operation, or end its wait. (Thread::interrupt)
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// What the shims know of signals.
struct Handlers {
  void (*run)(int number, Place place);  // on the calling thread
  bool (*restarts)(int number);          // waits that can be begun again are, afterwards (SA_RESTART)
  bool (*handles)(int number);           // the signal is not ignored, and does not end the process
};

// The thread has been sent a signal that it does not block, and that has a handler. REQUIRES: the signal is in its pending_signals.
void handler_is_due(Thread& t, const Handlers& handlers);
// An alarm is about to be set. When its time has come, it interrupts the main thread between two operations or in its wait, except for waits for
// channels. With some seeds it comes between two operations up to five seconds earlier: a busy machine may have been slow until then.
void alarm_may_interrupt(Thread& main, const Handlers& handlers);
// It is now set to another time.
void alarm_has_changed(Thread& main);
// The calling thread is about to end the program, and not as one that has succeeded. If it does so in the handler of an alarm that has ended a wait while
// all other threads were blocked, the handler is a watchdog: what it has seen is the finding. Then the thread is back in that wait, in which the
// execution ends. Otherwise this returns.
void watchdog_ends_program();
// It is due on the calling thread, and a wait that may end without a cause should end now, so that it can run.
bool wakes_for_handler();
// The calling thread is about to block signals, which is no operation. Handlers that are due come before.
void handlers_come_first(Place place);
// Signals that ended a wait with another mask only if no descriptor was ready (Thread::suspended_for) interrupt the calling thread again, which is about to
// wait in an operation of this kind. True: one has come already.
bool signals_interrupt_again(Kind kind);
// The calling thread's operation is about to be parked. If a handler is due, it runs now, and nothing is parked: the wait has ended (true).
bool handler_ends_wait(const OpSpec& spec, Pending& p);
// The calling thread's last operation was ended by a handler, which has run. Then its event is recorded (`event`, if not null, gets its index), and
// the call fails with EINTR. Asked once.
bool was_interrupted(uint32_t* event = nullptr);

// The thread acts upon what is due for it from now on.
void interrupt_soon(Thread& t);
// A thread waits in this operation, and is not ready. Its wait ends as if its time had come.
void end_wait_early(Pending& p);

}  // namespace heddle::rt::primitives
