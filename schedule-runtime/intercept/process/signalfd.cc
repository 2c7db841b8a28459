// signalfd(). See primitives/signal_file.h.
#include <signal.h>
#include <sys/signalfd.h>

#include <cerrno>

#include "base/raw_syscall.h"
#include "intercept/library_access.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_delivery.h"
#include "primitives/signal_file.h"
#include "primitives/signal_wait.h"

using namespace heddle::rt;

HEDDLE_REAL(signalfd);

HEDDLE_SHIM int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  if (current_thread() == nullptr) return real_signalfd(descriptor, set, flags);
  const Place here = HEDDLE_HERE;
  value_accessed(set, false, here);
  const uint64_t signals = bits_of(*set) & ~(primitives::signal_bit(SIGKILL) | primitives::signal_bit(SIGSTOP));
  const bool wrong = (flags & ~(SFD_NONBLOCK | SFD_CLOEXEC)) != 0;
  long result = wrong ? -EINVAL : descriptor < 0 ? primitives::signal_file_open(signals, flags, here) : primitives::signal_file_change(descriptor, signals);
  if (result >= 0) move_pending_to_files(signals, here);
  if (result == 0) result = descriptor;
  return static_cast<int>(through_errno(result));
}
