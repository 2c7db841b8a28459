// Programs that switch stacks themselves (swapcontext and similar calls). The thread stays the same, so there is no model. But if a green thread moves
// from one thread to another, the context must have been saved before the other thread continues it. So there is a choice point before each switch.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// The thread is about to save its state in that context (`saves`), or to continue from it. The operation creates no order, and does not
// count for spin detection: a loop of such switches does what its green threads do.
void stack_switch(const void* context, bool saves, Place place);

}  // namespace heddle::rt::primitives
