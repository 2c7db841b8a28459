// What an execution of a harness runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// rt::Body: calls the harness. Objects that it has created for the rest of the process are destroyed at its end, after the other threads have
// ended.
int harness_body(const uint8_t* data, size_t size);

}  // namespace heddle::driver
