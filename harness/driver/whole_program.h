// A target that is a whole program: its main() is the body of each execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// There is a main(), and no harness beside it.
bool is_program();

// Is this start of the program meant to be just that, a run of it on real threads? So it is when a build asks (configure, CMake and make
// run what they have built, and know nothing of fuzzing), or HEDDLE_OPTIONS=program=1.
bool runs_uncontrolled(int argc, char** argv);

// Before that: what heddle has kept of the start-up goes back to the C library.
void become_ordinary();

// The process's own arguments: an execution gets the first one, and those of HEDDLE_OPTIONS=args=... A line and exit code 2 if they
// cannot be understood.
void remember_arguments(int argc, char** argv);

// rt::Body: hands the payload to where the program reads it, calls main() with fresh arguments, and ends the execution as exit() does.
int program_body(const uint8_t* payload, size_t size);

}  // namespace heddle::driver
