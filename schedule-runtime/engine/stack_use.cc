// Variables of a function that has returned, used by another thread: a lambda that captures by reference, handed to a thread that outlives the call.
//
// What is known of the stack of a thread that does not run is where the frames of the program end, for it waits in a call of ours: below is nobody's memory.
// What a later call has taken again looks like its own; AddressSanitizer, which keeps frames apart, sees that, and is not disturbed here.
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
