// Signal actions of an execution. They are the execution's own, and the kernel does not get them: they would replace those of the engine, which
// shares the process. A harness begins with the actions that LLVMFuzzerInitialize has left, a whole program with the default ones.
//
// Two kinds do go to the kernel until the execution ends: SIGPIPE, which the kernel sends by itself, and, in a harness, the signals that faults raise
// (a program may handle its own faults; in a whole program each fault is a finding).
#pragma once

#include <signal.h>

#include <cstdint>

namespace heddle::rt {

// When the harness has set itself up, before the engine has handlers of its own. Without this call executions begin with the default actions, and
// no signal blocked.
void remember_initial_signals();

// SIGSEGV and its like, and SIGABRT.
bool is_crash(int number);
// The bits of what a mask can hold, the lowest for signal 1.
uint64_t bits_of(const sigset_t& set);

// On a controlled thread, for a number from 1 to NSIG - 1.
struct sigaction signal_action(int number);
// 0 or an error number.
int set_signal_action(int number, const struct sigaction& action);

// The thread's mask has changed, perhaps in a handler that the kernel has called with its signal blocked.
void crashes_unblocked(uint64_t blocked);

}  // namespace heddle::rt
