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
// An alarm has been set. It interrupts the main thread between two operations, when its time has come, and with some seeds up to five
// seconds earlier: a busy machine may have been slow until then. It ends no wait, so that a program that watches over itself does not hide
// its deadlocks.
void alarm_may_interrupt(Thread& main, const Handlers& handlers);
// It is due on the calling thread, and a wait that may end without a cause should end now, so that it can run.
bool wakes_for_handler();
// The calling thread is about to block signals, which is no operation. Handlers that are due come before.
void handlers_come_first(Place place);
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
