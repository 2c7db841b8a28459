// The once controls and guards of the C++ runtime's own libraries: the unwinder's tables, libstdc++'s locks for shared_ptr, its locales.
//
// Their variables are not restored between executions. So only the first execution that needs them would have these operations, and a
// replay would differ from the original run. Their functions are short and never wait for the program. So they run without the scheduler
// and make no events.
#pragma once

#include <cstdint>

namespace heddle::rt {

bool of_the_runtime(const void* control);

// The initialisation of a guard has two calls. From the first to the second, nothing is recorded.
void begin_runtime_static(const uint64_t* guard);
void end_runtime_static(const uint64_t* guard);

}  // namespace heddle::rt
