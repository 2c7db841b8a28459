// Which blocked threads are the cause of a blocked end, and which only wait for these.
//
// A thread that waits for a lock or for the end of a thread waits for one thread. One that waits on a channel, a condition variable or the
// like waits for those that have done the other side of the operation in this run: that have received from the channel, notified, ... If
// these are blocked, too, its own wait is a consequence of theirs.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

// The last event of another thread that did what the unfinished operation `wait` waits for; kNoEvent: none in this run. `by_blocked`: of one that is blocked.
uint32_t last_other_side(const RunSummary& run, uint32_t wait, bool by_blocked = false);

// Of a wait on a semaphore: by which another thread has taken the count that it waits for; kNoEvent: not known.
uint32_t last_taker(const RunSummary& run, uint32_t wait);

// Do two threads wait for the same object at the same place?
bool alike(const RunSummary& run, uint32_t wait, uint32_t other);

// There is only one at a time.
class WaitGraph {
 public:
  static constexpr uint32_t kMost = 256;  // threads. Of more, only those count that wait for one thread

  // `waits`: of each thread of the run the unfinished operation that is part of the finding; kNoEvent.
  WaitGraph(const RunSummary& run, const uint32_t* waits);
  // It waits for no blocked thread, or all that it waits for wait for it, too. Or this is so of one that waits alike.
  bool is_cause(uint32_t thread) const;
  // By way of others, or itself.
  bool waits_for(uint32_t thread, uint32_t other) const;

 private:
  bool is_cause_itself(uint32_t thread) const;
  uint32_t place_of(uint32_t thread) const;

  const RunSummary& run_;
  const uint32_t* const waits_;
  uint32_t count_ = 0;
};

}  // namespace heddle::rt
