// The calls of X/Open and BSD for signals: other names and forms of sigaction, sigprocmask and sigsuspend.
#include <errno.h>
#include <signal.h>

#include "engine/program_exit.h"
#include "intercept/process/signal_actions.h"
#include "intercept/process/signal_delivery.h"
#include "intercept/process/signal_value.h"
#include "intercept/real.h"
#include "primitives/signal_wait.h"

using namespace heddle::rt;

extern "C" {
int __xpg_sigpause(int) noexcept(false);
int __sigpause(int, int);
}

#define HEDDLE_OLDER_REAL(name, result, ...) static constinit Real<result(__VA_ARGS__)> real_##name{#name};
HEDDLE_OLDER_REAL(sighold, int, int)
HEDDLE_OLDER_REAL(sigrelse, int, int)
HEDDLE_OLDER_REAL(sigignore, int, int)
HEDDLE_OLDER_REAL(sigset, sighandler_t, int, sighandler_t)
HEDDLE_OLDER_REAL(sigblock, int, int)
HEDDLE_OLDER_REAL(sigsetmask, int, int)
HEDDLE_OLDER_REAL(siggetmask, int)
HEDDLE_OLDER_REAL(siginterrupt, int, int, int)
HEDDLE_OLDER_REAL(__sigpause, int, int, int)
HEDDLE_OLDER_REAL(__xpg_sigpause, int, int)
HEDDLE_OLDER_REAL(gsignal, int, int)
HEDDLE_OLDER_REAL(ssignal, sighandler_t, int, sighandler_t)

namespace {

bool valid(int number) {
  if (number > 0 && number < NSIG) return true;
  errno = EINVAL;
  return false;
}

// As a word of bits, the lowest for signal 1.
int word_of(uint64_t bits) { return static_cast<int>(static_cast<uint32_t>(bits)); }

sigset_t set_of_word(int word) { return set_of(static_cast<uint32_t>(word)); }

int change(int how, int number, Place place) {
  if (!valid(number)) return -1;
  const sigset_t set = set_of(primitives::signal_bit(number));
  return change_signal_mask(how, &set, nullptr, place);
}

int change_word(int how, int word, Place place) {
  const int before = word_of(current_thread()->blocked_signals);
  const sigset_t set = set_of_word(word);
  change_signal_mask(how, &set, nullptr, place);
  return before;
}

// Waits with the signal no longer blocked.
int pause_for(int number, Place place) {
  if (!valid(number)) return -1;
  return suspend_for_signals(current_thread()->blocked_signals & ~primitives::signal_bit(number), place);
}

}  // namespace

HEDDLE_SHIM int sighold(int number) noexcept { return controlled() ? change(SIG_BLOCK, number, HEDDLE_HERE) : real_sighold(number); }
HEDDLE_SHIM int sigrelse(int number) noexcept { return controlled() ? change(SIG_UNBLOCK, number, HEDDLE_HERE) : real_sigrelse(number); }

HEDDLE_SHIM int sigignore(int number) noexcept {
  if (!controlled()) return note_action_outside(number), real_sigignore(number);
  return set_signal_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

HEDDLE_SHIM sighandler_t sigset(int number, sighandler_t handler) noexcept {
  if (!controlled()) return note_action_outside(number), real_sigset(number, handler);
  if (!valid(number)) return SIG_ERR;
  const bool held = (current_thread()->blocked_signals & primitives::signal_bit(number)) != 0;
  sighandler_t before = signal_action(number).sa_handler;
  if (handler == SIG_HOLD) {
    if (change(SIG_BLOCK, number, HEDDLE_HERE) != 0) return SIG_ERR;
  } else {
    before = set_signal_handler(number, handler, 0);
    if (before == SIG_ERR || change(SIG_UNBLOCK, number, HEDDLE_HERE) != 0) return SIG_ERR;
  }
  return held ? SIG_HOLD : before;
}

HEDDLE_SHIM int sigblock(int word) noexcept { return controlled() ? change_word(SIG_BLOCK, word, HEDDLE_HERE) : real_sigblock(word); }
HEDDLE_SHIM int sigsetmask(int word) noexcept { return controlled() ? change_word(SIG_SETMASK, word, HEDDLE_HERE) : real_sigsetmask(word); }
HEDDLE_SHIM int siggetmask() noexcept { return controlled() ? word_of(current_thread()->blocked_signals) : real_siggetmask(); }

HEDDLE_SHIM int siginterrupt(int number, int interrupts) noexcept {
  if (!controlled()) return real_siginterrupt(number, interrupts);
  if (!valid(number)) return -1;
  struct sigaction action = signal_action(number);
  if (interrupts != 0) action.sa_flags &= ~SA_RESTART;
  else action.sa_flags |= SA_RESTART;
  return change_signal_action(number, &action, nullptr);
}

HEDDLE_SHIM int __sigpause(int number_or_word, int is_number) {
  if (!controlled()) return real___sigpause(number_or_word, is_number);
  if (is_number != 0) return pause_for(number_or_word, HEDDLE_HERE);
  return suspend_for_signals(bits_of(set_of_word(number_or_word)), HEDDLE_HERE);
}
HEDDLE_SHIM int __xpg_sigpause(int number) noexcept(false) { return controlled() ? pause_for(number, HEDDLE_HERE) : real___xpg_sigpause(number); }
// The symbol behind programs that were compiled for BSD.
HEDDLE_SHIM int heddle_sigpause(int word) asm("sigpause");
int heddle_sigpause(int word) { return __sigpause(word, 0); }

HEDDLE_SHIM int gsignal(int number) noexcept {
  if (!controlled()) return real_gsignal(number);
  carry_no_value(number, SI_TKILL);
  return send_to_itself(number, HEDDLE_HERE);
}
HEDDLE_SHIM sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return controlled() ? set_signal_handler(number, handler, SA_RESTART) : real_ssignal(number, handler);
}
