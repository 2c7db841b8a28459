// Calls by which the program ends its process.
#pragma once

#include "engine/program_exit.h"

namespace heddle::rt {

// A call of the program's on a controlled thread does not come back: it ends the execution of a whole program, and in a harness it is a finding.
// Returns for all other calls.
void program_ends(int status, Ending ending, Place place, const char* how);

}  // namespace heddle::rt
