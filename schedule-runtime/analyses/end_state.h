// Who waits for whom at the end of a run.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

// Blocked without a time limit: nothing but another thread can let it go on.
bool is_blocked(const ThreadRecord& thread);
// Able to go on, now or when its time comes.
bool is_alive(const ThreadRecord& thread);
bool any_blocked(const RunSummary& run);

// The thread's unfinished operation; kNoEvent.
uint32_t waiting_event(const RunSummary& run, uint32_t thread);
// Takes what one thread has until it gives it back: a lock, or a once flag whose function it runs.
bool takes_alone(Kind kind);
// The thread that alone can end that wait: a lock's holder, who runs a once function, the thread to be joined; kNoEvent: there is no such one.
uint32_t awaited_thread(const RunSummary& run, uint32_t event);
// Where the holder of a lock took it, or the once function began; kNoEvent.
uint32_t acquisition(const RunSummary& run, uint32_t object, uint32_t holder);

// Whether the blocked thread may still be woken: a thread that is alive can, or one that it can wake in turn. A waiter of an
// object can be woken by the thread that it waits for, if there is one. Otherwise by any thread that has touched the object
// (docs/design/happens-before.md#who-can-still-be-woken).
class Hope {
 public:
  explicit Hope(const RunSummary& run);
  bool operator[](uint32_t thread) const;

 private:
  bool may_wake(const RunSummary& run, uint32_t event) const;
};

}  // namespace heddle::rt
