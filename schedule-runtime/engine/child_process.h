// fork() in an execution: what the two processes know of each other.
//
// The child is one more thread of the recorded run, with a lineage of its own: main.0, whose threads are main.0.0 and so on. It runs to its end while its
// parent stands still in fork(). So the two never run side by side, and an input decides everything in both. Then the parent takes over what the
// child has recorded: mutators, feedback and reports see one run.
#pragma once

#include <cstdint>

namespace heddle::rt {

struct Thread;

// How far the record of an execution has come.
struct ExecutionMark {
  uint32_t events, threads, objects, sites, contexts, select_cases, channels, races;
};

struct ChildEnd {
  bool ended;       // as a process does. False: its threads wait without end, or a bound was reached
  int wait_status;  // as for waitpid()
};

// Makes a child process that goes on as `first`. True: this is the child. In the parent it returns when the child has ended, of
// which `end` tells; it does not return if the child had a finding with which the search ends.
using ForkExecution = bool (*)(Thread& first, ChildEnd& end);
// The harness knows how processes begin and end. Until it has set this, fork() is refused.
void set_fork_execution(ForkExecution fork);
ForkExecution fork_execution();

}  // namespace heddle::rt
