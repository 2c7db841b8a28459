// pthread_barrier_t: a wait is two operations, barrier_arrive and barrier_leave. Which of a round's threads is told that it is the
// serial one is unspecified, and so a choice.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

int barrier_init(pthread_barrier_t* barrier, Place place);  // before the real one sets its bytes
int barrier_destroy(pthread_barrier_t* barrier, Place place);
int barrier_wait(pthread_barrier_t* barrier, Place place);

}  // namespace heddle::rt::primitives
