// Who looks at a finished run: analyses, feedback. The engine calls the registered observers in order when an execution has ended and the
// summary is complete; they know nothing of the engine.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

struct Observer {
  const char* name;
  void (*execution_ended)(RunSummary& summary);  // may set flags in it; null: not interested
  void (*execution_begins)() = nullptr;
  void (*let_go)() = nullptr;  // what the execution has left with it goes; also of one that nobody is told of, because it is made again
};

inline constexpr int kMaxObservers = 16;

// Called before the first execution, by the registries.
void add_observer(const Observer& observer);
// It is not called in this process. After it was added.
void leave_out(const Observer& observer);
void notify_begin();
void notify_observers(RunSummary& summary);
void notify_let_go();

}  // namespace heddle::rt
