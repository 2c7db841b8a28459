// The once controls and guards of the C++ runtime's own libraries: the unwinder's tables, libstdc++'s locks for shared_ptr, its locales.
//
// Their variables are not restored between executions. So only the first execution that needs them would have these operations, and a
// replay would differ from the run that it replays. Their functions are short and do not wait for the program: they run without the
// scheduler, and make no events.
#pragma once

#include <cstdint>

namespace heddle::rt {

bool of_the_runtime(const void* control);

// A guard's initialisation comes in two calls: out of sight from the first to the second.
void begin_runtime_static(const uint64_t* guard);
void end_runtime_static(const uint64_t* guard);

}  // namespace heddle::rt
