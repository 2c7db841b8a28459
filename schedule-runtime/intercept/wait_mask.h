// The signal mask of a wait for descriptors (ppoll, pselect, epoll_pwait). As in the kernel, the thread first looks at its descriptors: if one is
// ready, the signals that the mask lets through stay pending. Else their handlers run, and the wait fails with EINTR.
#pragma once

#include <signal.h>

#include "engine/engine.h"

namespace heddle::rt {

class WaitMask {
 public:
  // The calling thread has this mask from now on; null: it keeps its own.
  WaitMask(const sigset_t* mask, Place place);
  // A signal has come already, so the thread does not wait.
  bool has_signal() const;
  // The wait has ended with this result and errno. Puts the mask back, and returns the result of the call.
  long end(long result);

 private:
  const bool given_;
  const Place place_;
  const uint64_t before_;
};

}  // namespace heddle::rt
