// Saves the input of an execution that has corrupted the heap. libFuzzer allocates when it saves an input, and can then fail. This code
// uses only system calls, and the same file name as libFuzzer.
#pragma once

namespace heddle::driver {

void prepare_rescue();

}  // namespace heddle::driver
