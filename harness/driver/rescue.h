// The input of an execution that has broken the heap: libFuzzer allocates when it saves one, and fails. Then it is saved here, by system calls alone,
// under the name that libFuzzer would give it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// libFuzzer's command line, which says where artifacts go.
void prepare_rescue(int argc, char** argv);
// The input that runs from now on; it must stay where it is until the next one.
void set_rescued_input(const uint8_t* data, size_t size);

}  // namespace heddle::driver
