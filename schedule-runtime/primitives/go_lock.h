// The locks of heddle/mutex.h, which are Go's: they belong to no thread. Whether one is locked stays in the program's own words, so that one that
// was used before the execution is right from the start. The engine's object knows who took it, for reports.
//
// A lock that one thread has taken and another has given back has no holder from then on in the execution: no thread is accused.
#pragma once

#include <cstdint>

#include "engine/engine.h"
#include "heddle/detail/lock_hooks.h"
#include "primitives/rwlock.h"

namespace heddle::rt::primitives {

// Without `only_try` always true.
bool go_mutex_lock(heddle_mutex* mutex, bool only_try, Place place);
// False: it was not locked.
bool go_mutex_unlock(heddle_mutex* mutex, Place place);

bool go_rw_mutex_lock(heddle_rw_mutex* mutex, Access access, bool only_try, Place place);
bool go_rw_mutex_unlock(heddle_rw_mutex* mutex, Access access, Place place);

void go_cond_begin(heddle_cond* cond, heddle_cond_waiter* waiter, Place place);
void go_cond_sleep(heddle_cond* cond, heddle_cond_waiter* waiter, Place place);
void go_cond_notify(heddle_cond* cond, bool all, Place place);

// The object of a lock or condition variable with such a tag: another one if the memory was written over.
Object& go_object(void* address, size_t size, uint32_t& tag, Family family, Place place);

}  // namespace heddle::rt::primitives
