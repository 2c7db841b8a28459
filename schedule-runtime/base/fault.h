// Faults that heddle has itself asked the kernel for: whoever handles fatal signals asks first whether this is one.
#pragma once

#include <signal.h>

namespace heddle::rt {

// True: it was, and the program goes on.
using MendFault = bool (*)(int signal, const siginfo_t* info, void* context);
inline constinit MendFault g_mend_fault = nullptr;

// Handlers that ask are in place: until then no such fault must come.
inline constinit bool g_faults_are_mended = false;

}  // namespace heddle::rt
