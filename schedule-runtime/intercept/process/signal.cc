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

constexpr uint64_t bit(int number) { return primitives::signal_bit(number); }

void put_bits(sigset_t* set, uint64_t bits) {
  sigemptyset(set);
  memcpy(set, &bits, sizeof bits);
}

int change_action(int number, const struct sigaction* action, struct sigaction* before) {
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

sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return change_action(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

// The oldest one; null: none.
template <typename Which>
Thread* live_thread(Which which) {
  for (uint32_t i = 0; i < engine().thread_count(); ++i) {
    Thread& t = engine().thread(i);
    if (t.state == ThreadState::live && which(t)) return &t;
  }
  return nullptr;
}

// One that does not block the signal.
Thread* open_thread(int number) {
  return live_thread([number](const Thread& t) { return (t.blocked_signals & bit(number)) == 0; });
}

// The thread only waits for the signal.
Thread* suspended_for(int number) {
  return live_thread([number](const Thread& t) { return (t.suspended_for & bit(number)) != 0; });
}

bool has_handler(int number) {
  const sighandler_t handler = signal_action(number).sa_handler;
  return handler != SIG_IGN && handler != SIG_DFL;
}

// The thread blocks the signal, or waits for it in sigsuspend or pause: no handler interrupts it.
bool stays_pending(const Thread& t, int number) { return ((t.blocked_signals | t.suspended_for) & bit(number)) != 0; }

int deliver(int number, bool to_process, Place place);

// What calls in a handler leave in errno counts as written by the handler: the code that it interrupts may be about to look at its own errno.
void handle(int number, Place place) {
  const int before = errno;
  const auto handler = reinterpret_cast<uintptr_t>(signal_action(number).sa_handler);
  deliver(number, false, place);
  const Place in_handler = {handler + 1, place.frame};  // like the return address of a call there
  if (errno != before && asked_by_program(in_handler)) library_accesses(&errno, [] { return sizeof errno; }, true, in_handler);
}

// On a thread that does something else.
constexpr primitives::Handlers kHandlers = {
    .run = handle,
    .restarts = [](int number) { return (signal_action(number).sa_flags & SA_RESTART) != 0; },
    .handles = [](int number) { return has_handler(number); },
};

// Other threads may run before the signal is sent, and change their masks.
void send(Thread& to, int number, Place place) {
  primitives::signal_send(&to, number, place);
  if (to.state != ThreadState::finished && !stays_pending(to, number)) primitives::handler_is_due(to, kHandlers);
}

void send_to_process(int number, Place place) {
  primitives::signal_send(nullptr, number, place);
  Thread* const open = open_thread(number);
  if (open == nullptr || suspended_for(number) != nullptr) return;
  primitives::process_signals() &= ~bit(number);
  open->pending_signals |= bit(number);
  primitives::handler_is_due(*open, kHandlers);
}

// Sends to the calling thread or to the process. A signal to the process goes to any thread that does not block it: a thread that is
// suspended for it, else the calling thread, which represents the others.
int deliver(int number, bool to_process, Place place) {
  if (number < 0 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0) return 0;
  struct sigaction action = signal_action(number);
  if (action.sa_handler == SIG_IGN) return 0;
  Thread* const suspended = to_process && action.sa_handler != SIG_DFL ? suspended_for(number) : nullptr;
  if (suspended != nullptr) {
    send(*suspended, number, place);
    return 0;
  }
  if ((mask() & bit(number)) != 0 && !(to_process && open_thread(number) != nullptr)) {
    if (to_process) send_to_process(number, place);
    else send(*current_thread(), number, place);
    return 0;
  }
  // A crash signal that the program sends itself is handled like a crash.
  if (is_crash(number) && (action.sa_handler == SIG_DFL || !in_program())) return real_raise(number);
  if (action.sa_handler == SIG_DFL) {
    if (ignored_by_default(number)) return 0;
    char how[64];
    snprintf(how, sizeof how, "signal %d", number);
    if (!in_program()) refuse(how, place, "it has no handler and is not ignored, and its default action would end the process");
    end_program_by_signal(number, place, how);
  }
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) set_signal_action(number, {});
  const uint64_t before = mask();
  mask() |= bits_of(action.sa_mask) | ((action.sa_flags & SA_NODEFER) != 0 ? 0 : bit(number));
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    siginfo_t info = {};
    info.si_signo = number;
    info.si_code = SI_TKILL;
    info.si_pid = getpid();
    action.sa_sigaction(number, &info, nullptr);
  } else {
    action.sa_handler(number);
  }
  mask() = before;
  return 0;
}

// Waits with these signals blocked, until a signal was handled here.
int suspend(uint64_t blocked, Place place) {
  primitives::signal_expect(place);
  Thread& t = *current_thread();
  const uint64_t before = mask();
  mask() = blocked;
  t.suspended_for = ~blocked;
  const int number = primitives::signal_wait(~blocked, kNever, place);
  t.suspended_for = 0;
  deliver(number, false, place);
  mask() = before;
  errno = EINTR;
  return -1;
}

int change_mask(int how, const sigset_t* set, sigset_t* before, Place place) {
  if (set != nullptr) primitives::handlers_come_first(place);
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
  if (how != SIG_BLOCK) crashes_unblocked(blocked);
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

bool heddle::rt::let_alarm_interrupt() {
  primitives::alarm_may_interrupt(engine().thread(0), kHandlers);
  return has_handler(SIGALRM);
}

namespace {

// Outside of executions the kernel does what it is asked. Then no fault of heddle's own may come any more (base/fault.h).
void outside_handles(int number) {
  if (number == SIGSEGV && g_faults_are_mended) heddle::fiber::thread_pointer_trap().forbid();
}
void outside_blocks(int how, const sigset_t* set) {
  if (how != SIG_UNBLOCK && set != nullptr && sigismember(set, SIGSEGV) == 1) outside_handles(SIGSEGV);
}

}  // namespace

HEDDLE_SHIM int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  value_accessed(action, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  if (controlled()) return change_action(number, action, before);
  if (action != nullptr) outside_handles(number);
  return real_sigaction(number, action, before);
}

HEDDLE_SHIM sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_handler(number, handler, SA_RESTART);
  outside_handles(number);
  return real_signal(number, handler);
}

HEDDLE_SHIM sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_handler(number, handler, SA_RESTART);
  outside_handles(number);
  return real_bsd_signal(number, handler);
}

HEDDLE_SHIM sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (controlled()) return set_handler(number, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
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
  const int error = change_mask(how, set, before, HEDDLE_HERE);
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
  return change_mask(how, set, before, HEDDLE_HERE);
}

HEDDLE_SHIM int sigpending(sigset_t* set) noexcept {
  value_accessed(set, true, HEDDLE_HERE);
  if (!controlled()) return real_sigpending(set);
  put_bits(set, primitives::process_signals() | current_thread()->pending_signals);
  return 0;
}

HEDDLE_SHIM int sigsuspend(const sigset_t* set) {
  value_accessed(set, false, HEDDLE_HERE);
  return controlled() ? suspend(bits_of(*set), HEDDLE_HERE) : real_sigsuspend(set);
}

HEDDLE_SHIM int pause() { return controlled() ? suspend(mask(), HEDDLE_HERE) : real_pause(); }

HEDDLE_SHIM int raise(int number) noexcept { return controlled() ? deliver(number, false, HEDDLE_HERE) : real_raise(number); }

HEDDLE_SHIM int pthread_kill(pthread_t thread, int number) noexcept {
  if (!controlled()) return real_pthread_kill(thread, number);
  Thread* const to = engine().thread_of(thread);
  if (to == nullptr) return ESRCH;
  if (number < 0 || number >= NSIG) return EINVAL;
  if (number == 0 || to->state == ThreadState::finished) return 0;  // since glibc 2.34: not joined yet, so it is still a thread
  const sighandler_t handler = signal_action(number).sa_handler;
  // A signal that is ignored, or that ends the process, has the same effect for each receiver.
  if (to != current_thread() && handler != SIG_IGN && (handler != SIG_DFL || stays_pending(*to, number))) {
    send(*to, number, HEDDLE_HERE);
    return 0;
  }
  return deliver(number, false, HEDDLE_HERE) == 0 ? 0 : EINVAL;
}

HEDDLE_SHIM int kill(pid_t process, int number) noexcept {
  if (!controlled()) return real_kill(process, number);
  if (process == getpid() || process == 0) return deliver(number, true, HEDDLE_HERE);
  if (!in_program()) return real_kill(process, number);
  if (process != -1 && primitives::is_child_process(process)) return 0;  // it has ended, and was not waited for
  if (number != 0) refuse("kill of another process", HEDDLE_HERE, "an execution contains no other process");
  errno = ESRCH;
  return -1;
}

HEDDLE_SHIM pid_t getpid() noexcept { return in_program() ? program_process().number : real_getpid(); }
HEDDLE_SHIM pid_t getppid() noexcept { return in_program() ? program_process().parent : real_getppid(); }
