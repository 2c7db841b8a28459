// State for making files: the working directory and the file mode mask. Changes by an execution are undone at its end.
#pragma once

namespace heddle::rt {

// Called in the middle of an execution that ends the process. The fuzzing engine is about to save its input, and the file name may be
// relative. Safe in any state of the process.
void put_back_file_making();

}  // namespace heddle::rt
