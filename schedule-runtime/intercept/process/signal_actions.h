// What becomes of signals in an execution. It has actions of its own, which the kernel is not told of: it would change those of the engine, whose
// process this is. A harness's begin as LLVMFuzzerInitialize has left them, a whole program's as the default.
//
// Two kinds are the kernel's all the same, until the end of the execution: SIGPIPE, which it sends by itself, and in a harness what a fault raises
// (a program may have a use for its faults; in a whole program each is a finding).
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
