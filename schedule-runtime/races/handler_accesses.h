// Accesses of a signal handler that conflict with accesses of the thread that it interrupts. One thread makes both, so they do not race. But the
// signal could have come at another moment, for example between a check and what follows from it. So the search gets such pairs of positions
// like those of races, and can place a choice between them (docs/design/runtime-laws.md#handlers-on-other-threads). No report lists them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

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
  const uint32_t thread_;
  const uintptr_t low_, high_;
  const size_t first_;
};

// Called at the end of a watched execution: adds the pairs to race_detector_pairs.
void publish_handler_conflicts();

}  // namespace heddle::rt
