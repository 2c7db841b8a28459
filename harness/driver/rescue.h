// Saves the input of an execution that has corrupted the heap. libFuzzer allocates when it saves an input, and can then fail. This code
// uses only system calls, and the same file name as libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// Reads libFuzzer's command line, which tells where artifacts go.
void prepare_rescue(int argc, char** argv);
// Sets the current input. Its bytes must stay valid until the next one.
void set_rescued_input(const uint8_t* data, size_t size);

}  // namespace heddle::driver
