// What comes with a signal of sigqueue or of a timer. A signal that is sent again before somebody has taken it comes once, with the latest value:
// heddle has no queues of real-time signals.
#pragma once

#include <signal.h>

namespace heddle::rt {

// The next signal of this number has this code (SI_QUEUE, SI_TIMER) and value. Called before it is sent.
void carry_signal_value(int number, int code, sigval value);
// What the receiver of the signal is told.
siginfo_t information_of_signal(int number);

}  // namespace heddle::rt
