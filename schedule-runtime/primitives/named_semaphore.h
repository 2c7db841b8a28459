// Semaphores with a name (sem_open). Names and semaphores belong to the execution: none exists when it begins. Child processes of the program share them.
#pragma once

#include <semaphore.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

struct OpenedSemaphore {
  sem_t* semaphore;  // null: it failed
  int error;
};
// `name` is without its leading slash.
OpenedSemaphore semaphore_open(const char* name, int flags, unsigned value, Place place);
int semaphore_unlink(const char* name, Place place);
// False: it has no name, or is from before the execution.
bool is_named_semaphore(const sem_t* semaphore);
// REQUIRES: is_named_semaphore().
int semaphore_close(sem_t* semaphore, Place place);

}  // namespace heddle::rt::primitives
