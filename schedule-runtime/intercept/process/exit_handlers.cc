// __cxa_atexit on a controlled thread, and before a whole program's main: see restore/exit_handlers.h.
#include "engine/program_exit.h"
#include "engine/run.h"
#include "intercept/real.h"
#include "restore/exit_handlers.h"

extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;
// The destructor of std::ios_base::Init. Its counter is in libstdc++, which is not restored.
__attribute__((weak)) void heddle_ios_init_end(void*) asm("_ZNSt8ios_base4InitD1Ev");
extern void* __dso_handle __attribute__((visibility("hidden")));
}

HEDDLE_REAL(__cxa_atexit);

using namespace heddle::rt;

HEDDLE_SHIM int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept {
  if (controlled()) {
    if (register_exit_handler(function, argument, dso, in_program())) return 0;
  } else if ((dso == static_cast<void*>(&__dso_handle) || dso == nullptr) && program_target() && function != &heddle_ios_init_end &&
             register_early_handler(function, argument)) {
    return 0;
  }
  return real___cxa_atexit(function, argument, dso);
}
