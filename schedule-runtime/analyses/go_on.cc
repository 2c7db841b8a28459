#include "analyses/go_on.h"

#include <sys/syscall.h>
#include <unwind.h>

#include <cstring>

#include "analyses/die.h"
#include "base/afl.h"
#include "base/elf.h"
#include "base/line.h"
#include "base/path.h"
#include "base/raw_syscall.h"
#include "trace/live_state.h"
#include "trace/sites.h"

extern "C" {
__attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);
__attribute__((weak)) _Unwind_Ptr _Unwind_GetIPInfo(_Unwind_Context*, int*);
}

namespace heddle::rt {
namespace {

constinit bool g_told = false, g_printed = false;
constinit After g_after = After::dies;

struct Way {
  uintptr_t from;
  bool begun;
  bool in_libc;
};

bool of_libc(uintptr_t at) {
  const char* const module = module_name_of(at);
  if (module == nullptr) return false;
  const char* const name = base_name(module);
  return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0 || strncmp(name, "ld-", 3) == 0;
}

_Unwind_Reason_Code step(_Unwind_Context* frame, void* argument) {
  Way& way = *static_cast<Way*>(argument);
  int before = 0;  // 1: it was interrupted there, and no call
  const uintptr_t at = _Unwind_GetIPInfo(frame, &before);
  if (at == 0) return _URC_END_OF_STACK;
  way.begun |= at == way.from;
  const uintptr_t inside = before != 0 ? at : at - 1;
  if (!way.begun || !of_libc(inside)) return _URC_NO_REASON;
  // raise() holds nothing, under any of its names.
  const Symbol* const symbol = find_symbol(inside);
  way.in_libc = symbol == nullptr || (strcmp(symbol->name, "raise") != 0 && strcmp(symbol->name, "gsignal") != 0);
  return _URC_NO_REASON;
}

[[noreturn]] void end_quietly() {
  publish_afl_counters();
  raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

}  // namespace

bool begin_own_failure() {
  if (g_told) return false;
  return g_told = true;
}

bool own_failure_told() { return g_told; }

void note_own_failure_printed() { g_printed = true; }
bool own_failure_printed() { return g_printed; }

void forget_own_failure() {
  g_told = g_printed = false;
  g_after = After::dies;
}

void set_after_own_failure(After after) { g_after = after; }

bool after_known_failure() { return g_after == After::known; }
bool goes_on_after_own_failure() { return g_after != After::dies; }

bool interrupts_libc(uintptr_t pc) {
  Way way = {pc, false, false};
  if (&_Unwind_Backtrace != nullptr) _Unwind_Backtrace(step, &way);
  return way.in_libc;
}

void go_on_after(uintptr_t pc) {
  if (g_after == After::dies) return;
  if (has_last_act()) die();
  if (interrupts_libc(pc)) return go_on_elsewhere("it interrupts the C library, which may hold a lock");
  if (live_state().current_thread() != kNoEvent) give_up_saving();
  live_state().end_execution();
  go_on_elsewhere("no controlled thread runs");
}

void go_on_elsewhere(const char* why) {
  if (g_after == After::dies) return;
  if (has_last_act()) die();
  // AFL++ starts another process then.
  if (g_after == After::known && afl_linked()) end_quietly();
  print_line(2, "heddle: the search cannot go on after this %sfinding in this process: %s. (A whole program can with HEDDLE_OPTIONS=restore=fork)\n",
             g_after == After::known ? "known " : "", why);
  g_after = After::dies;
}

}  // namespace heddle::rt
