// An execution in a process of its own takes too long: its parent asks it for the report.
#pragma once

#include "harness/driver/execution_end.h"

namespace heddle::driver {

// How long to wait, in tenths of a second: for the answer of a process that may be unable to give one, and for the report, which takes its time
// if the run was long or the machine is busy.
struct Patience {
  int answer = 100, report = 1000;
};

// Called in a signal handler: asks the process, and waits for its end. False: it has ended already.
bool ask_for_time_out(pid_t process, ExecutionEnd& end, Patience patience = {});
// The handler of SIGALRM in the process that is asked.
void answer_time_out(ExecutionEnd& end, void (*report)());

}  // namespace heddle::driver
