// Observers get each finished run: analyses, feedback. When an execution has ended and the summary is complete, the engine calls the registered
// observers in order. They know nothing of the engine.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

struct Observer {
  const char* name;
  void (*execution_ended)(RunSummary& summary);  // may set flags in it; null: not interested
  void (*execution_begins)() = nullptr;
  void (*let_go)() = nullptr;  // drop all that the execution has left; also called for an execution that is repeated and not reported
};

inline constexpr int kMaxObservers = 16;

// Called before the first execution, by the registries.
void add_observer(const Observer& observer);
// The observer, which was added before, is not called in this process.
void leave_out(const Observer& observer);
void notify_begin();
void notify_observers(RunSummary& summary);
void notify_let_go();

}  // namespace heddle::rt
