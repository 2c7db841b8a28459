// Programs that switch stacks themselves (swapcontext and its kin): the thread stays the same, so nothing is modelled. But where green threads are handed
// from one thread to another, what matters is whether a context has been saved when another thread goes on with it: so a choice stands before.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// The thread is about to save itself in that context (`saves`), or to go on from it. It orders nothing, and it says nothing about whether the thread
// spins: a loop of such switches does what its green threads do.
void stack_switch(const void* context, bool saves, Place place);

}  // namespace heddle::rt::primitives
