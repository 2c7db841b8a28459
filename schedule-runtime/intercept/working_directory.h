// The working directory: where an execution has gone to another one, it is put back at the end.
#pragma once

namespace heddle::rt {

// In the middle of an execution that ends the process: the engine saves its input, whose name may be relative. Safe in any state of the process.
void return_to_initial_directory();

}  // namespace heddle::rt
