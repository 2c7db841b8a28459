// A finding is a failure that happened in this run. Primitives and the engine raise findings. Analyses make reports of them, and of what they find
// in a finished run (analyses/report.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/options.h"
#include "schema/event.h"

namespace heddle::rt {

// ClusterFuzz takes the names as the crash type: see finding_name(). The numbers are part of signatures, so add new types only at the end.
// A new type needs a line in the table in finding.cc.
enum class FindingType : uint8_t {
  none,
  deadlock,           // a cycle of threads that wait for each other
  blocked_threads,    // threads that are blocked at the end, without a cycle (leak)
  lost_wakeup,        // waits for a notification that came before the wait
  livelock,
  unlock_not_owner,
  unlock_not_locked,
  double_lock,
  destroy_held,
  destroy_waited,     // a condition variable destroyed while threads wait on it
  use_after_destroy,
  join_self,
  double_join,
  data_race,
  assertion,          // by the target itself: assert, abort, terminate
  crash,              // a fatal signal
  unsupported,        // a call that heddle does not support
  send_on_closed_channel,
  close_of_closed_channel,
  close_of_nil_channel,
  negative_wait_group,
  mixed_deadlock,     // a cycle of threads that wait for each other's locks and channels
  double_free,
  invalid_free,       // of an address that is no heap block
  broken_pipe,        // a write to a pipe or socket without a reader, if SIGPIPE would end the process
  heap_use_after_free,
  exit_code,          // a whole program ended with an exit code other than 0
  sanitizer,          // a sanitizer reports; heddle adds its part
  stack_use_after_return,  // a use of another thread's variable
  timeout,            // the engine's time limit: the execution has not ended in time
  out_of_memory,      // the engine's limit for one allocation
  unexpected_exit,    // the process would end in the middle of an execution
  wait_group_misuse,  // an addition from zero in no order with a wait
  endless_threads,    // main has ended, and the other threads only spin
  leak,               // LeakSanitizer reports blocks of this execution
  thread_local_use_after_end,  // a use of a variable of a thread that has ended
  use_before_init,    // an object that is not initialised is used, or one that is in use is initialised
};

// These end the process in any case.
constexpr bool own_failure(FindingType type) {
  return type == FindingType::assertion || type == FindingType::crash || type == FindingType::sanitizer ||
         type == FindingType::timeout || type == FindingType::out_of_memory || type == FindingType::unexpected_exit;
}

// A use of memory that has no owner any more.
constexpr bool use_after_end(FindingType type) {
  return type == FindingType::heap_use_after_free || type == FindingType::stack_use_after_return || type == FindingType::thread_local_use_after_end;
}

struct FindingKind {
  FindingType type;
  const char* name;
  bool Options::*option;  // the option that decides whether it is reported; null: always reported
  const char* meaning;
};
// All types except `none`, grouped by subject. docs/reference/findings.md is generated from it.
std::span<const FindingKind> finding_kinds();

// "deadlock", "lost-wakeup", ...: the crash type for ClusterFuzz.
const char* finding_name(FindingType type);

// Whether HEDDLE_OPTIONS wants such findings reported.
bool is_reported(FindingType type);

// Where an exception was thrown first, or made.
struct Thrown {
  uint32_t thread, context, site;
  uint32_t events;  // so many events of the run came before
  size_t accesses;  // and so many accesses of the log (races/access_log.h)
  bool made;        // and not thrown there: std::make_exception_ptr
};

struct Finding {
  FindingType type = FindingType::none;
  uint32_t thread = 0;              // index
  uint32_t object = 0;              // index; 0: none
  uint32_t other_thread = kNoEvent; // the holder, the destroyer, ...: index or kNoEvent
  uint32_t other_event = kNoEvent;  // the event that explains it (the lock's acquisition, the destruction)
  uint32_t context = 0;             // context node of the current operation
  uint32_t site = 0;                // its site index
  const char* detail = nullptr;     // an additional phrase. Static, or valid until the report is printed
  uintptr_t address = 0;            // the memory's address, if the finding is about memory
  const Thrown* thrown = nullptr;   // by the program, which has not caught it
  uint32_t signing = kNoEvent;      // instead of `site`, for the signature: the site as it is known without debug information; kNoEvent: the same
};

// A finding is raised at the place where it happens. The registry of the analyses sets the sink once. The sink prints the
// report and ends the process. If the finding is switched off, it counts and returns.
using FindingSink = void (*)(const Finding&);
void set_finding_sink(FindingSink sink);
void raise_finding(const Finding& finding);

}  // namespace heddle::rt
