// Numbers of processes and threads that the kernel does not know: those that getpid() and getppid() give in a whole program, and gettid() in
// any controlled thread but main. A call that takes such a number to the kernel would fail.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt {

// Above any number of the kernel (PID_MAX_LIMIT is 2^22), so that it is never taken for another process.
inline constexpr pid_t kFirstVirtualThread = 1 << 28;

// For a call to the kernel: the number there of what the calling thread calls `number`. All controlled threads are one for the kernel.
pid_t number_for_kernel(pid_t number);
// The other way, for a process that the kernel names.
pid_t number_for_program(pid_t number);
// The controlled thread whose gettid() this is; null: none.
Thread* thread_of_number(pid_t number);
// The same for the arguments of a system call that takes a number.
void numbers_for_kernel(long call, uintptr_t* arguments);

}  // namespace heddle::rt
