// Calls that end the process. In an execution whose body is a whole program, they end the execution (engine/program_exit.h). In a harness
// they are findings. Elsewhere they are libc's. Exit handlers that an execution registers belong to it.
#include <stdlib.h>
#include <unistd.h>

#include "intercept/program_ends.h"
#include "intercept/real.h"
#include "restore/exit_handlers.h"

using namespace heddle::rt;

#define HEDDLE_EXIT(name, ending, specification)                                                  \
  static constinit Real<void(int)> real_##name{#name};                             \
  HEDDLE_SHIM __attribute__((noreturn)) void name(int status) specification {           \
    program_ends(status, Ending::ending, HEDDLE_HERE, #name "()");                \
    real_##name(status);                                                           \
    __builtin_unreachable();                                                       \
  }

static constinit Real<void(int)> real_quick_exit{"quick_exit"};
HEDDLE_SHIM __attribute__((noreturn)) void quick_exit(int status) noexcept {
  program_ends(status, Ending::quick_handlers, HEDDLE_HERE, "quick_exit()");
  while (controlled() && run_exit_handler(true, status)) {
  }
  real_quick_exit(status);
  __builtin_unreachable();
}

HEDDLE_EXIT(_exit, at_once, )
HEDDLE_EXIT(_Exit, at_once, noexcept)

static constinit Real<void(int)> real_exit{"exit"};
// If a handler throws, the program terminates. This function is not noexcept, so that the search for a handler does not end at a frame of
// heddle.
HEDDLE_SHIM __attribute__((noreturn)) void heddle_exit(int status) asm("exit");
void heddle_exit(int status) {
  program_ends(status, Ending::handlers, HEDDLE_HERE, "exit()");
  real_exit(status);
  __builtin_unreachable();
}

static constinit Real<int(void (*)(int, void*), void*)> real_on_exit{"on_exit"};
HEDDLE_SHIM int on_exit(void (*function)(int, void*), void* argument) noexcept {
  if (controlled()) return register_status_handler(function, argument) ? 0 : -1;
  return real_on_exit(function, argument);
}

static constinit Real<int(void (*)(void*), void*)> real_at_quick_exit{"__cxa_at_quick_exit"};
HEDDLE_SHIM int __cxa_at_quick_exit(void (*function)(void*), void* dso) noexcept {
  if (controlled()) return register_quick_handler(function, nullptr) ? 0 : -1;
  return real_at_quick_exit(function, dso);
}
