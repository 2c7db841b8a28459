// The once controls and guards of the C++ runtime's own libraries: the unwinder's tables, libstdc++'s locks for shared_ptr, its locales.
//
// Their variables are not put back between executions, so an execution that is the first to need such a thing would have operations that
// no later one has, and a replay others than the run it replays. What they initialise is short and waits for nothing of the program's:
// it runs out of the scheduler's sight, and nothing of it is an event.
#pragma once

#include <cstdint>

namespace heddle::rt {

bool of_the_runtime(const void* control);

// A guard's initialisation comes in two calls: out of sight from the first to the second.
void begin_runtime_static(const uint64_t* guard);
void end_runtime_static(const uint64_t* guard);

}  // namespace heddle::rt
