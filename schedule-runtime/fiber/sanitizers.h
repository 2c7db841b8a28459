// Keeping ASan and LSan right about stacks that are dropped. Nothing happens without them: their
// functions are weak references.
#pragma once

#include "fiber/donor.h"

namespace heddle::fiber::sanitizers {

// The fiber is over: no poison and no fake frame of it stays behind. What an abandoned one alone
// held on the heap is no leak of the program.
void retire_stack(Fiber* fiber, bool abandoned);

// On the fiber, just before its stack is cut down to the base frame.
void frames_dropped(Fiber* fiber);

// What the suspended fiber's stack, registers and thread-locals point to is not reported.
void ignore_leaks(Fiber* fiber);
// The same, without its stack.
void ignore_thread_locals(Fiber* fiber);

// LSan does not report it, nor what it alone leads to.
void ignore_object(const void* object);
// The same for what the words that touch [begin, begin + size) point to.
void ignore_words(const void* begin, size_t size);

// Memory that holds pointers to the target's heap but is not the target's: LSan must look there.
void add_roots(const void* begin, size_t size);

}  // namespace heddle::fiber::sanitizers
