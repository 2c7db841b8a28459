// __cxa_atexit on a controlled thread: see engine/exit_handlers.h.
#include "engine/exit_handlers.h"
#include "engine/run.h"
#include "intercept/real.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;

HEDDLE_REAL(__cxa_atexit);

HEDDLE_SHIM int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept {
  if (heddle::rt::controlled() && heddle::rt::register_exit_handler(function, argument, dso)) return 0;
  return real___cxa_atexit(function, argument, dso);
}
