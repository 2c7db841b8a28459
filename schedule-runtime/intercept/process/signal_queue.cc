// Signals with a value, and to a thread by its number.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "engine/program_exit.h"
#include "intercept/own_number.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/process/signal_value.h"
#include "intercept/real.h"

using namespace heddle::rt;

extern "C" int pthread_sigqueue(pthread_t, int, const sigval) noexcept;

HEDDLE_REAL(sigqueue);
HEDDLE_REAL(pthread_sigqueue);
HEDDLE_REAL(tgkill);

namespace {

bool is_signal(int number) { return number > 0 && number < NSIG; }

}  // namespace

HEDDLE_SHIM int sigqueue(pid_t process, int number, const sigval value) noexcept {
  if (!controlled() || process != getpid()) return real_sigqueue(process, number, value);
  if (is_signal(number)) carry_signal_value(number, SI_QUEUE, value);
  return send_to_own_process(number, HEDDLE_HERE);
}

HEDDLE_SHIM int pthread_sigqueue(pthread_t thread, int number, const sigval value) noexcept {
  if (!controlled()) return real_pthread_sigqueue(thread, number, value);
  Thread* const to = engine().thread_of(thread);
  if (to == nullptr) return ESRCH;
  if (is_signal(number)) carry_signal_value(number, SI_QUEUE, value);
  return send_to_thread(*to, number, HEDDLE_HERE);
}

HEDDLE_SHIM int tgkill(pid_t process, pid_t thread, int number) {
  Thread* const to = controlled() && process == getpid() ? thread_of_number(thread) : nullptr;
  if (to == nullptr) return real_tgkill(process, thread, number);
  carry_no_value(number, SI_TKILL);
  errno = send_to_thread(*to, number, HEDDLE_HERE);
  return errno == 0 ? 0 : -1;
}
