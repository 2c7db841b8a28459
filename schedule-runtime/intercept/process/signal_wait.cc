// Signals that a thread waits for.
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "intercept/library_access.h"
#include "intercept/process/signal_value.h"
#include "primitives/signal_wait.h"
#include "primitives/timing.h"

using namespace heddle::rt;

HEDDLE_REAL_OR_ASAN(int, sigwait, (const sigset_t*, int*));
HEDDLE_REAL_OR_ASAN(int, sigwaitinfo, (const sigset_t*, siginfo_t*));
HEDDLE_REAL_OR_ASAN(int, sigtimedwait, (const sigset_t*, siginfo_t*, const timespec*));

namespace {

int wait_for(const sigset_t* set, uint64_t deadline, Place place) {
  value_accessed(set, false, place);
  uint64_t bits;
  memcpy(&bits, set, sizeof bits);
  return primitives::signal_wait(bits, deadline, place);
}

int with_information(const sigset_t* set, siginfo_t* information, uint64_t deadline, Place place) {
  const int number = wait_for(set, deadline, place);
  if (number == 0) {
    errno = EAGAIN;
    return -1;
  }
  const siginfo_t told = information_of_signal(number);
  if (information != nullptr) {
    value_accessed(information, true, place);
    *information = told;
    if (told.si_code == SI_TKILL) information->si_code = SI_USER;  // as in glibc
  }
  return number;
}

}  // namespace

HEDDLE_SHIM int sigwait(const sigset_t* set, int* number) {
  if (controlled()) {
    const int received = wait_for(set, kNever, HEDDLE_HERE);
    information_of_signal(received);
    value_accessed(number, true, HEDDLE_HERE);
    *number = received;
    return 0;
  }
  return real_sigwait(set, number);
}

HEDDLE_SHIM int sigwaitinfo(const sigset_t* set, siginfo_t* information) {
  if (controlled()) return with_information(set, information, kNever, HEDDLE_HERE);
  return real_sigwaitinfo(set, information);
}

HEDDLE_SHIM int sigtimedwait(const sigset_t* set, siginfo_t* information, const timespec* time) {
  if (controlled()) {
    const uint64_t deadline = time == nullptr ? kNever : primitives::deadline_in(*time);
    return with_information(set, information, deadline, HEDDLE_HERE);
  }
  return real_sigtimedwait(set, information, time);
}
