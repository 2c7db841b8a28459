// Calls of an execution that change state of the whole process in the C library or the kernel. The state is restored at the end of the execution.
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "engine/engine.h"
#include "intercept/real.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

HEDDLE_REAL(sigaltstack);
HEDDLE_REAL_OR_ASAN(char*, setlocale, (int, const char*));

namespace {

bool touches(TouchedState& state) { return current_thread() != nullptr && state.touch(); }

// The names of all categories, if they differ: a few hundred bytes.
constinit char g_locale[1024] = {};
constinit TouchedState g_locale_touched{[] {
  if (g_locale[0] != 0) real_setlocale(LC_ALL, g_locale);
}};

constinit TouchedState g_getopt_touched{[] {
  optind = 1;
  opterr = 1;
  optopt = '?';
  optarg = nullptr;
}};

constinit stack_t g_signal_stack = {};
constinit TouchedState g_signal_stack_touched{[] { real_sigaltstack(&g_signal_stack, nullptr); }};

}  // namespace

HEDDLE_SHIM char* setlocale(int category, const char* name) noexcept {
  if (name != nullptr && touches(g_locale_touched)) {
    const char* const now = real_setlocale(LC_ALL, nullptr);
    if (now != nullptr && strlen(now) < sizeof g_locale) strcpy(g_locale, now);
  }
  return real_setlocale(category, name);
}

// The state of the one kernel thread that runs all controlled threads. The fuzzing engine needs its faults.
HEDDLE_SHIM int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  if (stack != nullptr && touches(g_signal_stack_touched)) real_sigaltstack(nullptr, &g_signal_stack);
  return real_sigaltstack(stack, before);
}

// getopt's internal state has no name. If optind is 0, the next call starts again. A program finds optind at 1 at its start, which has the
// same effect there.
#define HEDDLE_GETOPT(name, parameters, arguments)            \
  HEDDLE_REAL(name);                                          \
  HEDDLE_SHIM int name parameters noexcept {                  \
    if (touches(g_getopt_touched) && optind == 1) optind = 0; \
    return real_##name arguments;                             \
  }

HEDDLE_GETOPT(getopt, (int argc, char* const* argv, const char* options), (argc, argv, options))
HEDDLE_GETOPT(getopt_long, (int argc, char* const* argv, const char* options, const option* longs, int* index),
              (argc, argv, options, longs, index))
HEDDLE_GETOPT(getopt_long_only, (int argc, char* const* argv, const char* options, const option* longs, int* index),
              (argc, argv, options, longs, index))
