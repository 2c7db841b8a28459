#include "intercept/process/signal_actions.h"

#include <errno.h>
#include <string.h>

#include <iterator>

#include "engine/program_exit.h"
#include "engine/time_stamp.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/real.h"
#include "primitives/signal_wait.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

HEDDLE_REAL_OR_ASAN(int, sigaction, (int, const struct sigaction*, struct sigaction*));
HEDDLE_REAL(pthread_sigmask);

namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

constinit struct sigaction g_initial[NSIG] = {};
constinit uint64_t g_set_outside = 0;  // a bit for each

struct Actions {
  uint64_t set = 0;  // by this execution, a bit for each
  struct sigaction own[NSIG];
};
constinit Actions g_actions = {};
constinit TouchedState g_actions_touched{nullptr};

constinit struct sigaction g_pipe = {};
constinit TouchedState g_pipe_touched{[] { real_sigaction(SIGPIPE, &g_pipe, nullptr); }};

// If a handler is left by a jump, its signal stays blocked.
struct Crashes {
  bool own = false;  // of this execution
  struct sigaction actions[std::size(kCrashes)];
  sigset_t blocked;
};
constinit Crashes g_crashes = {};
constinit TouchedState g_crashes_touched{[] {
  g_crashes.own = false;
  for (size_t i = 0; i < std::size(kCrashes); ++i) real_sigaction(kCrashes[i], &g_crashes.actions[i], nullptr);
  real_pthread_sigmask(SIG_SETMASK, &g_crashes.blocked, nullptr);
}};

void remember_crashes() {
  if (!g_crashes_touched.touch()) return;
  g_crashes.own = true;
  for (size_t i = 0; i < std::size(kCrashes); ++i) real_sigaction(kCrashes[i], nullptr, &g_crashes.actions[i]);
  real_pthread_sigmask(SIG_BLOCK, nullptr, &g_crashes.blocked);
}

Actions& actions() {
  if (g_actions_touched.touch()) g_actions.set = 0;
  return g_actions;
}

bool kept_by_kernel(int number) { return is_crash(number) && !in_program(); }

}  // namespace

namespace heddle::rt {

void note_action_outside(int number) {
  if (number > 0 && number < NSIG) g_set_outside |= primitives::signal_bit(number);
}

void remember_signals_of_constructors() {
  for (int number = 1; number < NSIG; ++number) {
    if ((g_set_outside & primitives::signal_bit(number)) != 0 && !is_crash(number)) real_sigaction(number, nullptr, &g_initial[number]);
  }
}

void remember_initial_signals() {
  if (program_target()) return;
  for (int number = 1; number < NSIG; ++number) real_sigaction(number, nullptr, &g_initial[number]);
  sigset_t blocked;
  if (sigprocmask(SIG_BLOCK, nullptr, &blocked) == 0) engine().begin_with_signals_blocked(bits_of(blocked));
}

bool is_crash(int number) {
  for (const int crash : kCrashes) {
    if (number == crash) return true;
  }
  return false;
}

uint64_t bits_of(const sigset_t& set) {
  uint64_t bits;
  memcpy(&bits, &set, sizeof bits);
  return bits & ~(primitives::signal_bit(SIGKILL) | primitives::signal_bit(SIGSTOP));
}

sigset_t set_of(uint64_t bits) {
  sigset_t set;
  sigemptyset(&set);
  memcpy(&set, &bits, sizeof bits);
  return set;
}

struct sigaction signal_action(int number) {
  if (kept_by_kernel(number)) {
    struct sigaction now = {};
    real_sigaction(number, nullptr, &now);
    return now;
  }
  const Actions& a = actions();
  return (a.set & primitives::signal_bit(number)) != 0 ? a.own[number] : g_initial[number];
}

int set_signal_action(int number, const struct sigaction& action) {
  if (number == SIGKILL || number == SIGSTOP) return EINVAL;
  if (kept_by_kernel(number)) {
    remember_crashes();
    if (number == SIGSEGV) {
      time_stamp().give_up();
      fiber::thread_pointer_trap().give_up();
    }
    return real_sigaction(number, &action, nullptr) == 0 ? 0 : errno;
  }
  Actions& a = actions();
  a.set |= primitives::signal_bit(number);
  a.own[number] = action;
  if (number == SIGPIPE) {
    if (g_pipe_touched.touch()) real_sigaction(SIGPIPE, nullptr, &g_pipe);
    struct sigaction ignore = {};
    ignore.sa_handler = action.sa_handler == SIG_DFL ? SIG_DFL : SIG_IGN;
    real_sigaction(SIGPIPE, &ignore, nullptr);
  }
  return 0;
}

void crashes_unblocked(uint64_t blocked) {
  if (!g_crashes.own) return;
  sigset_t set;
  sigemptyset(&set);
  for (const int crash : kCrashes) {
    if ((blocked & primitives::signal_bit(crash)) == 0) sigaddset(&set, crash);
  }
  real_pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace heddle::rt
