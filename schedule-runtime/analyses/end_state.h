// Who waits for whom at the end of a run.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

// Blocked without a time limit: only another thread can let it go on.
bool is_blocked(const ThreadRecord& thread);
// Can go on, now or at its deadline.
bool is_alive(const ThreadRecord& thread);
bool any_blocked(const RunSummary& run);
// The one with whose end the process ends.
const ThreadRecord& main_of(const RunSummary& run);
// The thread is one of the parent process's: in this process it never runs, and keeps what it holds.
bool is_elsewhere(const RunSummary& run, uint32_t thread);

// The thread's unfinished operation; kNoEvent.
uint32_t waiting_event(const RunSummary& run, uint32_t thread);
// Where the thread has ended; kNoEvent.
uint32_t exit_of(const RunSummary& run, uint32_t thread);
// True for operations that take something exclusively until it is released: a lock, or a once flag while its function runs.
bool takes_alone(Kind kind);
// The only thread that can end that wait: the holder of a lock, the thread that runs a once function, or the thread to be joined. kNoEvent:
// no single thread.
uint32_t awaited_thread(const RunSummary& run, uint32_t event);
// Where the holder took the lock, or where the once function began; kNoEvent.
uint32_t acquisition(const RunSummary& run, uint32_t object, uint32_t holder);

// Whether a blocked thread may still be woken: by a thread that is alive, or by one that such a thread can wake, and so on. If a waiter
// waits for a certain thread, only that thread can wake it. Otherwise any thread that has used the object can
// (docs/design/happens-before.md#who-can-still-be-woken).
class Hope {
 public:
  explicit Hope(const RunSummary& run);
  bool operator[](uint32_t thread) const;

 private:
  bool may_wake(const RunSummary& run, uint32_t event) const;
};

}  // namespace heddle::rt
