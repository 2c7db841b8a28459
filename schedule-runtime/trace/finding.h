// A finding: something wrong that happened in this run. Primitives and the engine raise them; analyses turn them, and what they see in a
// finished run, into reports (analyses/report.h).
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

// The names are what ClusterFuzz sees as the crash type: see finding_name(). The numbers are part of signatures: append.
enum class FindingType : uint8_t {
  none,
  deadlock,           // a cycle of threads that wait for each other
  blocked_threads,    // threads left blocked at the end, without a cycle (leak)
  lost_wakeup,        // waits for a notification that came before the wait
  livelock,
  unlock_not_owner,
  unlock_not_locked,
  double_lock,
  destroy_held,
  destroy_waited,     // a condition variable destroyed under its waiters
  use_after_destroy,
  join_self,
  double_join,
  data_race,
  assertion,          // the target's own: assert, abort, terminate
  crash,              // a fatal signal
  unsupported,        // a call that heddle does not support
  send_on_closed_channel,
  close_of_closed_channel,
  close_of_nil_channel,
  negative_wait_group,
  mixed_deadlock,     // a cycle of threads that wait for each other's locks and channels
  double_free,
  invalid_free,       // of what is no block of the heap
  broken_pipe,        // written to what nobody can read any more, and SIGPIPE has its default action
  heap_use_after_free,
  exit_code,          // a whole program ended with an exit code other than 0
  sanitizer,          // a sanitizer's own report, told beside it
  stack_use_after_return,  // of another thread's variable
  timeout,            // the engine's own: an execution that has not ended in its time
};

// What ends the process by itself, whatever we make of it.
constexpr bool own_failure(FindingType type) {
  return type == FindingType::assertion || type == FindingType::crash || type == FindingType::sanitizer ||
         type == FindingType::timeout;
}

struct Finding {
  FindingType type = FindingType::none;
  uint32_t thread = 0;              // index
  uint32_t object = 0;              // index; 0: none
  uint32_t other_thread = kNoEvent; // the holder, the destroyer, ...: index or kNoEvent
  uint32_t other_event = kNoEvent;  // the event that explains it (the lock's acquisition, the destruction)
  uint32_t context = 0;             // context node of the current operation
  uint32_t site = 0;                // its site index
  const char* detail = nullptr;     // one more phrase; static or living until the report is printed
  uintptr_t address = 0;            // of the memory, where it is about that
};

// Raised where it happens. The sink is set once by the analyses' registry; it prints the report and dies, unless the
// finding is switched off: then it counts and returns.
using FindingSink = void (*)(const Finding&);
void set_finding_sink(FindingSink sink);
void raise_finding(const Finding& finding);

}  // namespace heddle::rt
