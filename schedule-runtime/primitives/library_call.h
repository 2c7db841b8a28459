// Calls of the program into a library that is not instrumented. What the library reads and writes is not visible, nor are locks that it
// takes by its own atomics. So there is a choice point before each call, in half of all executions, chosen by the seed.
//
// While only one thread has used a library, its calls do not affect other threads: as with streams (primitives/stream.h), there is a choice
// point before the first call of all, and before every call once a second thread has come. The calls order nothing.
//
// Most libraries get what they work on as the first argument. So two calls conflict if they have the same one; else the search would try
// the orders of calls that have nothing to do with each other. Calls whose first argument is no address that is the same in every run
// conflict with each other.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

struct CalledLibrary {
  static constexpr size_t kObjects = 64;

  char name[64];
  char objects[kObjects];  // their addresses are those of the objects: [0] of the library, others of first arguments
};

// `library` stays the same in every execution. The call follows immediately.
void library_call(const CalledLibrary& library, uintptr_t first_argument, Place place);

}  // namespace heddle::rt::primitives
