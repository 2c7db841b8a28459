// Faults that heddle has requested from the kernel. A handler of fatal signals first checks whether a fault is one of these.
#pragma once

#include <signal.h>

#include <cstddef>

namespace heddle::rt {

// True: it is one of these, and the program continues. May be called with a wrong thread pointer: it uses no thread-locals before it knows better.
using MendFault = bool (*)(int signal, const siginfo_t* info, void* context);

inline constexpr size_t kMostFaultMenders = 4;
inline constinit MendFault g_fault_menders[kMostFaultMenders] = {};

// False: there is no room.
inline bool add_fault_mender(MendFault mend) {
  for (MendFault& slot : g_fault_menders) {
    if (slot == nullptr) slot = mend;
    if (slot == mend) return true;
  }
  return false;
}

inline bool mend_fault(int signal, const siginfo_t* info, void* context) {
  for (const MendFault mend : g_fault_menders) {
    if (mend == nullptr) return false;
    if (mend(signal, info, context)) return true;
  }
  return false;
}

// Set when handlers that check are installed. Before that, no such fault may occur.
inline constinit bool g_faults_are_mended = false;

}  // namespace heddle::rt
