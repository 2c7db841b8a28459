// Locks of an open file description: flock, and fcntl's F_OFD_SETLK and F_OFD_SETLKW. Threads exclude each other with them if each has opened the
// file itself. (The locks of F_SETLK and lockf belong to the process and exclude no thread of it: the kernel alone handles them.)
//
// The kernel owns the locks, and is asked whether a lock can be taken. The runtime knows which locks the threads of the execution hold, so that a
// thread that finds its lock taken waits in the scheduler. If none of them holds it, another process does. Then the thread waits in the
// scheduler as long as other threads can run, and after that really, in the kernel, which stops no other thread.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

struct FileLock {
  int descriptor;
  bool exclusive;
  bool of_bytes = false;  // fcntl's lock of [first, last]. flock's lock is of the whole file
  uint64_t first = 0;
  uint64_t last = INT64_MAX;
};

// Returns the kernel's result.
long file_lock(const FileLock& lock, bool waits, Place place);
long file_unlock(const FileLock& lock, Place place);
// These numbers are about to be closed. When the last number of a description is closed, its locks end.
void file_locks_close(unsigned first, unsigned last, Place place);
// A description may have two numbers from now on.
void description_duplicated();

}  // namespace heddle::rt::primitives
