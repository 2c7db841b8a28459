// What a program says of its own synchronisation, with the functions of <sanitizer/tsan_interface.h> and the Annotate* family: which lock it
// has taken, and what comes before what.
//
// These are events without an operation: the atomics and system calls that do the work are operations already. From lock_begin to lock_end,
// and unlock_begin to unlock_end, the race detector leaves the thread's accesses out, and what they order: the annotation
// stands for them.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// As in <sanitizer/tsan_interface.h>.
enum LockFlag : unsigned {
  kLinkerInitialised = 1 << 0,
  kWriteReentrant = 1 << 1,
  kReadReentrant = 1 << 2,
  kReadLock = 1 << 3,
  kTryLock = 1 << 4,
  kTryLockFailed = 1 << 5,
  kRecursiveLock = 1 << 6,
  kRecursiveUnlock = 1 << 7,
  kNotStatic = 1 << 8,
};

// Everything before a release on an address comes before what follows a later acquire there.
void order_release(uintptr_t address, Place place);
void order_acquire(uintptr_t address, Place place);

void lock_create(uintptr_t lock, unsigned flags, Place place);
// True: it is gone, and destroying it was an access to its memory. False: nothing has happened.
bool lock_destroy(uintptr_t lock, unsigned flags, Place place);
void lock_begin(uintptr_t lock, unsigned flags, Place place);
void lock_end(uintptr_t lock, unsigned flags, int recursion, Place place);
int unlock_begin(uintptr_t lock, unsigned flags, Place place);  // how many levels it has given back, if all of them
void unlock_end();
// The code inside a lock's operation that is none of the lock's: false leaves it out again.
void lock_diverts(bool away);

// The Annotate* family names the moment only, and not always exactly: nothing wrong is found by it.
void lock_acquired(uintptr_t lock, bool write, Place place);
void lock_released(uintptr_t lock, bool write, Place place);

}  // namespace heddle::rt::primitives
