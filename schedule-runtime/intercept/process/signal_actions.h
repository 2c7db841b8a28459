// Signal actions of an execution. They belong to the execution, and the kernel does not get them: they would replace those of the fuzzing
// engine, which shares the process. A harness begins with the actions that LLVMFuzzerInitialize has set, a whole program with those of its
// constructors, and otherwise with the default ones.
//
// Two kinds do go to the kernel until the execution ends. One is SIGPIPE, which the kernel itself sends. The others, in a harness, are the
// signals of faults, because a program may handle its own faults. (In a whole program each fault is a finding.)
#pragma once

#include <signal.h>

#include <cstdint>

namespace heddle::rt {

// Called when the harness has initialised itself, before the fuzzing engine sets its own handlers. Without this call, executions begin with
// the default actions and no blocked signal.
void remember_initial_signals();

// The same for a whole program, before its main. It does not begin with what its process has inherited, so only actions of which
// note_action_outside() was told are remembered.
void remember_signals_of_constructors();
void note_action_outside(int number);

// SIGSEGV and similar signals, and SIGABRT.
bool is_crash(int number);
// The bits that a mask can have. The lowest is for signal 1.
uint64_t bits_of(const sigset_t& set);
sigset_t set_of(uint64_t bits);

// On a controlled thread, for a number from 1 to NSIG - 1.
struct sigaction signal_action(int number);
// 0 or an error number.
int set_signal_action(int number, const struct sigaction& action);

// On a controlled thread, as sigaction() and signal(), the latter with these flags.
int change_signal_action(int number, const struct sigaction* action, struct sigaction* before);
sighandler_t set_signal_handler(int number, sighandler_t handler, int flags);

// The thread's mask has changed, perhaps in a handler that the kernel has called with its signal blocked.
void crashes_unblocked(uint64_t blocked);

}  // namespace heddle::rt
