// What comes with a signal of sigqueue or of a timer. As in Linux, a signal that is sent again before somebody has taken it is dropped, with its value. Only
// real-time signals queue.
#pragma once

#include <signal.h>

namespace heddle::rt {

// The next signal of this number has this code (SI_QUEUE, SI_TIMER) and value. Called before it is sent.
void carry_signal_value(int number, int code, sigval value);
// The same for a signal without a value (SI_USER, SI_TKILL): those that queue keep their order.
void carry_no_value(int number, int code);
// What the receiver of the signal is told. Called once for each signal that has arrived, also if nobody looks.
siginfo_t information_of_signal(int number);

}  // namespace heddle::rt
