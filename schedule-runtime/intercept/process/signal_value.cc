#include "intercept/process/signal_value.h"

#include <unistd.h>

#include <algorithm>

#include "base/reserved_array.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

namespace {

struct Carried {
  int number;
  int code;
  sigval value;
};
constexpr size_t kMost = 1 << 16;
constinit ReservedArray<Carried> g_carried;  // in the order in which they were sent
constinit TouchedState g_carried_touched{nullptr};

Carried* first_of(int number) {
  if (g_carried_touched.touch()) g_carried.clear();
  return std::find_if(g_carried.begin(), g_carried.end(), [=](const Carried& c) { return c.number == number; });
}

}  // namespace

void heddle::rt::carry_signal_value(int number, int code, sigval value) {
  const bool waits = first_of(number) != g_carried.end();
  g_carried.reserve(kMost);
  if (!g_carried.full() && (!waits || number >= SIGRTMIN)) g_carried.push() = {number, code, value};
}

void heddle::rt::carry_no_value(int number, int code) {
  if (number > 0 && number < NSIG) carry_signal_value(number, code, {});
}

siginfo_t heddle::rt::information_of_signal(int number) {
  siginfo_t info = {};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  info.si_pid = getpid();
  Carried* const c = first_of(number);
  if (c != g_carried.end()) {
    info.si_code = c->code;
    info.si_value = c->value;
    std::copy(c + 1, g_carried.end(), c);
    g_carried.resize(g_carried.size() - 1);
  }
  return info;
}
