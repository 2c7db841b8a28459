#include "harness/driver/execution_end.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw_syscall.h"
#include "harness/driver/coverage_counters.h"
#include "restore/process_state.h"

namespace heddle::driver {

void leave_process(ExecutionEnd& end, uint8_t* counters, Outcome outcome) {
  pass_counters(counters);
  end.ignored = rt::ignored_call();
  end.outcome = outcome;
  rt::raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

bool ask_for_time_out(pid_t process, const ExecutionEnd& end) {
  constexpr int kTenths = 100;
  if (end.outcome != Outcome::unfinished || rt::raw_syscall(SYS_kill, static_cast<uintptr_t>(process), SIGALRM) != 0) return false;
  const timespec tenth = {0, 100'000'000};
  for (int i = 0; end.outcome == Outcome::unfinished && i < kTenths; ++i) rt::raw_syscall(SYS_nanosleep, rt::word(&tenth), 0);
  return true;
}

}  // namespace heddle::driver
