// Faults that heddle has requested from the kernel. A handler of fatal signals first checks whether a fault is one of these.
#pragma once

#include <signal.h>

namespace heddle::rt {

// True: it is one of these, and the program continues.
using MendFault = bool (*)(int signal, const siginfo_t* info, void* context);
inline constinit MendFault g_mend_fault = nullptr;

// Set when handlers that check are installed. Before that, no such fault may occur.
inline constinit bool g_faults_are_mended = false;

}  // namespace heddle::rt
