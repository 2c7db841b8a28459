// Several processes of a target may search at once. If its executions create files of the same names, one execution would find those of another, and
// their removal would disturb it. So from the first such file on, an execution begins when it alone has a lock on the file's directory.
//
// A process that stands still keeps its locks, and other targets may use the directory, too. So after one wait of two seconds, a process waits no more.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::rt {

// In memory that the processes of one search share with the processes of their executions.
struct Directories {
  static constexpr uint32_t kMost = 8, kLongest = 256;

  uint32_t count;
  char names[kMost][kLongest];
};

// An execution is about to create a file there. If that is new, the directory is locked. Then another execution has ended meanwhile, and true is
// returned.
bool add_directory(Directories& directories, std::string_view name);
// Around each execution.
void lock_directories(const Directories& directories);
void unlock_directories();

}  // namespace heddle::rt
