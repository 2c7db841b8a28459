// Uses of a variable by another thread after its function has returned, for example in a lambda that captures by reference and outlives the call.
//
// For a thread that does not run, the runtime knows where the frames of the program end, because the thread waits in a call of heddle. Memory below belongs to no
// frame. If a later call has reused that memory, the use looks correct. AddressSanitizer, which separates frames, sees that case, and is not disturbed here.
#include "base/asan.h"
#include "engine/engine.h"

namespace heddle::rt {

void Engine::check_stack_use(uintptr_t address, Place place, const char* does, const Object* object) {
  Thread& t = *tls_thread;
  if (t.on_stack(address) || stacks_switched_ || asan_linked()) return;
  // Mostly it is main's variable, and main is still there.
  const Thread& main = threads_[0];
  if (main.fiber != nullptr && main.on_stack(address) && address >= main.frames) return;
  const fiber::Fiber* const there = fiber::with_stack(address);
  if (there == nullptr) return;
  const Thread* const owner = static_cast<Thread*>(fiber::tag(there));
  // Its frames are elsewhere while it runs on a stack that the program has made.
  if (owner == nullptr || owner->fiber != there || !owner->on_stack(owner->frames) || address >= owner->frames) return;
  misuse(FindingType::stack_use_after_return, object, place, owner->index, kNoEvent, does, address);
}

}  // namespace heddle::rt
