#include "harness/driver/end_request.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <iterator>

#include "base/raw_syscall.h"
#include "engine/engine.h"

namespace heddle::driver {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr int kPatience = 3;  // seconds

constinit struct sigaction engines[std::size(kSignals)] = {};
constinit volatile sig_atomic_t requested = 0;  // the signal's number
constinit int patience_timer = -1;

void set_timer(time_t seconds) {
  const itimerspec once = {{0, 0}, {seconds, 0}};
  rt::raw_syscall(SYS_timer_settime, static_cast<uintptr_t>(patience_timer), 0, rt::word(&once), 0);
}

void request(int number, siginfo_t* info, void* context) {
  if (requested == 0) {
    requested = number;
    set_timer(kPatience);
    return;
  }
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] == number) engines[i].sa_sigaction(number, info, context);
  }
}

bool is_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction != nullptr;
}

}  // namespace

void follow_end_requests() {
  struct sigevent again = {};
  again.sigev_notify = SIGEV_SIGNAL;
  again.sigev_signo = SIGTERM;
  if (rt::raw_syscall(SYS_timer_create, CLOCK_MONOTONIC, rt::word(&again), rt::word(&patience_timer)) != 0) return;
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (sigaction(kSignals[i], nullptr, &engines[i]) != 0 || !is_handler(engines[i])) continue;
    struct sigaction mine = {};
    mine.sa_sigaction = request;
    mine.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigaction(kSignals[i], &mine, nullptr);
  }
}

void end_if_requested(void (*last_words)()) {
  if (requested == 0) return;
  const rt::Uncontrolled scope;
  set_timer(0);
  last_words();
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] == requested) sigaction(kSignals[i], &engines[i], nullptr);
  }
  raise(requested);
}

}  // namespace heddle::driver
