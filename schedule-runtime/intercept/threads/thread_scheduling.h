// What a program has asked the kernel for about the scheduling of a controlled thread: its processors, its policy and priority, its nice value. The
// kernel is not asked: it runs all controlled threads on one thread of its own, which would stay as they want it, also for the executions that follow.
// A thread has what its creator had when it was created. Nothing here changes a schedule.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct Thread;

struct ThreadScheduling {
  // As many processors as the C library's cpu_set_t has.
  static constexpr size_t kAffinityBytes = 128;

  int policy;
  int priority;
  int nice;
  uint8_t affinity[kAffinityBytes];  // a bit for each processor
};

ThreadScheduling thread_scheduling(const Thread& t);
void set_thread_scheduling(const Thread& t, const ThreadScheduling& scheduling);
// Where it seems to run: on processor 0, which need not exist, unless the program has chosen others.
unsigned processor_of(const Thread& t);

}  // namespace heddle::rt
