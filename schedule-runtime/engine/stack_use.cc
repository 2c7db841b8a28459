// Uses of a variable by another thread after its function has returned, for example in a lambda that captures by reference and outlives the call.
//
// A thread that does not run waits in a call of heddle. So the runtime knows where the frames of the program end on its stack. Memory below
// that point belongs to no frame. If a later call has reused that memory, the use looks correct. AddressSanitizer, which separates frames,
// sees that case too; with it, this check is off.
//
// The thread-local variables of a thread are at the upper end of its stack. They end with the thread, and no sanitizer says so. Those of main count
// as living as long as the process.
#include "base/asan.h"
#include "engine/engine.h"

namespace heddle::rt {

void Engine::check_stack_use(uintptr_t address, Place place, const char* does, const Object* object) {
  Thread& t = *tls_thread;
  if (t.on_stack(address)) return;
  // Fast path: usually the variable is main's, and its frame still exists.
  const Thread& main = threads_[0];
  if (main.fiber != nullptr && main.on_stack(address) && address >= main.frames) return;
  const fiber::Fiber* const there = fiber::with_stack(address);
  if (there == nullptr) return;
  const Thread* const owner = static_cast<Thread*>(fiber::tag(there));
  if (owner == nullptr || owner->fiber != there) return;
  const bool local_to_thread = address >= reinterpret_cast<uintptr_t>(fiber::stack_base(there));
  if (local_to_thread && owner->state == ThreadState::finished && !owner->main) {
    misuse(FindingType::thread_local_use_after_end, object, place, owner->index, kNoEvent, does, address);
  }
  // While a thread runs on a stack that the program has made, its frames are elsewhere.
  if (stacks_switched_ || asan_linked() || !owner->on_stack(owner->frames) || address >= owner->frames) return;
  misuse(FindingType::stack_use_after_return, object, place, owner->index, kNoEvent, does, address);
}

}  // namespace heddle::rt
