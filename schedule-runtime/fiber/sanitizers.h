// Keeps ASan's and LSan's data correct when stacks are dropped. Without these sanitizers nothing happens: their functions are weak
// references.
#pragma once

#include "fiber/donor.h"

namespace heddle::fiber::sanitizers {

// While ASan reports an error: what it says of the donor's thread is about the fiber. Its name, by whom it was created (null: by the root), and the
// calls that did it (return addresses, innermost first), instead of the pool's.
void describe_thread(const Fiber* fiber, const char* name, const Fiber* creator, const uintptr_t* calls, uint32_t count);

// Called on the fiber, when it has finished. What is known now need not be asked with another thread pointer, which can take system calls.
void finishing(Fiber* fiber);

// The fiber is over. Removes its poison and its fake frames. Memory that only an abandoned fiber held does not count as leaked.
void retire_stack(Fiber* fiber, bool abandoned);

// Called on the fiber, directly before its stack is cut down to the base frame.
void frames_dropped(Fiber* fiber);

// Memory that is reachable from the suspended fiber's stack, registers and thread-locals is not reported.
void ignore_leaks(Fiber* fiber);
// The same, without its stack.
void ignore_thread_locals(Fiber* fiber);

// LSan does not report this block, nor what is reachable only from it.
void ignore_object(const void* object);
// The same for blocks that words overlapping [begin, begin + size) point to.
void ignore_words(const void* begin, size_t size);

// Memory that holds pointers to the target's heap but does not belong to the target. LSan must scan it.
void add_roots(const void* begin, size_t size);

}  // namespace heddle::fiber::sanitizers
