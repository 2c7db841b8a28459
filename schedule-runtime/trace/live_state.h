// What a report needs to know about the present execution beside the recorded events: where objects are, which thread runs, what each
// thread is about to do. The engine publishes it. Without an engine (in tests of renderers) nothing is known.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

struct LiveState {
  // Index of the controlled thread that runs; kNoEvent outside.
  uint32_t (*current_thread)();
  // Context node of that thread's present stack.
  uint32_t (*current_context)();
  // 0: unknown. Indices as in the trace.
  uintptr_t (*object_address)(uint32_t object);
  // What the model calls it; null: nothing.
  const char* (*object_label)(uint32_t object);
  // Thread index + 1 of the holder; 0: none.
  uint32_t (*object_holder)(uint32_t object);
  // The thread's unfinished operation, as the event that it would be recorded as. False: it has finished, or runs program code.
  bool (*pending)(uint32_t thread, Event& event, uint32_t& context);
  // Bounds of the thread's stack. False: unknown.
  bool (*stack)(uint32_t thread, uintptr_t& low, uintptr_t& high);
  // From leave() on, calls of this thread pass through all shims; enter() takes what leave() gave.
  void* (*leave)();
  void (*enter)(void* left);
  // Ends the execution on the thread that runs, and does not return; nothing outside of executions.
  void (*end_execution)();
  // To be called before anything is made of a failure: an execution that the race detector does not watch ends here, on the thread that runs, to be
  // made again, watched. Then it does not return; else nothing.
  void (*make_again)();
};

// Never null: functions that know nothing until the engine has set its own.
const LiveState& live_state();
void set_live_state(const LiveState& state);

// Calls made in its scope pass through: for what uses the C library on a controlled thread.
class OutsideExecution {
 public:
  OutsideExecution() : left_(live_state().leave()) {}
  ~OutsideExecution() { live_state().enter(left_); }
  OutsideExecution(const OutsideExecution&) = delete;
  OutsideExecution& operator=(const OutsideExecution&) = delete;

 private:
  void* left_;
};

}  // namespace heddle::rt
