// Names that the program and the fuzzing engine both use.
#pragma once

namespace heddle::driver {

// Prints a note for each function that libFuzzer calls and whose name the program uses for a variable: libFuzzer would call the variable
// and crash.
void note_engine_names();

}  // namespace heddle::driver
