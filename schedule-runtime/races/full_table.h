// An execution too large for one of the race detector's tables: from there on races are missed, none is invented. Said once in a process.
#pragma once

namespace heddle::rt {

// `what` of the execution is more than is watched.
void say_full(const char* what);

}  // namespace heddle::rt
