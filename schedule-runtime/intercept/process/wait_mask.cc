#include "intercept/wait_mask.h"

#include <errno.h>

#include "intercept/library_access.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_delivery.h"

namespace heddle::rt {

WaitMask::WaitMask(const sigset_t* mask, Place place)
    : given_(mask != nullptr), place_(place), before_(current_thread()->blocked_signals) {
  if (!given_) return;
  value_accessed(mask, false, place);
  Thread& t = *current_thread();
  t.blocked_signals = bits_of(*mask);
  t.suspended_for = ~t.blocked_signals;  // until it has looked (primitives/descriptor_poll.cc)
}

bool WaitMask::has_signal() const { return given_ && unblocked_signals() != 0; }

long WaitMask::end(long result) {
  if (!given_) return result;
  Thread& t = *current_thread();
  t.suspended_for = 0;
  if (result == 0 && has_signal()) {
    result = -1;
    errno = EINTR;
  }
  if (result < 0 && errno == EINTR) deliver_unblocked_signals(place_);
  t.blocked_signals = before_;
  return result;
}

}  // namespace heddle::rt
