#include "engine/debugger_view.h"

#include <algorithm>
#include <cstring>

#include "engine/engine.h"
#include "schema/identity.h"
#include "trace/debugger.h"

namespace heddle::rt {
namespace {

template <size_t kSize>
void copy(char (&to)[kSize], std::string_view from) {
  const size_t size = std::min(from.size(), kSize - 1);
  memcpy(to, from.data(), size);
  memset(to + size, 0, kSize - size);
}

HeddleDebugState state_of(const Thread& t) {
  if (t.state != ThreadState::live || t.fiber == nullptr) return kDebugFinished;
  if (fiber::current() == t.fiber) return kDebugRunning;
  return t.op.kind == Kind::thread_start && t.gate == nullptr ? kDebugNotBegun : kDebugParked;
}

void fill(heddle_debug_thread& out, const Thread& t) {
  out = {};
  out.index = t.index;
  out.state = state_of(t);
  if (out.state == kDebugParked) out.saved_registers = reinterpret_cast<uintptr_t>(fiber::saved_registers(t.fiber));
  out.pc = t.op.position != 0 ? sites()[t.op.position].pc : 0;
  out.object = t.op.object != nullptr ? t.op.object->address : 0;
  out.stack_low = t.stack_low;
  out.stack_high = t.stack_high;
  copy(out.name, thread_name(t.id));
  copy(out.operation, kind_info(t.op.kind).name);
}

void look() {
  const Uncontrolled guard;
  Engine& e = engine();
  heddle_debug_now = {.execution = e.begun(), .step = 0, .previous_step = 0, .thread = 0, .threads = 0};
  // Reports show an operation under the step at which it was done. Operations that had only arrived when the run ended have none.
  size_t last = recorder().events.size();
  const auto done = [&last] {
    while (last != 0 && recorder().events[last - 1].done == 0) --last;
    return last != 0 ? &recorder().events[--last] : nullptr;
  };
  if (const Event* const now = done()) heddle_debug_now.step = now->done, heddle_debug_now.thread = now->thread;
  if (const Event* const before = done()) heddle_debug_now.previous_step = before->done;
  heddle_debug_now.threads = static_cast<uint32_t>(std::min<size_t>(e.thread_count(), debugger::kMostThreads));
  for (uint32_t i = 0; i < heddle_debug_now.threads; ++i) fill(heddle_debug_threads[i], e.thread(i));
}

}  // namespace

void publish_debugger_view() { debugger::set_view(look); }

// The debugger may ask for a step now.
void Engine::begin_debugging() const {
  heddle_debug_now = {.execution = begun_, .step = 0, .previous_step = 0, .thread = 0, .threads = 0};
  heddle_on_execution();
}

// A step that a debugger asked for is a limit like that of an execution, so that operations need no other check.
void Engine::set_last_step(uint32_t step) {
  limit_ = step;
  last_step_ = std::min(step, heddle_debug_stop_step == debugger::kNoStop ? step : heddle_debug_stop_step - 1);
}

bool Engine::stopped_by_debugger() {
  if (steps_ >= heddle_debug_stop_step) {
    look();
    heddle_on_operation();  // may have set another step
  }
  set_last_step(limit_);
  return steps_ <= limit_;
}

}  // namespace heddle::rt
