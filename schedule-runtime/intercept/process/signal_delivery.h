// Signals on their way, in the execution: to a handler, to a thread that waits for them, or into the list of those that are pending. A signal is delivered
// at once, on the thread that raises it; another thread gets it between two of its operations (primitives/interruption.h).
#pragma once

#include <signal.h>

#include "engine/engine.h"

namespace heddle::rt {

// As raise(). Returns 0, or -1 with errno.
int send_to_itself(int number, Place place);
// 0 or an error number.
int send_to_thread(Thread& to, int number, Place place);
// As kill() of the process itself.
int send_to_own_process(int number, Place place);
// The calling thread is a timer's: the program does not know it, and no handler runs there. `to` null: to the process. As with an alarm, a signal
// whose action would end the process comes only to a thread that waits for it.
void send_from_timer(int number, Thread* to, Place place);
// Signals that are pending for the calling thread or the process, and that the thread does not block.
uint64_t unblocked_signals();
// Their handlers run, until there are none among these.
void deliver_unblocked_signals(Place place, uint64_t among = ~uint64_t{0});
// As pthread_sigmask(): 0 or an error number.
int change_signal_mask(int how, const sigset_t* set, sigset_t* before, Place place);
// As sigsuspend() with these signals blocked.
int suspend_for_signals(uint64_t blocked, Place place);
// From now on SIGALRM may interrupt the main thread. False: it has no handler now.
bool let_alarm_interrupt();

}  // namespace heddle::rt
