// Child processes that a whole program starts with fork() (engine/child_process.h): how they begin, and how their parent learns how they end.
#pragma once

namespace heddle::driver {

// From now on, executions follow fork(). Call it on the engine's thread.
void follow_forks();
// Has an execution of this process forked?
bool has_forked();

}  // namespace heddle::driver
