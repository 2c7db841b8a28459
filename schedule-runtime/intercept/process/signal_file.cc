// Signals that a thread reads from a descriptor (signalfd).
#include <errno.h>
#include <sys/signalfd.h>

#include "intercept/library_access.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_value.h"
#include "primitives/descriptor.h"

using namespace heddle::rt;

HEDDLE_REAL(signalfd);

HEDDLE_SHIM int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  value_accessed(set, false, HEDDLE_HERE);
  const bool makes = descriptor == -1;
  if (current_thread() == nullptr || (!makes && primitives::find_description(descriptor) == nullptr)) return real_signalfd(descriptor, set, flags);
  const long result = makes ? primitives::make_signal_file(bits_of(*set), flags, information_of_signal, HEDDLE_HERE)
                            : primitives::change_signal_file(descriptor, bits_of(*set), HEDDLE_HERE);
  if (result >= 0) return makes ? static_cast<int>(result) : descriptor;
  errno = static_cast<int>(-result);
  return -1;
}
