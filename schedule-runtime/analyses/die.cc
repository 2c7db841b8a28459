#include "analyses/die.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "base/afl.h"
#include "base/exit_codes.h"
#include "base/raw_syscall.h"

// fuzzer::Fuzzer::StaticDeathCallback(): the same mangled name in clang 14 to 22.
extern "C" __attribute__((weak)) void libfuzzer_death_callback() __asm__("_ZN6fuzzer6Fuzzer19StaticDeathCallbackEv");
extern "C" __attribute__((weak)) int __sanitizer_acquire_crash_state();

namespace heddle::rt {
namespace {

constexpr long kSecondsToSave = 60;  // with its stack trace
constexpr long kSecondsWithoutAllocator = 10;  // less than what heddle replay waits for

constinit void (*g_death_hook)() = nullptr;
constinit void (*g_last_act)() = nullptr;
constinit void (*g_rescue)() = nullptr;
constinit bool g_saving = false, g_allocator_locked = false;
constinit itimerval g_engines_timer = {};

// The kernel's own layout of struct sigaction; all zero is the default action.
struct KernelSigaction {
  void* handler;
  unsigned long flags;
  void* restorer;
  unsigned long mask;
};

}  // namespace

bool libfuzzer_linked() { return &libfuzzer_death_callback != nullptr; }

void call_libfuzzer() {
  if (libfuzzer_linked()) libfuzzer_death_callback();
}

bool acquire_crash_state() {
  return &__sanitizer_acquire_crash_state == nullptr || __sanitizer_acquire_crash_state() != 0;
}

void set_death_hook(void (*hook)()) { g_death_hook = hook; }

void set_last_act(void (*act)()) { g_last_act = act; }
bool has_last_act() { return g_last_act != nullptr; }

void run_death_hook() {
  auto* const hook = g_death_hook;
  if (hook == nullptr) return;
  g_death_hook = nullptr;  // should it die itself
  hook();
  g_death_hook = hook;
}

void set_rescue(void (*rescue)()) { g_rescue = rescue; }

void rescue() {
  if (g_rescue != nullptr) g_rescue();
}

void begin_saving(bool allocator_may_be_locked) {
  const bool first = !g_saving;
  g_saving = true;
  g_allocator_locked |= allocator_may_be_locked;
  if (!libfuzzer_linked()) return;
  const itimerval limit = {{0, 0}, {g_allocator_locked ? kSecondsWithoutAllocator : kSecondsToSave, 0}};
  raw_syscall(SYS_setitimer, ITIMER_REAL, word(&limit), first ? word(&g_engines_timer) : 0);
}

void give_up_saving() {
  if (!g_saving) return;
  g_saving = g_allocator_locked = false;
  if (libfuzzer_linked()) raw_syscall(SYS_setitimer, ITIMER_REAL, word(&g_engines_timer), 0);
}

bool saving() { return g_saving; }

void die() {
  begin_saving();
  run_death_hook();
  publish_afl_counters();  // AFL++ tells crashes apart by its map
  if (g_last_act != nullptr) g_last_act();
  if (libfuzzer_linked()) {
    libfuzzer_death_callback();
    raw_syscall(SYS_exit_group, kLibFuzzerErrorExit);
  }
  const KernelSigaction fallback = {};
  raw_syscall(SYS_rt_sigaction, SIGABRT, word(&fallback), 0, sizeof(unsigned long));
  const unsigned long abort_only = 1ul << (SIGABRT - 1);
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, word(&abort_only), 0, sizeof(unsigned long));
  const long process = raw_syscall(SYS_getpid);
  raw_syscall(SYS_tgkill, process, raw_syscall(SYS_gettid), SIGABRT);
  raw_syscall(SYS_exit_group, kLibFuzzerErrorExit);
  __builtin_unreachable();
}

}  // namespace heddle::rt
