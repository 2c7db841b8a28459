// The processes that a whole program starts: with fork() (engine/child_process.h), or as another program that heddle does not control.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// Why this process cannot be forked now; null: it can.
const char* process_obstacle();
// REQUIRES: no obstacle. The child's number; 0 in the child; -EAGAIN.
int process_fork(Place place);

// A child that was another program and has ended. Its number; -EAGAIN.
int process_spawned(int wait_status, Place place);

struct EndedProcess {
  int number;
  int wait_status;
};
// Waits for one of the children: `number` as in waitpid(). Its `number` is 0 if there is none. `keep`: it can be waited for again.
EndedProcess process_wait(int number, bool keep, Place place);

// A child that has not been waited for.
bool is_child_process(int number);

}  // namespace heddle::rt::primitives
