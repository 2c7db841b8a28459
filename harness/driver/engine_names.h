// Names that the program and the fuzzing engine both use.
#pragma once

namespace heddle::driver {

// Prints a note for each function that libFuzzer calls and whose name the program uses for a variable: libFuzzer would call the variable
// and crash.
void note_engine_names();

// The program has its own operator new, and libFuzzer allocates with it, too. If it has lists of free blocks, these belong to both. So their
// variables must not be put back while libFuzzer lives.
bool engine_allocates_with_program();
// Says so, for a harness. (A whole program's executions then have processes of their own.)
void note_own_allocation();

}  // namespace heddle::driver
