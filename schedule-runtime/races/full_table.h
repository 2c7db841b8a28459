// An execution is too large for one of the race detector's tables. From there on races can be missed, but no false race is reported. A note
// says so once per process.
#pragma once

namespace heddle::rt {

// `what` of the execution is more than the detector can watch.
void say_full(const char* what);

}  // namespace heddle::rt
