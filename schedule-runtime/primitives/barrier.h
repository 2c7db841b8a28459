// pthread_barrier_t. A wait is two operations, barrier_arrive and barrier_leave. Which thread of a round becomes the serial
// one is unspecified, and so it is a decision of the schedule.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

int barrier_init(pthread_barrier_t* barrier, Place place);  // before the real one sets its bytes
int barrier_destroy(pthread_barrier_t* barrier, Place place);
int barrier_wait(pthread_barrier_t* barrier, Place place);

}  // namespace heddle::rt::primitives
