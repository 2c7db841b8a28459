// The names of channels. A channel is on the heap; a program speaks of the variable that holds it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// The name of the only global variable with this pointer. False: there is none, or several.
bool name_of_holder(uintptr_t pointer, char* out, size_t size);

}  // namespace heddle::rt
