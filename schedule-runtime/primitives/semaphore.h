// POSIX semaphores. The count stays where glibc keeps it, in the bytes of the semaphore. So a semaphore that was initialised or
// posted outside of an execution is correct from the start. The engine's object represents only the waiters.
#pragma once

#include <semaphore.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// The beginning of a sem_t in glibc on the 64-bit architectures: the count in the low half of a 64-bit word (little endian), the number of
// waiters in the high half. The next word tells whether it is shared.
inline uint32_t& semaphore_count(sem_t* semaphore) { return *reinterpret_cast<uint32_t*>(semaphore); }

// All return 0 or an errno.
void semaphore_init(sem_t* semaphore, Place place);  // after the real one has set its bytes
int semaphore_destroy(sem_t* semaphore, Place place);
int semaphore_wait(sem_t* semaphore, uint64_t deadline, Place place);  // kNever: without a time limit; also EINTR
int semaphore_trywait(sem_t* semaphore, Place place);
int semaphore_post(sem_t* semaphore, Place place);
int semaphore_value(sem_t* semaphore, int* value, Place place);

}  // namespace heddle::rt::primitives
