// The target's own failures: abort (also reached by std::terminate), assert, and reports of ASan.
#include <cstdint>

#include <signal.h>

#include "base/options.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "intercept/real.h"
#include "primitives/interruption.h"
#include "trace/own_failure.h"

using namespace heddle::rt;

static constinit Real<void()> real_abort{"abort"};
static constinit Real<void(const char*, const char*, unsigned, const char*)> real_assert_fail{"__assert_fail"};

static bool just_ends() { return !options().report_abort && in_program(); }

HEDDLE_SHIM __attribute__((noreturn)) void abort() noexcept {
  primitives::watchdog_ends_program();
  if (just_ends()) end_program_by_signal(SIGABRT, HEDDLE_HERE, "abort()");
  own_failure_sink().aborted(HEDDLE_HERE.pc);
  real_abort();
  __builtin_unreachable();
}

HEDDLE_SHIM __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file, unsigned line,
                                                         const char* function) noexcept {
  primitives::watchdog_ends_program();
  if (just_ends()) end_program_by_signal(SIGABRT, HEDDLE_HERE, "a failed assertion");
  own_failure_sink().assertion_failed(HEDDLE_HERE.pc, expression, file, line);
  real_assert_fail(expression, file, line, function);
  __builtin_unreachable();
}

// ASan calls this before its report.
HEDDLE_SHIM void __asan_on_error() { own_failure_sink().asan_reports(HEDDLE_HERE.pc); }
