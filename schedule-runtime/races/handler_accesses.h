// What signal handlers did, and what of it conflicts with accesses of the thread that they interrupted. One thread makes both, so they do not race.
// But the signal could have come at another moment, for example between a check and what follows from it. So the search gets such pairs of
// positions like those of races, and can place a choice between them (docs/design/runtime-laws.md#handlers-on-other-threads). Reports treat what a
// handler did like that of another thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct LoggedAccess;

// Called at the begin of a watched execution.
void handler_accesses_begin();

// While it lives, a handler runs on the thread, whose stack is [low, high). Its own variables do not count.
class HandlerAccesses {
 public:
  HandlerAccesses(uint32_t thread, uintptr_t low, uintptr_t high);
  ~HandlerAccesses();
  HandlerAccesses(const HandlerAccesses&) = delete;
  HandlerAccesses& operator=(const HandlerAccesses&) = delete;

 private:
  const size_t run_;
};

// The run of a handler, numbered from 1, in which the thread made this access (by its number in the log) or this event. Of several that
// interrupt one another, the last one. 0: in none.
uint32_t handler_of_access(uint32_t thread, size_t number);
uint32_t handler_of_event(uint32_t thread, uint32_t event);

// Calls `found` for each access of a thread and access of a handler on it that conflict.
using HandlerConflict = void (*)(const LoggedAccess& threads, const LoggedAccess& handlers);
void each_handler_conflict(HandlerConflict found);

// Called at the end of a watched execution: adds the pairs to race_detector_pairs.
void publish_handler_conflicts();

}  // namespace heddle::rt
