// Every thread can read and change the environment. POSIX does not allow a change while another thread reads it. The address of the array
// represents the whole environment.
//
// Changes by an execution are undone at its end.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/reserved_array.h"
#include "fiber/fiber.h"
#include "intercept/library_access.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

namespace {

struct Environment {
  size_t bytes = 0;
  char** initial = nullptr;
  char** current = nullptr;
};
constinit Environment g_environment = {};

void begin_environment() {
  memcpy(g_environment.current, g_environment.initial, g_environment.bytes);
  __environ = g_environment.current;
}

// Memory that was reachable only from the environment must not count as leaked: in a real process, it is in use until the end.
void put_back() {
  if (__environ != nullptr) {
    if (__environ != g_environment.current) heddle::fiber::ignore_leak(__environ);
    for (char** variable = __environ; *variable != nullptr; ++variable) heddle::fiber::ignore_leak(*variable);
  }
  begin_environment();
}
constinit TouchedState g_touched{put_back};

// The C library may have allocated the initial array, and could now free it. So from here on heddle's own array is used.
void environment_changes() {
  if (current_thread() == nullptr || !g_touched.touch()) return;
  Environment& e = g_environment;
  if (e.bytes == 0) {
    size_t count = 0;
    while (__environ != nullptr && __environ[count] != nullptr) ++count;
    e.bytes = (count + 1) * sizeof(char*);
    e.initial = static_cast<char**>(reserve_memory(2 * e.bytes));
    e.current = e.initial + count + 1;
    for (size_t i = 0; i < count; ++i) heddle::fiber::ignore_leak(e.initial[i] = __environ[i]);  // LSan does not look in there
  }
  begin_environment();
}

}  // namespace

#define HEDDLE_GET_ENVIRONMENT(name)                                       \
  HEDDLE_LIBRARY_FUNCTION(char*, name, (const char* variable), (variable), \
                          (reads.text(variable), reads(&__environ)))
HEDDLE_GET_ENVIRONMENT(getenv)
HEDDLE_GET_ENVIRONMENT(secure_getenv)

#define HEDDLE_CHANGE_ENVIRONMENT(name, parameters, arguments, ...) \
  HEDDLE_LIBRARY_NEXT(int, name, parameters)                        \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);              \
  int heddle_##name parameters {                                    \
    const Place here = HEDDLE_HERE;                                 \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)          \
    environment_changes();                                          \
    return next_##name arguments;                                   \
  }

HEDDLE_CHANGE_ENVIRONMENT(setenv, (const char* variable, const char* value, int replace), (variable, value, replace),
                          (reads.text(variable), reads.text(value), writes(&__environ)))
HEDDLE_CHANGE_ENVIRONMENT(unsetenv, (const char* variable), (variable), (reads.text(variable), writes(&__environ)))
HEDDLE_CHANGE_ENVIRONMENT(putenv, (char* setting), (setting), (reads.text(setting), writes(&__environ)))
HEDDLE_CHANGE_ENVIRONMENT(clearenv, (), (), writes(&__environ))
