// A target that is a whole program: its main() is the body of each execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// True if there is a main() and no harness.
bool is_program();

// Is this start of the program a normal run on real threads? Yes if a build starts it (configure, CMake and make run the programs that they
// have built, and do not know about fuzzing), or with HEDDLE_OPTIONS=program=1.
bool runs_uncontrolled(int argc, char** argv);

// Call it before such a run: returns to the C library what heddle has taken over during start-up.
void become_ordinary();

// Takes the process's own arguments. An execution gets the first one, and those of HEDDLE_OPTIONS=args=... If these are not valid, prints a
// line and ends with exit code 2.
void remember_arguments(int argc, char** argv);

// rt::Body: puts the payload where the program reads it, calls main() with fresh arguments, and ends the execution like exit().
int program_body(const uint8_t* payload, size_t size);

}  // namespace heddle::driver
