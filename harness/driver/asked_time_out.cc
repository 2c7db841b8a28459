#include "harness/driver/asked_time_out.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw_syscall.h"

namespace heddle::driver {

bool ask_for_time_out(pid_t process, ExecutionEnd& end, Patience patience) {
  const auto reaches = [process](uintptr_t number) { return rt::raw_syscall(SYS_kill, static_cast<uintptr_t>(process), number) == 0; };
  end.reports = false;
  if (end.outcome != Outcome::unfinished || !reaches(SIGALRM)) return false;
  const timespec tenth = {0, 100'000'000};
  for (int i = 0; end.outcome == Outcome::unfinished && i < (end.reports ? patience.report : patience.answer) && reaches(0); ++i) {
    rt::raw_syscall(SYS_nanosleep, rt::word(&tenth), 0);
  }
  return true;
}

void answer_time_out(ExecutionEnd& end, void (*report)()) {
  end.reports = true;
  report();
}

}  // namespace heddle::driver
