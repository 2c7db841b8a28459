// The name of a thread-local variable in reports: "errno of main".
#pragma once

#include <cstddef>
#include <cstdint>

#include "schema/event.h"

namespace heddle::rt {

// False: it is none, or has no name.
bool name_thread_local(const RunSummary& run, uintptr_t address, char* out, size_t size);

}  // namespace heddle::rt
