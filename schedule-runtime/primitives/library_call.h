// Calls of the program into a library that is not instrumented. What the library reads and writes is not visible, nor are locks that it
// takes by its own atomics. So there is a choice point before each call, and two calls into one library conflict.
//
// While only one thread has used a library, its calls do not affect other threads: as with streams (primitives/stream.h), there is a choice
// point before the first call of all, and before every call once a second thread has come. The calls order nothing.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `library` stays the same in every execution; `name` stays valid. The call follows immediately.
void library_call(const void* library, const char* name, Place place);

}  // namespace heddle::rt::primitives
