// The constructors of a whole program that starts threads in them.
//
// A thread from before the first execution is not controlled, and would be missing after the first one. So if a constructor starts a
// thread, the process starts again and leaves the constructors to the executions: each runs them before main(), as in a normal run of the
// program. Constructors with a priority, and those of shared libraries, run at their usual time.
#pragma once

namespace heddle::driver {

// Call it in an execution. Does nothing if the constructors have run before main().
void run_constructors(int argc, char** argv, char** environment);

// main() begins. Threads that start from now on are not from constructors.
void end_constructors();

}  // namespace heddle::driver
