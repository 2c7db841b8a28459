// Test frameworks that start a process for each test, and how each of them is told to run its tests in one process, where an execution cannot follow.
#pragma once

namespace heddle::rt {

// What a refused fork() says, and the start of a program whose forks make it slow, if the program contains such a framework; else `otherwise`.
const char* advice_for_fork(const char* otherwise);
// For a timer with which such a framework limits the time of a test. Null: the program has none that does.
const char* advice_for_timer();

}  // namespace heddle::rt
