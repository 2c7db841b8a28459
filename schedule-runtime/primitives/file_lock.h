// Locks that belong to an open file description: flock, and fcntl's F_OFD_SETLK and F_OFD_SETLKW. Threads that have opened a file each for itself keep
// each other out by them. (Those of F_SETLK and lockf belong to the process and keep no thread of it from anything: they are the kernel's affair.)
//
// The kernel has the locks, and is asked whether one can be taken. Which of them the execution's own threads have is known here, so that one that finds
// it taken waits in the scheduler. If nobody here has it, somebody outside has: then the wait lasts for as long as others can do anything, and
// is a real one after that, which stops nobody.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

struct FileLock {
  int descriptor;
  bool exclusive;
  bool of_bytes = false;  // fcntl's, of [first, last]; flock's is of all
  uint64_t first = 0;
  uint64_t last = INT64_MAX;
};

// The kernel's answer.
long file_lock(const FileLock& lock, bool waits, Place place);
long file_unlock(const FileLock& lock, Place place);
// Those numbers are about to be closed, and with the last one of a description its locks end.
void file_locks_close(unsigned first, unsigned last, Place place);
// Some description may have two numbers from now on.
void description_duplicated();

}  // namespace heddle::rt::primitives
