// Saves the input of an execution that has corrupted the heap. libFuzzer allocates when it saves an input, and can fail then. This code uses only system
// calls, and the same file name as libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// Takes libFuzzer's command line, which says where artifacts go.
void prepare_rescue(int argc, char** argv);
// Sets the present input. Its bytes must stay in place until the next one.
void set_rescued_input(const uint8_t* data, size_t size);

}  // namespace heddle::driver
