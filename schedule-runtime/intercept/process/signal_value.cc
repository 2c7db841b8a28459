#include "intercept/process/signal_value.h"

#include <unistd.h>

#include "restore/touched_state.h"

using namespace heddle::rt;

namespace {

struct Carried {
  int code;  // 0: nothing
  sigval value;
};
constinit Carried g_carried[NSIG] = {};
constinit TouchedState g_carried_touched{nullptr};

Carried& carried(int number) {
  if (g_carried_touched.touch()) {
    for (Carried& c : g_carried) c = {};
  }
  return g_carried[number];
}

}  // namespace

void heddle::rt::carry_signal_value(int number, int code, sigval value) { carried(number) = {code, value}; }

siginfo_t heddle::rt::information_of_signal(int number) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  info.si_pid = getpid();
  Carried& c = carried(number);
  if (c.code != 0) {
    info.si_code = c.code;
    info.si_value = c.value;
    c = {};
  }
  return info;
}
