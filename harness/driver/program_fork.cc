#include "harness/driver/program_fork.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/race_list.h"
#include "analyses/report/report.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/symbolizer_memory.h"
#include "analyses/signals.h"
#include "analyses/time_out.h"
#include "base/afl.h"
#include "base/check.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "engine/child_process.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "feedback/feedback.h"
#include "harness/driver/asked_time_out.h"
#include "harness/driver/coverage_counters.h"
#include "harness/driver/execution_end.h"
#include "harness/driver/execution_server.h"
#include "harness/driver/kernel_fork.h"
#include "restore/process_state.h"

namespace heddle::driver {
namespace {

constexpr size_t kRest = size_t{64} << 20;  // what does not fit is not told: the search then knows less of such a child

// One writer: the child, while its parent waits for its end.
struct Told {
  ExecutionEnd execution;
  rt::ChildEnd end;
  bool has_rest;
  rt::ExecutionMark since;
  uint8_t* counters() { return reinterpret_cast<uint8_t*>(this + 1); }
  std::span<uint8_t> rest() { return {counters() + (counter_count() + 63) / 64 * 64, kRest}; }
};
size_t size_of_told() { return sizeof(Told) + counter_count() + 64 + kRest; }

// What the reports of all processes of the program share.
struct Shared {
  rt::FindingMemory findings;
  rt::RacesSeen races;
  rt::SymbolizerMemory symbols;
};

constinit bool shares = false, forked = false;
constinit Told* to_parent = nullptr;  // null: this process is not a child
constinit volatile pid_t running_child = 0;
constinit Told* volatile from_child = nullptr;

void* map_shared(size_t size) {
  const long p = rt::raw_syscall(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, static_cast<uintptr_t>(-1), 0);
  rt::check(p > 0, "no memory for a child process of the program");
  return reinterpret_cast<void*>(p);
}

[[noreturn]] void leave(Outcome outcome) {
  rt::publish_afl_counters();
  leave_process(to_parent->execution, to_parent->counters(), outcome);
}

void give_rest() { to_parent->has_rest = rt::engine().give_rest(to_parent->since, to_parent->rest()); }

[[noreturn]] void leave_at_end() {
  to_parent->end = {(rt::recorder().summary.flags & kRunExited) != 0, rt::program_wait_status()};
  give_rest();
  leave(Outcome::done);
}

[[noreturn]] void leave_cut_short() {
  if (!rt::goes_on_after_own_failure()) leave(Outcome::finding);
  give_rest();
  leave(Outcome::cut);
}

void begin_child() {
  rt::raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  drop_engine_handlers();
  rt::set_next_handler(SIGALRM, [](int) {
    answer_time_out(to_parent->execution, rt::report_time_out);
    leave(Outcome::finding);
  });
  for (const int number : {SIGINT, SIGTERM}) rt::set_next_handler(number, SIG_DFL);
  rt::leave_out(rt::kFeedback);  // the parent has its memory
  rt::set_last_act(leave_cut_short);
}

int wait_for_end(pid_t child) {
  int status = 0;
  while (rt::raw_syscall(SYS_wait4, static_cast<uintptr_t>(child), rt::word(&status), __WALL, 0) == -EINTR) {
  }
  return status;
}

// The child has reported its finding and saved its run. This process ends in the same way, without a report.
[[noreturn]] void die_of_child() {
  rt::set_death_hook(nullptr);
  rt::die();
}

// REQUIRES: a controlled thread runs, and no other lives.
bool fork_execution(rt::Thread& first, rt::ChildEnd& end) {
  bool in_child = false;
  forked = true;
  {
    const rt::Uncontrolled outside;
    if (!shares && !rt::has_last_act()) {
      auto* const shared = static_cast<Shared*>(map_shared(sizeof(Shared)));
      rt::share_finding_memory(shared->findings);
      rt::share_symbolizer_memory(shared->symbols);
      rt::share_races_seen(shared->races);
      shares = true;
    }
    auto* const told = static_cast<Told*>(map_shared(size_of_told()));
    told->since = rt::engine().mark();
    from_child = told;
    const pid_t child = kernel_fork();
    rt::check(child >= 0, "the system cannot create a child process of the program. Raise the limits (ulimit -u, ulimit -v)");
    in_child = child == 0;
    if (in_child) {
      from_child = nullptr;
      to_parent = told;
      begin_child();
    } else {
      running_child = child;
      const int status = wait_for_end(child);
      running_child = 0;
      const Outcome outcome = told->execution.outcome;
      if (outcome != Outcome::unfinished) take_counters(told->counters());
      if (told->execution.ignored != nullptr) rt::note_ignored(told->execution.ignored);
      if (outcome == Outcome::unfinished) {
        rt::print_line(2, "heddle: a child process of the program was killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
        die_of_child();
      }
      if (outcome == Outcome::finding) die_of_child();
      if (outcome == Outcome::cut) rt::recorder().summary.flags |= kRunFinding;
      if (told->has_rest) rt::engine().take_rest(told->rest());
      end = told->end;
      rt::raw_syscall(SYS_munmap, rt::word(told), size_of_told());
    }
  }
  if (in_child) rt::engine().become(first, leave_at_end);
  return in_child;
}

// Called in a signal handler: the running execution waits for a child.
bool tell_child_time_out() {
  const pid_t child = running_child;
  return child != 0 && ask_for_time_out(child, from_child->execution) && from_child->execution.outcome != Outcome::unfinished;
}

}  // namespace

bool has_forked() { return forked; }

void follow_forks() {
  prepare_kernel_fork();
  rt::set_fork_execution(fork_execution);
  rt::set_time_out_hook(tell_child_time_out);
}

}  // namespace heddle::driver
