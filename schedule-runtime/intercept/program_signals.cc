// Signals of a whole program. An execution has handlers and masks of its own, which the kernel is not told of: it would change those of the
// engine, whose process this is. Who raises a signal has it delivered at once, on the raising thread; from outside none comes. Timers that would
// send one never ring: real time does not pass in an execution.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/process_state.h"
#include "engine/program_exit.h"
#include "intercept/library_access.h"
#include "intercept/refuse.h"
#include "primitives/signal_wait.h"

using namespace heddle::rt;

extern "C" {
sighandler_t bsd_signal(int, sighandler_t) noexcept;
sighandler_t __sysv_signal(int, sighandler_t) noexcept;
}

HEDDLE_REAL_OR_ASAN(int, sigaction, (int, const struct sigaction*, struct sigaction*));
HEDDLE_REAL_OR_ASAN(sighandler_t, signal, (int, sighandler_t));
HEDDLE_REAL(bsd_signal);
HEDDLE_REAL(__sysv_signal);
HEDDLE_REAL(sigprocmask);
HEDDLE_REAL(pthread_sigmask);
HEDDLE_REAL(sigpending);
HEDDLE_REAL(raise);
HEDDLE_REAL(kill);
HEDDLE_REAL(pthread_kill);
HEDDLE_REAL(getpid);
HEDDLE_REAL(getppid);
HEDDLE_REAL(alarm);
HEDDLE_REAL(ualarm);

static constinit Real<int(int, const itimerval*, itimerval*)> real_setitimer{"setitimer"};

namespace {

// The same in each execution, whatever process it is in.
constexpr pid_t kProcess = kProgramProcess, kParent = kProcess - 1;

struct Signals {
  uint64_t execution = 0;
  struct sigaction actions[NSIG] = {};
};
constinit Signals g_signals;

Signals& signals() {
  const uint64_t now = engine().executions();
  if (g_signals.execution != now) {
    memset(static_cast<void*>(&g_signals), 0, sizeof g_signals);
    g_signals.execution = now;
  }
  return g_signals;
}

uint64_t& mask() { return current_thread()->blocked_signals; }

constexpr uint64_t bit(int number) { return primitives::signal_bit(number); }

uint64_t bits_of(const sigset_t& set) {
  uint64_t bits;
  memcpy(&bits, &set, sizeof bits);
  return bits & ~(bit(SIGKILL) | bit(SIGSTOP));
}

void put_bits(sigset_t* set, uint64_t bits) {
  sigemptyset(set);
  memcpy(set, &bits, sizeof bits);
}

bool settable(int number) { return number > 0 && number < NSIG && number != SIGKILL && number != SIGSTOP; }

int set_action(int number, const struct sigaction* action, struct sigaction* before) {
  if (!settable(number)) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction& mine = signals().actions[number];
  if (before != nullptr) *before = mine;
  if (action == nullptr) return 0;
  mine = *action;
  // The kernel sends this one by itself.
  if (number == SIGPIPE) {
    touched_process_state(Touched::pipe_signal);
    struct sigaction ignore = {};
    ignore.sa_handler = action->sa_handler == SIG_DFL ? SIG_DFL : SIG_IGN;
    real_sigaction(SIGPIPE, &ignore, nullptr);
  }
  return 0;
}

sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (set_action(number, &action, &before) != 0) return SIG_ERR;
  return before.sa_handler;
}

bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

// A crash by any other name: it goes the way of crashes.
bool is_crash(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP || number == SIGABRT;
}

// To the calling thread; or to the process, whose only thread that has not blocked it this one is taken to be.
int deliver(int number, bool to_process, const Place& place) {
  if (number < 0 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0) return 0;
  Signals& s = signals();
  struct sigaction action = s.actions[number];
  if (action.sa_handler == SIG_IGN) return 0;
  if ((mask() & bit(number)) != 0) {
    primitives::signal_send(to_process ? nullptr : current_thread(), number, place);
    return 0;
  }
  if (action.sa_handler == SIG_DFL) {
    if (ignored_by_default(number)) return 0;
    if (is_crash(number)) return real_raise(number);
    char how[64];
    snprintf(how, sizeof how, "signal %d", number);
    exit_program(128 + number, Ending::at_once, place, how);
  }
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) s.actions[number].sa_handler = SIG_DFL;
  const uint64_t before = mask();
  mask() |= bits_of(action.sa_mask) | ((action.sa_flags & SA_NODEFER) != 0 ? 0 : bit(number));
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    siginfo_t info = {};
    info.si_signo = number;
    info.si_code = SI_TKILL;
    info.si_pid = kProcess;
    action.sa_sigaction(number, &info, nullptr);
  } else {
    action.sa_handler(number);
  }
  mask() = before;
  return 0;
}

int change_mask(int how, const sigset_t* set, sigset_t* before, const Place& place) {
  uint64_t& blocked = mask();
  if (before != nullptr) put_bits(before, blocked);
  if (set == nullptr) return 0;
  const uint64_t bits = bits_of(*set);
  switch (how) {
    case SIG_BLOCK: blocked |= bits; break;
    case SIG_UNBLOCK: blocked &= ~bits; break;
    case SIG_SETMASK: blocked = bits; break;
    default: return EINVAL;
  }
  Thread& t = *current_thread();
  for (uint64_t due; (due = (primitives::process_signals() | t.pending_signals) & ~mask()) != 0;) {
    const int number = __builtin_ctzll(due) + 1;
    primitives::process_signals() &= ~bit(number);
    t.pending_signals &= ~bit(number);
    deliver(number, false, place);
  }
  return 0;
}

}  // namespace

HEDDLE_SHIM int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  value_accessed(action, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (in_program()) return set_action(number, action, before);
  return real_sigaction(number, action, before);
}

HEDDLE_SHIM sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (in_program()) return set_handler(number, handler, SA_RESTART);
  return real_signal(number, handler);
}

HEDDLE_SHIM sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  if (in_program()) return set_handler(number, handler, SA_RESTART);
  return real_bsd_signal(number, handler);
}

HEDDLE_SHIM sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (in_program()) return set_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
  return real___sysv_signal(number, handler);
}

HEDDLE_SHIM int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  value_accessed(set, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (!in_program()) return real_sigprocmask(how, set, before);
  const int error = change_mask(how, set, before, HEDDLE_HERE);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

HEDDLE_SHIM int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  value_accessed(set, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (!in_program()) return real_pthread_sigmask(how, set, before);
  return change_mask(how, set, before, HEDDLE_HERE);
}

HEDDLE_SHIM int sigpending(sigset_t* set) noexcept {
  value_accessed(set, true, HEDDLE_HERE);
  if (!in_program()) return real_sigpending(set);
  put_bits(set, primitives::process_signals() | current_thread()->pending_signals);
  return 0;
}

HEDDLE_SHIM int raise(int number) noexcept { return in_program() ? deliver(number, false, HEDDLE_HERE) : real_raise(number); }

HEDDLE_SHIM int pthread_kill(pthread_t thread, int number) noexcept {
  if (current_thread() == nullptr || number == 0) return real_pthread_kill(thread, number);
  Thread* const to = in_program() ? engine().thread_of(thread) : nullptr;
  if (!in_program()) refuse("pthread_kill", HEDDLE_HERE, "all controlled threads are one kernel thread: signals cannot be told apart");
  if (to == nullptr || to->state == ThreadState::finished) return ESRCH;
  if (number < 0 || number >= NSIG) return EINVAL;
  const sighandler_t handler = signals().actions[number].sa_handler;
  if (to != current_thread() && (to->blocked_signals & bit(number)) != 0) {
    if (handler != SIG_IGN) primitives::signal_send(to, number, HEDDLE_HERE);
    return 0;
  }
  // What is ignored, or ends the process, is so whoever it is sent to.
  if (to != current_thread() && handler != SIG_IGN && handler != SIG_DFL) {
    refuse("pthread_kill", HEDDLE_HERE, "a handler cannot run on another thread: block the signal there, and wait for it with sigwait");
  }
  return deliver(number, false, HEDDLE_HERE) == 0 ? 0 : EINVAL;
}

HEDDLE_SHIM int kill(pid_t process, int number) noexcept {
  if (!in_program()) return real_kill(process, number);
  if (process == kProcess || process == 0) return deliver(number, true, HEDDLE_HERE);
  if (number != 0) refuse("kill of another process", HEDDLE_HERE, "an execution is a process without others");
  errno = ESRCH;
  return -1;
}

HEDDLE_SHIM pid_t getpid() noexcept { return in_program() ? kProcess : real_getpid(); }
HEDDLE_SHIM pid_t getppid() noexcept { return in_program() ? kParent : real_getppid(); }

HEDDLE_SHIM unsigned alarm(unsigned seconds) noexcept {
  if (!in_program()) return real_alarm(seconds);
  if (seconds != 0) note_ignored("alarm");
  return 0;
}

HEDDLE_SHIM useconds_t ualarm(useconds_t time, useconds_t interval) noexcept {
  if (!in_program()) return real_ualarm(time, interval);
  note_ignored("ualarm");
  return 0;
}

HEDDLE_SHIM int heddle_setitimer(int which, const itimerval* time, itimerval* before) asm("setitimer");
int heddle_setitimer(int which, const itimerval* time, itimerval* before) {
  if (!in_program()) return real_setitimer(which, time, before);
  if (before != nullptr) *before = {};
  if (time != nullptr && (time->it_value.tv_sec != 0 || time->it_value.tv_usec != 0)) note_ignored("setitimer");
  return 0;
}

#define HEDDLE_NO_TIMER(name)                                                                                      \
  HEDDLE_SHIM uintptr_t heddle_##name(uintptr_t, uintptr_t, uintptr_t) asm(#name);                                 \
  uintptr_t heddle_##name(uintptr_t a, uintptr_t b, uintptr_t c) {                                                 \
    if (in_program()) refuse(#name, HEDDLE_HERE, "no real time passes in an execution; use a thread that sleeps"); \
    static constinit Real<uintptr_t(uintptr_t, uintptr_t, uintptr_t)> real{#name};                                 \
    return real(a, b, c);                                                                                          \
  }
HEDDLE_NO_TIMER(timer_create)
