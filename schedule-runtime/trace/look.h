// What a thread does that waits in a loop: it looks, and changes nothing.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

// Such an operation orders no other thread's. So the engine can leave it out of the record when a thread has done nothing else for long.
// `unchanged`: a read-modify-write has stored the value that it found, as an exchange that tries to take a lock. Its release still counts (ClockTracker::look).
inline bool is_look(Kind kind, Outcome outcome, bool unchanged) {
  if (kind == Kind::atomic_load || kind == Kind::yield) return true;
  if (kind == Kind::atomic_rmw) return unchanged;
  return outcome == Outcome::failure && (kind == Kind::atomic_cas || kind_info(kind).has(kHoldsLock));
}

}  // namespace heddle::rt
