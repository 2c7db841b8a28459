// Observers get each finished run: analyses, feedback. When an execution has ended and the summary is complete, the engine calls the
// registered observers in order. Observers do not know the engine.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

struct Observer {
  const char* name = nullptr;
  void (*execution_ended)(RunSummary& summary) = nullptr;  // may set flags in it; null: not interested
  void (*execution_begins)() = nullptr;
  void (*let_go)() = nullptr;  // drops everything that belongs to the execution. Also called for an execution that is repeated and not reported
  bool only_unfinished = false;      // execution_ended is only called if a thread has not finished
};

inline constexpr int kMaxObservers = 16;

// Called before the first execution, by the registries.
void add_observer(const Observer& observer);
// Removes an observer that was added. It is not called in this process.
void leave_out(const Observer& observer);
void notify_begin();
void notify_observers(RunSummary& summary);
void notify_let_go();

}  // namespace heddle::rt
