// What a report wants to know of the present execution beyond the recorded events: where objects are, who runs, what each
// thread is about to do. The engine publishes it; without an engine (tests of renderers) nothing is known.
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
  // Thread index + 1 of the holder; 0: none.
  uint32_t (*object_holder)(uint32_t object);
  // The thread's unfinished operation, as the event that it would be recorded as. False: it has finished, or runs program code.
  bool (*pending)(uint32_t thread, Event& event, uint32_t& context);
  // Bounds of the thread's stack. False: unknown.
  bool (*stack)(uint32_t thread, uintptr_t& low, uintptr_t& high);
};

// Never null: functions that know nothing until the engine has set its own.
const LiveState& live_state();
void set_live_state(const LiveState& state);

}  // namespace heddle::rt
