// A notification that was lost because the wrong thread got it: that thread has to wait again, and one
// that could have gone on was not woken.
#pragma once

#include <cstdint>
#include <vector>

#include "schema/trace_file.h"

namespace heddle::cli {

// The last notification of a condition variable wakes a thread that waits again at once, in the same
// place. Another thread has waited since before, and both wait until the end. No order of two operations
// says that: how many notifications come before, and who gets them, differs from run to run.
struct LastWake {
  SiteId woken = kNoSite, passed_over = kNoSite;              // the waits
  bool woken_anywhere = false, passed_over_anywhere = false;  // there, or at any other position

  bool operator==(const LastWake&) const = default;
  bool includes(const LastWake& other) const {
    return (woken_anywhere || woken == other.woken) && (passed_over_anywhere || passed_over == other.passed_over);
  }
};

struct LastWakeAt {
  LastWake wake;
  uint32_t notification;  // index of its event
};
// Those of the run, one for each position at which other threads wait.
std::vector<LastWakeAt> last_wakes(const StoredTrace& run);

}  // namespace heddle::cli
