#include "intercept/process/signal_delivery.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "engine/program_exit.h"
#include "intercept/library_access.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_value.h"
#include "intercept/refuse.h"
#include "primitives/interruption.h"
#include "primitives/signal_wait.h"
#include "restore/process_state.h"

using namespace heddle::rt;

HEDDLE_REAL(raise);

namespace {

uint64_t& mask() { return current_thread()->blocked_signals; }

constexpr uint64_t bit(int number) { return primitives::signal_bit(number); }

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
  if (to.state == ThreadState::live && !stays_pending(to, number)) primitives::handler_is_due(to, kHandlers);
}

void send_to_process(int number, Place place) {
  primitives::signal_send(nullptr, number, place);
  Thread* const open = open_thread(number);
  if (open == nullptr || suspended_for(number) != nullptr) return;
  primitives::take_pending_signal(nullptr, number);
  primitives::add_pending_signal(open, number);
  primitives::handler_is_due(*open, kHandlers);
}

// Sends to the calling thread or to the process. A signal to the process goes to any thread that does not block it: a thread that is
// suspended for it, else the calling thread, which represents the others, unless it blocks the signal.
int deliver(int number, bool to_process, Place place) {
  if (number < 0 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0) return 0;
  struct sigaction action = signal_action(number);
  if (action.sa_handler == SIG_IGN) {
    information_of_signal(number);
    return 0;
  }
  Thread* const suspended = to_process && action.sa_handler != SIG_DFL ? suspended_for(number) : nullptr;
  if (suspended != nullptr) {
    send(*suspended, number, place);
    return 0;
  }
  const bool elsewhere = to_process && open_thread(number) != nullptr;
  if ((mask() & bit(number)) != 0 && !(elsewhere && action.sa_handler == SIG_DFL)) {
    if (to_process) send_to_process(number, place);
    else send(*current_thread(), number, place);
    return 0;
  }
  // A crash signal that the program sends itself is handled like a crash.
  if (is_crash(number) && (action.sa_handler == SIG_DFL || !in_program())) return real_raise(number);
  if (action.sa_handler == SIG_DFL) {
    if (ignored_by_default(number)) {
      information_of_signal(number);
      return 0;
    }
    char how[64];
    if (const char* const name = sigabbrev_np(number)) snprintf(how, sizeof how, "SIG%s", name);
    else snprintf(how, sizeof how, "signal %d", number);
    if (!in_program()) refuse(how, place, "it has no handler and is not ignored, and its default action would end the process");
    end_program_by_signal(number, place, how);
  }
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) set_signal_action(number, {});
  const uint64_t before = mask();
  mask() |= bits_of(action.sa_mask) | ((action.sa_flags & SA_NODEFER) != 0 ? 0 : bit(number));
  siginfo_t info = information_of_signal(number);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, &info, nullptr);
  } else {
    action.sa_handler(number);
  }
  const uint64_t in_handler = mask();
  mask() = before;
  deliver_unblocked_signals(place, in_handler);
  return 0;
}

}  // namespace

int heddle::rt::send_to_itself(int number, Place place) { return deliver(number, false, place); }

int heddle::rt::send_to_thread(Thread& to, int number, Place place) {
  if (number < 0 || number >= NSIG) return EINVAL;
  if (number == 0 || to.state != ThreadState::live) return 0;  // since glibc 2.34: not joined yet, so it is still a thread
  const sighandler_t handler = signal_action(number).sa_handler;
  // A signal that is ignored, or that ends the process, has the same effect for each receiver.
  if (&to != current_thread() && handler != SIG_IGN && (handler != SIG_DFL || stays_pending(to, number))) {
    send(to, number, place);
    return 0;
  }
  return deliver(number, false, place) == 0 ? 0 : EINVAL;
}

int heddle::rt::send_to_own_process(int number, Place place) { return deliver(number, true, place); }

void heddle::rt::send_from_timer(int number, Thread* to, Place place) {
  if (to == nullptr && has_handler(number)) to = suspended_for(number);
  const bool waits = to != nullptr ? stays_pending(*to, number) : open_thread(number) == nullptr;
  if (signal_action(number).sa_handler == SIG_IGN) return;
  if (!has_handler(number) && !waits) {
    if (!ignored_by_default(number)) note_ignored("timer_create");
    return;
  }
  if (to == nullptr) send_to_process(number, place);
  else if (to->state == ThreadState::live) send(*to, number, place);
}

uint64_t heddle::rt::unblocked_signals() {
  return (primitives::process_signals() | current_thread()->pending_signals) & ~current_thread()->blocked_signals;
}

void heddle::rt::deliver_unblocked_signals(Place place, uint64_t among) {
  Thread& t = *current_thread();
  for (uint64_t due; (due = unblocked_signals() & among) != 0;) {
    const int number = __builtin_ctzll(due) + 1;
    primitives::take_pending_signal((t.pending_signals & bit(number)) != 0 ? &t : nullptr, number);
    send_to_itself(number, place);
  }
}

bool heddle::rt::let_alarm_interrupt() {
  if (Thread* const main = live_thread([](const Thread& t) { return t.main; })) primitives::alarm_may_interrupt(*main, kHandlers);
  return has_handler(SIGALRM);
}
