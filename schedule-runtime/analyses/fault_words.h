// What a faulting instruction did, in words, from the machine state that a signal handler gets.
#pragma once

#include <signal.h>

#include <cstddef>

namespace heddle::rt {

// "write to address 0x000000000008 (close to a null pointer)". Empty for a signal that no access to memory causes.
void describe_fault(char* out, size_t size, const siginfo_t* info, const void* context);

}  // namespace heddle::rt
