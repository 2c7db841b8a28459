// pthread_spin_*. In the model this is a mutex without types and time limits: a thread that would spin is blocked.
//
// Spin locks have no static initialiser. So pthread_spin_init always announces a new one, and the lock word stays unchanged.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

void spin_init(pthread_spinlock_t* lock, Place place);  // after the real one has set its bytes
int spin_destroy(pthread_spinlock_t* lock, Place place);
int spin_lock(pthread_spinlock_t* lock, Place place);
int spin_trylock(pthread_spinlock_t* lock, Place place);
int spin_unlock(pthread_spinlock_t* lock, Place place);
void spin_hand_over(Object& o, uint32_t from, uint32_t to);  // as mutex_hand_over()

}  // namespace heddle::rt::primitives
