// What a report needs to know about the current execution in addition to the recorded events: where objects are, which thread runs, what
// each thread is about to do. The engine publishes it. Without an engine (in tests of renderers), nothing is known.
#pragma once

#include <cstdint>
#include <span>

#include "schema/event.h"

namespace heddle::rt {

struct LiveState {
  // Index of the running controlled thread; kNoEvent outside of executions.
  uint32_t (*current_thread)();
  // Context node of that thread's current stack.
  uint32_t (*current_context)();
  // 0: unknown. Indices as in the trace.
  uintptr_t (*object_address)(uint32_t object);
  // Its name from the model; null: none.
  const char* (*object_label)(uint32_t object);
  // Its memory was freed since, or holds something else: it was initialised again, or overwritten.
  bool (*object_replaced)(uint32_t object);
  // Thread index + 1 of the holder; 0: none.
  uint32_t (*object_holder)(uint32_t object);
  // The thread's unfinished operation, in the form in which it would be recorded. False: the thread has finished, or runs program code.
  bool (*pending)(uint32_t thread, Event& event, uint32_t& context);
  // Bounds of the thread's stack. False: unknown.
  bool (*stack)(uint32_t thread, uintptr_t& low, uintptr_t& high);
  // Within these bounds, but above the thread's first frame: one of its thread-local variables.
  bool (*is_thread_local)(uint32_t thread, uintptr_t address);
  // Which one, by its mangled name; null: unknown.
  const char* (*thread_local_at)(uint32_t thread, uintptr_t address, uintptr_t& offset_within);
  // From leave() on, calls of this thread pass through all shims. enter() takes the result of leave().
  void* (*leave)();
  void (*enter)(void* left);
  // Ends the execution on the thread that runs, and does not return; nothing outside of executions.
  void (*end_execution)();
  // To be called before anything is made of a failure: an execution that the race detector does not watch ends here, on the thread that runs, to be
  // made again, watched. Then it does not return; else nothing.
  void (*make_again)();
  // Where the thread's stack begins, also after its end; 0: unknown. Threads that lived one after the other can have the same.
  uintptr_t (*stack_slot)(uint32_t thread);
  // While ASan reports an error: what it knows of the thread, by its name, and of its creation. `calls`: return addresses, innermost first.
  void (*describe_to_asan)(uint32_t thread, const char* name, uint32_t creator, const uintptr_t* calls, uint32_t count);
  // Index of the thread that runs main, or of the first thread of a child process.
  uint32_t (*main_thread)();
  // The data bytes of the input.
  std::span<const uint8_t> (*payload)();
};

// Never null. Until the engine has set its own, these functions return "unknown".
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
