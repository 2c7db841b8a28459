// Test frameworks that start a process for each test, which an execution cannot follow, and how each of them is told to run its tests in one process.
#pragma once

namespace heddle::rt {

// What a refused fork() says if the program contains such a framework; else `otherwise`.
const char* advice_for_fork(const char* otherwise);

}  // namespace heddle::rt
