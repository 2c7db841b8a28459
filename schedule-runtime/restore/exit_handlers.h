// Destructors of objects that an execution made for the rest of the process: function-local statics, and atexit().
//
// Variables are restored between executions, so each execution makes and registers these objects again. In the C library's
// list, the registrations would grow without end, and at the end of the process an object would be destroyed many times. An
// execution is a small process: its handlers run at its end, the latest first.
//
// If the body is a whole program (program_exit.h), what its constructors registered before main also runs then, such as the destructors of its
// global objects, and after that its functions with the attribute `destructor` (not those with a priority, as the sanitizers have). The
// constructors have run before main, and are part of the initial state of every execution.
#pragma once

#include <cstddef>

namespace heddle::rt {

using ExitFunction = void (*)(void* argument);
using StatusFunction = void (*)(int status, void* argument);  // on_exit()

// Takes over a registration made on a controlled thread. For a whole program, all registrations of the executable are taken. Otherwise only
// those for restored objects of the program. False: not taken, or no room; the C library then keeps it.
bool register_exit_handler(ExitFunction function, void* argument, void* dso, bool of_program = false);
bool register_status_handler(StatusFunction function, void* argument);
bool register_quick_handler(ExitFunction function, void* argument);

// The same for a registration that a constructor of a whole program made before main.
bool register_early_handler(ExitFunction function, void* argument);
// main begins. From here on the registrations of the process are the fuzzing engine's and heddle's.
void end_early_handlers();
// The program runs without control, on real threads. Gives its registrations back to the C library, in their order.
void give_back_early_handlers(int (*registrar)(ExitFunction function, void* argument, void* dso));

// The executions of a whole program begin: its destructor functions run at their ends, and not at that of the process. ("Destructor functions": those
// with the attribute.)
void take_destructors();

size_t exit_handler_count();

// Runs the latest handler, or the next destructor function. False if none is left. `quick`: those of quick_exit.
bool run_exit_handler(bool quick, int status);

// Runs the handlers, including those that they register.
void run_exit_handlers();

// At the begin of an execution: drops the handlers of an execution that never ended. The early handlers and the destructor functions wait for the
// end of this one.
void forget_exit_handlers();

}  // namespace heddle::rt
