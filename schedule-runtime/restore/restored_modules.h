// Which modules' variables are the program's, and are restored between executions: those of the executable and of its shared libraries, whether
// these are instrumented or not. So a library has the same state in each execution, and memory, threads and descriptors that it keeps for
// itself never outlive the execution that made them.
//
// Not those of the C library and the compiler's libraries, which the fuzzing engine uses, too; nor of a library that is not instrumented and
//  - contains the process's allocator, or
//  - has started a thread that heddle does not control: that thread uses them between executions, or
//  - keeps them (HEDDLE_OPTIONS=keep_libraries). So it is with ASan, where heddle frees nothing: each execution would leave behind what the
//    library allocates when it begins anew.
#pragma once

#include <link.h>

#include <cstdint>

namespace heddle::rt {

// HEDDLE_KEEP_EVERYTHING(): each execution of the program starts from the state that the last one left.
bool keeps_everything();

// Are the variables of libc++'s shared library restored like the program's? Not if the fuzzing engine uses them, too.
bool puts_back_cxx_library();

// Decides about the modules that are loaded now. Later ones are not restored. Called before the first execution.
void find_restored_modules();

// Are the variables of the module, or of the one that contains this code, restored between executions?
bool is_put_back(const dl_phdr_info& module);
bool is_put_back(uintptr_t code);

// The library that contains this code has started a thread that heddle does not control.
void note_uncontrolled_thread(uintptr_t creator);

}  // namespace heddle::rt
