// How a process that was forked for an execution, or within one, has ended: in memory that the process has in common with its parent.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle::driver {

enum class Outcome : uint32_t {
  unfinished,
  done,
  finding,
  cut,  // by a failure of the program's own, after which the search goes on
};

// One writer at a time: the parent before the process begins, then the process.
struct ExecutionEnd {
  volatile Outcome outcome;  // its parent may look at it while the process runs
  volatile bool reports;     // it was asked for a report of its time-out, and is at it
  const char* ignored;       // a call that the program made without effect; at the same address in both. Null: none
};

// Ends this process. `counters`: room for the program's coverage counters.
[[noreturn]] void leave_process(ExecutionEnd& end, uint8_t* counters, Outcome outcome);

}  // namespace heddle::driver
