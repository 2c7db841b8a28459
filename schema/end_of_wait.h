// How a wait on a condition variable with a time limit ends without a notification: the candidates of this choice of the select kind. (Those of a
// wait without a limit are 0, as it comes, and 1, spuriously.) The numbers are written into schedules and traces, so append only.
#pragma once

#include <cstdint>

namespace heddle {

// limit: the time runs out, though other threads could go on. spurious: it wakes up before that.
enum class EndOfWait : uint32_t { as_it_comes, limit, spurious };

}  // namespace heddle
