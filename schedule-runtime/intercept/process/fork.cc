// Child processes of a whole program. In a harness, and where a fork cannot be followed, these calls are refused: a controlled thread's process is that
// of the fuzzing engine.
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/program_exit.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/fork_by_number.h"
#include "intercept/library_access.h"
#include "intercept/process/fork_handlers.h"
#include "intercept/process/refused_calls.h"
#include "intercept/process/test_frameworks.h"
#include "intercept/program_ends.h"
#include "intercept/refuse.h"
#include "primitives/program_process.h"

using namespace heddle::rt;

extern "C" pid_t _Fork() noexcept;

HEDDLE_REAL_OR_ASAN(pid_t, fork, ());
HEDDLE_REAL(_Fork);
static constinit Real<int(int (*)(void*), void*, int, void*, ...)> real_clone{"clone"};
HEDDLE_REAL_OR_ASAN(pid_t, wait, (int*));
HEDDLE_REAL_OR_ASAN(pid_t, waitpid, (pid_t, int*, int));
HEDDLE_REAL_OR_ASAN(int, waitid, (idtype_t, id_t, siginfo_t*, int));
HEDDLE_REAL_OR_ASAN(pid_t, wait3, (int*, int, rusage*));
HEDDLE_REAL_OR_ASAN(pid_t, wait4, (pid_t, int*, int, rusage*));

namespace {

int follow_fork(const char* name, bool handlers, Place place) {
  if (!in_program()) refuse(name, place, advice_for_fork(kProcess));
  if (const char* const obstacle = primitives::process_obstacle()) refuse(name, place, advice_for_fork(obstacle));
  if (handlers) run_fork_handlers(ForkHandlers::prepare);
  const int number = primitives::process_fork(place);
  if (handlers) run_fork_handlers(number == 0 ? ForkHandlers::in_child : ForkHandlers::in_parent);
  if (number > 0) kill(program_process().number, SIGCHLD);  // the child has ended
  if (number >= 0) return number;
  errno = -number;
  return -1;
}

// A child has always ended. So WNOHANG changes nothing, and there is nothing to tell about children that stop or continue.
primitives::EndedProcess wait_for(const char* name, pid_t process, bool keep, Place place) {
  if (!in_program()) refuse(name, place, kProcess);
  const primitives::EndedProcess ended = primitives::process_wait(process, keep, place);
  if (ended.number == 0) errno = ECHILD;
  return ended;
}

pid_t waited(const char* name, pid_t process, int* status, rusage* usage, Place place) {
  const primitives::EndedProcess ended = wait_for(name, process, false, place);
  if (ended.number == 0) return -1;
  if (status != nullptr) *status = ended.wait_status;
  if (usage != nullptr) memset(usage, 0, sizeof *usage);  // no real time passes
  value_accessed(status, true, place);
  value_accessed(usage, true, place);
  return ended.number;
}

int waited_for_info(idtype_t type, id_t id, siginfo_t* info, int options, Place place) {
  const pid_t process = type == P_PID ? static_cast<pid_t>(id) : 0;
  const primitives::EndedProcess ended = wait_for("waitid", process, (options & WNOWAIT) != 0, place);
  if (ended.number == 0) return -1;
  if (info == nullptr) return 0;
  *info = {};
  info->si_signo = SIGCHLD;
  info->si_pid = ended.number;
  const bool exited = WIFEXITED(ended.wait_status);
  info->si_code = exited ? CLD_EXITED : CLD_KILLED;
  info->si_status = exited ? WEXITSTATUS(ended.wait_status) : WTERMSIG(ended.wait_status);
  value_accessed(info, true, place);
  return 0;
}

}  // namespace

pid_t heddle::rt::fork_by_number(Place place) { return follow_fork("syscall(SYS_fork)", false, place); }

HEDDLE_SHIM pid_t fork() noexcept {
  if (current_thread() != nullptr) return follow_fork("fork", true, HEDDLE_HERE);
  const heddle::fiber::KernelKnows known;
  return real_fork();
}

HEDDLE_SHIM pid_t _Fork() noexcept {
  if (current_thread() != nullptr) return follow_fork("_Fork", false, HEDDLE_HERE);
  const heddle::fiber::KernelKnows known;
  return real__Fork();
}

// A process that shares nothing with its parent is a child as that of fork(). It gets no stack of its own: none of its frames can be on that of the
// parent.
HEDDLE_SHIM int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  void* more[3];
  for (void*& m : more) m = va_arg(list, void*);
  va_end(list);
  if (current_thread() == nullptr) {
    heddle::fiber::thread_pointer_trap().set(false);
    return real_clone(function, stack, flags, argument, more[0], more[1], more[2]);
  }
  if (function == nullptr || stack == nullptr) {
    errno = EINVAL;
    return -1;
  }
  constexpr int kSignal = 0xFF;
  if ((flags & ~(kSignal | CLONE_VFORK)) != 0) {
    refuse("clone", HEDDLE_HERE, "heddle only follows a process that shares nothing with its parent. Start threads with pthread_create");
  }
  const int number = follow_fork("clone", false, HEDDLE_HERE);
  if (number == 0) program_ends(function(argument), Ending::at_once, HEDDLE_HERE, "the end of the function of clone()");
  return number;
}

// In an execution as fork(): most systems let the child share its parent's memory until it calls exec, but no program may rely on that. Elsewhere the
// real child runs on its parent's stack. So only a jump may lead there: a frame of heddle would be returned from twice.
extern "C" __attribute__((weak)) pid_t heddle_asan_vfork() asm("___interceptor_vfork");
HEDDLE_SHIM pid_t heddle_vfork() asm("vfork");
pid_t heddle_vfork() {
  if (current_thread() != nullptr) return follow_fork("vfork", false, HEDDLE_HERE);
  heddle::fiber::thread_pointer_trap().set(false);
  static constinit pid_t (*real)() = nullptr;
  if (real == nullptr) real = &heddle_asan_vfork != nullptr ? &heddle_asan_vfork : reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "vfork"));
  [[clang::musttail]] return real();
}

HEDDLE_SHIM pid_t wait(int* status) {
  return current_thread() != nullptr ? waited("wait", -1, status, nullptr, HEDDLE_HERE) : real_wait(status);
}

HEDDLE_SHIM pid_t waitpid(pid_t process, int* status, int options) {
  return current_thread() != nullptr ? waited("waitpid", process, status, nullptr, HEDDLE_HERE) : real_waitpid(process, status, options);
}

HEDDLE_SHIM pid_t wait3(int* status, int options, rusage* usage) noexcept {
  return current_thread() != nullptr ? waited("wait3", -1, status, usage, HEDDLE_HERE) : real_wait3(status, options, usage);
}

HEDDLE_SHIM pid_t wait4(pid_t process, int* status, int options, rusage* usage) noexcept {
  return current_thread() != nullptr ? waited("wait4", process, status, usage, HEDDLE_HERE) : real_wait4(process, status, options, usage);
}

HEDDLE_SHIM int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  return current_thread() != nullptr ? waited_for_info(type, id, info, options, HEDDLE_HERE) : real_waitid(type, id, info, options);
}
