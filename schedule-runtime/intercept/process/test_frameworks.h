// Test frameworks that start a process for each test, and how each of them is told to run its tests in one process.
#pragma once

namespace heddle::rt {

// What a refused fork() says, and the start of a program whose forks make it slow, if the program contains such a framework; else `otherwise`.
const char* advice_for_fork(const char* otherwise);

}  // namespace heddle::rt
