// The time limit of an execution under libFuzzer, and the report of one that takes longer.
#pragma once

namespace heddle::driver {

// Adds -timeout=30 to the engine's arguments if they contain no -timeout. libFuzzer's own limit is 20 minutes. That is long for a race that
// leaves a thread in an endless loop.
void limit_time(int* argc, char*** argv);

}  // namespace heddle::driver
