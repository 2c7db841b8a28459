// A process that makes executions, but is not the engine's.
#pragma once

namespace heddle::driver {

// The engine's handlers would save inputs and print statistics, which only the engine's process should do.
void drop_engine_handlers();

}  // namespace heddle::driver
