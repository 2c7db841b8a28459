// pthread_barrier_t. A wait is two operations, barrier_arrive and barrier_leave. POSIX does not specify which thread of a round is the
// serial one. So the schedule decides.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

void barrier_init(pthread_barrier_t* barrier, Place place);  // after the real one has set its bytes
int barrier_destroy(pthread_barrier_t* barrier, Place place);
int barrier_wait(pthread_barrier_t* barrier, Place place);

}  // namespace heddle::rt::primitives
