#include "analyses/signals.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "analyses/die.h"
#include "analyses/failing_place.h"
#include "analyses/fault_words.h"
#include "analyses/go_on.h"
#include "analyses/live_findings.h"
#include "analyses/report/report.h"
#include "base/asan.h"
#include "base/elf.h"
#include "base/exit_codes.h"
#include "base/fault.h"
#include "base/line.h"
#include "base/own_code.h"
#include "base/raw_syscall.h"
#include "heap/execution_mappings.h"
#include "heap/quarantine.h"
#include "trace/live_state.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

struct Chained {
  int signal;
  const char* name;
  bool fatal;
  struct sigaction before;
  bool asan = false;  // ASan handles it, and asks heddle for its part of the report
};
// The non-fatal ones are the fuzzing engine's. Its handler reads clocks and must see the real ones: with virtual time, each alarm would
// look like a time-out.
constinit Chained g_chain[] = {{SIGSEGV, "SIGSEGV", true, {}}, {SIGBUS, "SIGBUS", true, {}},    {SIGFPE, "SIGFPE", true, {}},
                               {SIGILL, "SIGILL", true, {}},   {SIGTRAP, "SIGTRAP", true, {}},  {SIGABRT, "SIGABRT", true, {}},
                               {SIGALRM, "SIGALRM", false, {}}, {SIGINT, "SIGINT", false, {}}, {SIGTERM, "SIGTERM", false, {}}};
constinit const void* g_interrupted = nullptr;  // what the signal has interrupted whose handler runs, of those that are not fatal

bool is_handler(const struct sigaction& action) { return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN; }

// Memory near the stack pointer that cannot be accessed is the guard below the stack. (A frame may be larger than a page, and a call writes
// below the pointer.)
bool is_stack_overflow(const siginfo_t* info, const void* context) {
  constexpr uintptr_t kReach = 1 << 16;
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr), sp = stack_pointer(context);
  return info->si_signo == SIGSEGV && address + kReach > sp && address < sp + kReach;
}

// An abort that came through abort(); or the C library's own, over a heap that the program broke before an earlier finding, after which the search went on.
bool told_already(const Chained& chained, const void* context) {
  return chained.signal == SIGABRT && (own_failure_told() || (finding_counts().all != 0 && interrupts_libc(program_counter(context))));
}

// Of failures in the C library, abort() aside, the likeliest is the allocator's, over a heap that the program has broken: with its lock held.
bool may_hold_allocator(const Chained& chained, const void* context) {
  if (told_already(chained, context)) return false;
  return of_c_library(program_counter(context));
}

void tell(const Chained& chained, const siginfo_t* info, const void* context) {
  // A crash of the report must not start another one.
  if (told_already(chained, context) || !begin_own_failure()) return;
  // At the end of an execution none runs.
  const bool giving_back = quarantine().giving_back(), at_end = giving_back && live_state().current_thread() == kNoEvent;
  const uint32_t thread = at_end ? 0 : live_state().current_thread();
  if (thread == kNoEvent) return;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  uintptr_t begin = 0;
  const Freed* const unmapped = info->si_code > 0 ? execution_mappings().ended_by(address, begin) : nullptr;
  char detail[256], fault[128];
  describe_fault(fault, sizeof fault, info, context);
  const int said = snprintf(detail, sizeof detail, "%ssignal %s%s%s%s", is_stack_overflow(info, context) ? "stack overflow, " : "",
                            chained.name, fault[0] != 0 ? ", " : "", fault,
                            giving_back ? ": the program corrupted its heap earlier. It fails only now, when freed blocks go back to the allocator" : "");
  if (unmapped != nullptr && said < static_cast<int>(sizeof detail)) snprintf(detail + said, sizeof detail - said, ": byte %zu of memory that was unmapped", address - begin);
  report_failure({FindingType::crash, thread, 0, kNoEvent, kNoEvent, at_end ? 0 : failing_context(context, thread),
                  sites().index_of(failing_place(context, thread).pc), detail}, unmapped, "unmapped it earlier, here");
}

// Null: there is no handler, or its name is not known.
const char* handler_name(const struct sigaction& action) {
  if ((action.sa_flags & SA_SIGINFO) == 0 || action.sa_sigaction == nullptr) return nullptr;
  const Symbol* const symbol = find_symbol(reinterpret_cast<uintptr_t>(action.sa_sigaction));
  return symbol != nullptr ? symbol->name : nullptr;
}

bool begins_with_one_of(const char* text, std::initializer_list<const char*> beginnings) {
  for (const char* beginning : beginnings) {
    if (strncmp(text, beginning, strlen(beginning)) == 0) return true;
  }
  return false;
}

// libFuzzer's own, or a sanitizer's: it would only print a stack and a summary of its own, and end the process. Others are the program's.
bool of_engine_or_sanitizer(const struct sigaction& action) {
  const char* const name = handler_name(action);
  return name != nullptr && begins_with_one_of(name, {"_ZN6fuzzer", "_ZN7__ubsan", "_ZN11__sanitizer"});
}

// By default ASan does not handle SIGILL and SIGTRAP, with which clang ends a program at __builtin_trap. An abort is told at the call of abort().
bool told_by_asan(int signal, const struct sigaction& action) {
  if (!asan_linked() || signal == SIGABRT || !is_handler(action)) return false;
  const char* const name = handler_name(action);
  // libFuzzer's handler for SIGSEGV calls ASan's.
  if (name != nullptr && strstr(name, "fuzzer") != nullptr && strstr(name, "SegvHandler") != nullptr) return true;
  if (name != nullptr) return begins_with_one_of(name, {"_ZN6__asan", "_ZN11__sanitizer"});
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE;
}

// This frame and the next are in the engine's own stack trace of the crash. ClusterFuzz ignores names with this prefix.
extern "C" [[gnu::noinline]] void __sanitizer_heddle_signal_of_program(int signal, siginfo_t* info, void* context) {
  OutsideExecution outside;
  for (Chained& chained : g_chain) {
    if (chained.signal != signal) continue;
    // If the program has corrupted its heap, libFuzzer can fail, too, when it saves the input, perhaps while it holds the allocator's lock.
    // Then any handler could hang on that lock.
    if (libfuzzer_linked() && saving() && (chained.fatal || signal == SIGALRM)) {
      print_line(2, "heddle: saving the input failed (signal %d): the program has corrupted its heap\n", signal);
      rescue();
      raw_syscall(SYS_exit_group, kLibFuzzerErrorExit);
    }
    if (chained.fatal && !chained.asan) {
      const bool locked = may_hold_allocator(chained, context);
      if (!locked && !saving()) live_state().make_again();
      if (locked) begin_saving(locked);  // the report is followed by the trace, which allocates too
      tell(chained, info, context);
      go_on_after(program_counter(context));
      // One failure, one report.
      if (own_failure_printed() && of_engine_or_sanitizer(chained.before)) {
        set_death_hook(nullptr);  // it has run
        die();
      }
      if (!locked) begin_saving();
    }
    const void* const outer = g_interrupted;
    if (!chained.fatal) g_interrupted = context;
    if ((chained.before.sa_flags & SA_SIGINFO) != 0 && chained.before.sa_sigaction != nullptr) {
      ucontext_t copy;
      chained.before.sa_sigaction(signal, info, chained.fatal ? at_the_call(copy, context) : context);
    } else if (is_handler(chained.before)) {
      chained.before.sa_handler(signal);
    } else {
      // libFuzzer has no handler for SIGTRAP, so it would not save the input.
      if (chained.fatal && libfuzzer_linked()) die();
      // Restores the default behaviour. The faulting instruction runs again, and an abort is repeated. A breakpoint would not come again.
      sigaction(signal, &chained.before, nullptr);
      if (info->si_code <= 0 || signal == SIGTRAP) raise(signal);
    }
    g_interrupted = outer;
  }
}

// A function of its own, without variables: the thread pointer may be wrong (fiber/thread_pointer_trap.h), so nothing here may use a thread-local. A
// compiler's check of the stack does.
extern "C" void __sanitizer_heddle_signal(int signal, siginfo_t* info, void* context) {
  if (!mend_fault(signal, info, context)) __sanitizer_heddle_signal_of_program(signal, info, context);
}

}  // namespace

namespace {

constinit uint64_t g_executions = 0, g_elsewhere = 0;

// Whoever started the process may have blocked them. The kernel would end it at a crash, and at the first fault of heddle's own, without a word. What the
// program has blocked is a matter of intercept/process/signal.cc.
void unblock_handled() {
  unsigned long handled = 0;
  for (const Chained& chained : g_chain) handled |= 1ul << (chained.signal - 1);
  raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, word(&handled), 0, sizeof handled);
}

void chain_handlers() {
  // Under libFuzzer the first execution is the certificate's.
  if (++g_executions != (libfuzzer_linked() ? 2 : 1)) return;
  unblock_handled();
  for (Chained& chained : g_chain) {
    struct sigaction now = {}, ours = {};
    sigaction(chained.signal, nullptr, &now);
    if (!chained.fatal && !is_handler(now)) continue;
    chained.asan = chained.fatal && told_by_asan(chained.signal, now);
    ours.sa_sigaction = __sanitizer_heddle_signal;
    // The fuzzing engine's timer ticks in real time. It must not make a call of the program fail with EINTR.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigaction(chained.signal, &ours, &chained.before);
    if (chained.signal == SIGSEGV) g_faults_are_mended = true;
  }
}

}  // namespace

void set_next_handler(int number, void (*handler)(int)) {
  struct sigaction next = {}, now = {};
  next.sa_handler = handler;
  next.sa_flags = SA_RESTART;
  sigaction(number, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != __sanitizer_heddle_signal) {
    sigaction(number, &next, nullptr);
    return;
  }
  for (Chained& chained : g_chain) {
    if (chained.signal == number) chained.before = next;
  }
}

void skip_certificate() { g_executions = 1; }

uint64_t executions_begun() { return g_executions + g_elsewhere; }
void add_executions_elsewhere(uint64_t count) { g_elsewhere += count; }

uintptr_t interrupted_at() { return g_interrupted != nullptr ? program_counter(g_interrupted) : 0; }

const Observer kFatalSignals = {"fatal signals", nullptr, [] {
  forget_own_failure();
  chain_handlers();
}};

}  // namespace heddle::rt
