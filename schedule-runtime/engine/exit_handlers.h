// Destructors of what an execution built for the rest of the process: function-local statics, and atexit().
//
// The variables are put back between executions, so each execution builds them anew and registers them anew. Were the
// registrations left to the C library, its list would grow for ever, and at the end of the process one object would be
// destroyed many times. An execution is a small process: they run at its end, the latest first.
#pragma once

#include <cstddef>

namespace heddle::rt {

using ExitFunction = void (*)(void* argument);

// Takes over a registration made on a controlled thread. False: not one of the program's restored objects, or no room; it
// belongs to the C library then.
bool register_exit_handler(ExitFunction function, void* argument, void* dso);

size_t exit_handler_count();

// Runs them, those that they register included.
void run_exit_handlers();

// At the begin of an execution: what an execution that never came to its end has left.
void forget_exit_handlers();

}  // namespace heddle::rt
