// What a program states about its own synchronisation, with the functions of <sanitizer/tsan_interface.h> and the Annotate* family: which
// locks it takes, and what happens before what.
//
// These are events without an operation, because the atomics and system calls that do the work are already operations. Between lock_begin
// and lock_end, and between unlock_begin and unlock_end, the race detector ignores the thread's accesses and the order that they create.
// The annotation replaces them.
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

// Everything before a release on an address happens before everything after a later acquire on it.
void order_release(uintptr_t address, Place place);
void order_acquire(uintptr_t address, Place place);

void lock_create(uintptr_t lock, unsigned flags, Place place);
// True: the annotated lock is destroyed, and that counts as an access to its memory. False: nothing has happened.
bool lock_destroy(uintptr_t lock, unsigned flags, Place place);
void lock_begin(uintptr_t lock, unsigned flags, Place place);
void lock_end(uintptr_t lock, unsigned flags, int recursion, Place place);
int unlock_begin(uintptr_t lock, unsigned flags, Place place);  // how many levels were released, if all of them were
void unlock_end();
// Called around code inside a lock operation that does not belong to the lock. False: the race detector ignores accesses again.
void lock_diverts(bool away);

// The Annotate* family gives only the moment, and not always exactly. So these functions raise no findings.
void lock_acquired(uintptr_t lock, bool write, Place place);
void lock_released(uintptr_t lock, bool write, Place place);

}  // namespace heddle::rt::primitives
