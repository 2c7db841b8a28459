// Which code is the program's: the executable, the shared libraries that are instrumented, and libc++ (base/cxx_library.h).
//
// All other libraries synchronise the use of their memory in ways that heddle does not see. So what they do with memory is neither an
// operation nor an access.
#pragma once

#include <cstdint>

namespace heddle::rt {

// May be called at any time, even before initialisation.
bool of_program(uintptr_t pc);
// The same without libc++: positions there are its callers'.
bool of_own_code(uintptr_t pc);

// The constructor of each instrumented unit calls this before any other code of its library runs. `pc` is in the unit.
void program_code_at(uintptr_t pc);
// Some unit's constructor has done so. Before that, only the runtimes of sanitizers and libraries run.
bool program_code_ran();

}  // namespace heddle::rt
