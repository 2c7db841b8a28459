// Threads as objects: create, join, detach, exit. Results are those of the pthread calls.
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

int thread_create(pthread_t* out, void* (*start)(void*), void* argument, bool detached, Place place, size_t stack = 0);
int thread_join(pthread_t handle, void** result, Place place);
int thread_tryjoin(pthread_t handle, void** result, uint64_t deadline, Place place);  // deadline 0: at once
int thread_detach(pthread_t handle, Place place);
[[noreturn]] void thread_exit(void* result);

}  // namespace heddle::rt::primitives
