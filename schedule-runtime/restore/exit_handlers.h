// Destructors of objects that an execution made for the rest of the process: function-local statics, and atexit().
//
// Variables are restored between executions, so each execution makes and registers these objects again. In the C library's
// list, the registrations would grow without end, and at the end of the process an object would be destroyed many times. An
// execution is a small process: its handlers run at its end, the latest first.
//
// If the body is a whole program (program_exit.h), the destructors of its global objects also run then. Their constructors have run
// before main, and are part of the initial state of every execution.
#pragma once

#include <cstddef>

namespace heddle::rt {

using ExitFunction = void (*)(void* argument);
using StatusFunction = void (*)(int status, void* argument);  // on_exit()

// Takes over a registration made on a controlled thread. False: not one of the program's restored objects, or no room; it
// belongs to the C library then. In a whole program all of the executable's are taken.
bool register_exit_handler(ExitFunction function, void* argument, void* dso, bool of_program = false);
bool register_status_handler(StatusFunction function, void* argument);
bool register_quick_handler(ExitFunction function, void* argument);

// The same for one made before main, by a constructor of a whole program's.
bool register_early_handler(ExitFunction function, void* argument);
// main begins: from here on the process's registrations are the engine's and ours.
void end_early_handlers();
// The program runs by itself, on real threads: hands those to the C library again, in their order.
void give_back_early_handlers(int (*registrar)(ExitFunction function, void* argument, void* dso));

size_t exit_handler_count();

// Runs the latest one; false when there is none left. `quick`: of quick_exit's.
bool run_exit_handler(bool quick, int status);

// Runs them, those that they register included.
void run_exit_handlers();

// At the begin of an execution: what an execution that never came to its end has left. The early ones wait for its end.
void forget_exit_handlers();

}  // namespace heddle::rt
