// Signals. An execution has its own actions (signal_actions.h), and each thread its own mask. The kernel does not know these masks, because
// for it all controlled threads are one thread. A signal is delivered at once, on the thread that raises it. No signal comes from outside.
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "engine/program_exit.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/library_access.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/process/signal_value.h"
#include "intercept/refuse.h"
#include "primitives/interruption.h"
#include "primitives/program_process.h"
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
HEDDLE_REAL(sigsuspend);
HEDDLE_REAL(pause);
HEDDLE_REAL(raise);
HEDDLE_REAL(kill);
HEDDLE_REAL(pthread_kill);
HEDDLE_REAL(getpid);
HEDDLE_REAL(getppid);

namespace {

uint64_t& mask() { return current_thread()->blocked_signals; }

// Outside of executions the kernel does what it is asked. Then no fault of heddle's own may come any more (base/fault.h).
void forbid_faults() {
  if (g_faults_are_mended) heddle::fiber::thread_pointer_trap().forbid();
}
void outside_handles(int number) {
  note_action_outside(number);
  if (number == SIGSEGV) forbid_faults();
}
void outside_blocks(int how, const sigset_t* set) {
  if (how != SIG_UNBLOCK && set != nullptr && sigismember(set, SIGSEGV) == 1) forbid_faults();
}

}  // namespace

namespace heddle::rt {

int change_signal_action(int number, const struct sigaction* action, struct sigaction* before) {
  int error = number > 0 && number < NSIG ? 0 : EINVAL;
  if (error == 0) {
    const struct sigaction now = signal_action(number);
    if (action != nullptr) error = set_signal_action(number, *action);
    if (error == 0 && before != nullptr) *before = now;
  }
  if (error == 0) return 0;
  errno = error;
  return -1;
}

sighandler_t set_signal_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return change_signal_action(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

// Waits with these signals blocked, until a signal was handled here.
int suspend_for_signals(uint64_t blocked, Place place) {
  primitives::signal_expect(place);
  Thread& t = *current_thread();
  const uint64_t before = mask();
  mask() = blocked;
  t.suspended_for = ~blocked;
  const int number = primitives::signal_wait(~blocked, kNever, place);
  t.suspended_for = 0;
  send_to_itself(number, place);
  mask() = before;
  errno = EINTR;
  return -1;
}

int change_signal_mask(int how, const sigset_t* set, sigset_t* before, Place place) {
  if (set != nullptr) primitives::handlers_come_first(place);
  uint64_t& blocked = mask();
  if (before != nullptr) *before = set_of(blocked);
  if (set == nullptr) return 0;
  const uint64_t bits = bits_of(*set);
  switch (how) {
    case SIG_BLOCK: blocked |= bits; break;
    case SIG_UNBLOCK: blocked &= ~bits; break;
    case SIG_SETMASK: blocked = bits; break;
    default: return EINVAL;
  }
  if (how != SIG_BLOCK) crashes_unblocked(blocked);
  deliver_unblocked_signals(place);
  return 0;
}

}  // namespace heddle::rt

HEDDLE_SHIM int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  value_accessed(action, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (controlled()) return change_signal_action(number, action, before);
  if (action != nullptr) outside_handles(number);
  return real_sigaction(number, action, before);
}

HEDDLE_SHIM sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_signal_handler(number, handler, SA_RESTART);
  outside_handles(number);
  return real_signal(number, handler);
}

HEDDLE_SHIM sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_signal_handler(number, handler, SA_RESTART);
  outside_handles(number);
  return real_bsd_signal(number, handler);
}

HEDDLE_SHIM sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_signal_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
  outside_handles(number);
  return real___sysv_signal(number, handler);
}

HEDDLE_SHIM int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  value_accessed(set, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (!controlled()) {
    outside_blocks(how, set);
    return real_sigprocmask(how, set, before);
  }
  const int error = change_signal_mask(how, set, before, HEDDLE_HERE);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

HEDDLE_SHIM int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  value_accessed(set, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (!controlled()) {
    outside_blocks(how, set);
    return real_pthread_sigmask(how, set, before);
  }
  return change_signal_mask(how, set, before, HEDDLE_HERE);
}

HEDDLE_SHIM int sigpending(sigset_t* set) noexcept {
  value_accessed(set, true, HEDDLE_HERE);
  if (!controlled()) return real_sigpending(set);
  *set = set_of(primitives::process_signals() | current_thread()->pending_signals);
  return 0;
}

HEDDLE_SHIM int sigsuspend(const sigset_t* set) {
  value_accessed(set, false, HEDDLE_HERE);
  return controlled() ? suspend_for_signals(bits_of(*set), HEDDLE_HERE) : real_sigsuspend(set);
}

HEDDLE_SHIM int pause() { return controlled() ? suspend_for_signals(mask(), HEDDLE_HERE) : real_pause(); }

HEDDLE_SHIM int raise(int number) noexcept {
  if (!controlled()) return real_raise(number);
  carry_no_value(number, SI_TKILL);
  return send_to_itself(number, HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_kill(pthread_t thread, int number) noexcept {
  if (!controlled()) return real_pthread_kill(thread, number);
  Thread* const to = engine().thread_of(thread);
  if (to == nullptr) return ESRCH;
  carry_no_value(number, SI_TKILL);
  return send_to_thread(*to, number, HEDDLE_HERE);
}

HEDDLE_SHIM int kill(pid_t process, int number) noexcept {
  if (!controlled()) return real_kill(process, number);
  if (process == getpid() || process == 0) {
    carry_no_value(number, SI_USER);
    return send_to_own_process(number, HEDDLE_HERE);
  }
  if (!in_program()) return real_kill(process, number);
  if (process != -1 && primitives::is_child_process(process)) return 0;  // it has ended, and was not waited for
  if (number != 0) refuse("kill of another process", HEDDLE_HERE, "it is no process of this execution");
  errno = ESRCH;
  return -1;
}

HEDDLE_SHIM pid_t getpid() noexcept { return in_program() ? program_process().number : real_getpid(); }
HEDDLE_SHIM pid_t getppid() noexcept { return in_program() ? program_process().parent : real_getppid(); }
