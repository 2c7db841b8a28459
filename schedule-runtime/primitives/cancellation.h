// Cancellation of threads (pthread_cancel). A request is acted upon at the thread's next cancellation point, also if it waits there: its clean-up
// handlers and destructors run, and its result is PTHREAD_CANCELED. With asynchronous cancellation, operations on locks and memory are such
// points, too, but not the code in between. Results are those of the pthread calls.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

int thread_cancel(pthread_t handle, Place place);
// Both return what was set before.
int set_cancel_state(int state);
int set_cancel_type(int type);
// The state or the type has changed: if the thread has been cancelled before, and its type is now "asynchronous", it ends.
void cancel_at_once(Place place);
// Thread::interrupt (interruption.h): before an operation of this thread, or when its turn has come.
void cancel_if_due(Thread& t, const OpSpec& spec, Pending* chosen);
// Does not return if the calling thread is to be cancelled, and may be.
void cancellation_point(Place place);

}  // namespace heddle::rt::primitives
