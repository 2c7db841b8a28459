// printf into memory: what it writes. What it reads for %s is not seen.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

constinit Next<int(char*, size_t, const char*, va_list)> measure{"vsnprintf"};

// The program is about to print at most `room` bytes to `to`. A thread that is alone is not worth printing twice for.
void prints(char* to, size_t room, const char* format, va_list arguments, const Place& place) {
  if (!asked_by_program(place) || current_thread()->plain_path == PlainPath::alone || room == 0) return;
  const auto size = [&]() -> size_t {
    va_list again;
    va_copy(again, arguments);
    const int n = measure(nullptr, 0, format, again);
    va_end(again);
    return n < 0 ? 0 : static_cast<size_t>(n) < room ? static_cast<size_t>(n) + 1 : room;
  };
  library_accesses(to, size, true, place);
}

}  // namespace

// Each form with a list, and the one without, which it serves.
#define HEDDLE_PRINT(name, v_name, parameters, v_parameters, arguments, room)                         \
  HEDDLE_LIBRARY_FUNCTION(int, v_name, v_parameters, arguments, prints(to, room, format, list, here)) \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);                                                \
  int heddle_##name parameters {                                                                      \
    const Place here = HEDDLE_HERE;                                                                   \
    va_list list;                                                                                     \
    va_start(list, format);                                                                           \
    prints(to, room, format, list, here);                                                             \
    const int size = next_##v_name arguments;                                                         \
    va_end(list);                                                                                     \
    return size;                                                                                      \
  }

HEDDLE_PRINT(sprintf, vsprintf, (char* to, const char* format, ...), (char* to, const char* format, va_list list), (to, format, list), SIZE_MAX)
HEDDLE_PRINT(snprintf, vsnprintf, (char* to, size_t room, const char* format, ...), (char* to, size_t room, const char* format, va_list list),
             (to, room, format, list), room)
HEDDLE_PRINT(__sprintf_chk, __vsprintf_chk, (char* to, int flag, size_t space, const char* format, ...),
             (char* to, int flag, size_t space, const char* format, va_list list), (to, flag, space, format, list), SIZE_MAX)
HEDDLE_PRINT(__snprintf_chk, __vsnprintf_chk, (char* to, size_t room, int flag, size_t space, const char* format, ...),
             (char* to, size_t room, int flag, size_t space, const char* format, va_list list), (to, room, flag, space, format, list), room)
