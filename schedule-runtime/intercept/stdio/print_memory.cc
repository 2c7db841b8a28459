// printf into memory, and to destinations that are no descriptor of the execution: what it reads and writes. The forms for streams are in
// stdio/print.cc.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

#include "intercept/copy_parts.h"
#include "intercept/library_access.h"
#include "intercept/program_ends.h"

using namespace heddle::rt;

namespace {

constinit Next<int(char*, size_t, const char*, va_list)> measure{"vsnprintf"};

int print_again(char* to, size_t room, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int n = measure(to, room, format, again);
  va_end(again);
  return n;
}

// The program is about to print at most `room` bytes to `to`. True: that write was visible, and all is done; `answer` is the call's. Skipped
// while a thread is alone, because it needs printing twice.
bool print_writes(char* to, size_t room, const char* format, va_list arguments, int& answer, Place place) {
  if (current_thread()->plain_path == PlainPath::alone || room == 0) return false;
  const auto written = [&](size_t done) -> size_t {
    const int n = print_again(nullptr, 0, format, arguments);
    const size_t all = n < 0 ? 0 : std::min(static_cast<size_t>(n) + 1, room);
    return all > done ? all - done : 0;
  };
  // What is printed becomes a copy of a text of this function's own, which may have two parts.
  char own[1024];
  const size_t most = std::min(room, sizeof own);
  size_t size = 0;
  const size_t done = begin_copy(
      to, own,
      [&] {
        answer = print_again(own, most, format, arguments);
        return size = answer < 0 ? 0 : std::min(static_cast<size_t>(answer) + 1, most);
      },
      [&](size_t done, bool write) { return write && library_accesses(to + done, [&] { return written(done); }, true, place); });
  if (done == 0 || static_cast<size_t>(answer) >= most) return false;
  memcpy(to + done, own + done, size - done);
  return true;
}

// The arguments after the format.
struct Arguments {
  va_list list;
  ~Arguments() { va_end(list); }
};

}  // namespace

// Each form with a va_list, and the variadic form, which calls it. The last parameter: what to do after the accesses of the format.
#define HEDDLE_PRINT(result, name, v_name, parameters, v_parameters, arguments, ...)                                  \
  HEDDLE_LIBRARY_FUNCTION(result, v_name, v_parameters, arguments, print_accesses(format, list, here); __VA_ARGS__)   \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                                                             \
  result heddle_##name parameters {                                                                                   \
    const Place here = HEDDLE_HERE;                                                                                   \
    Arguments behind;                                                                                                 \
    va_list& list = behind.list;                                                                                      \
    va_start(list, format);                                                                                           \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, print_accesses(format, list, here); __VA_ARGS__)                        \
    return next_##v_name arguments;                                                                                   \
  }

#define HEDDLE_PRINT_TO(name, v_name, parameters, v_parameters, arguments, room)    \
  HEDDLE_PRINT(int, name, v_name, parameters, v_parameters, arguments, int answer; \
               if (print_writes(to, room, format, list, answer, here)) return answer)
HEDDLE_PRINT_TO(sprintf, vsprintf, (char* to, const char* format, ...), (char* to, const char* format, va_list list), (to, format, list), SIZE_MAX)
HEDDLE_PRINT_TO(snprintf, vsnprintf, (char* to, size_t room, const char* format, ...), (char* to, size_t room, const char* format, va_list list),
                (to, room, format, list), room)
HEDDLE_PRINT_TO(__sprintf_chk, __vsprintf_chk, (char* to, int flag, size_t space, const char* format, ...),
                (char* to, int flag, size_t space, const char* format, va_list list), (to, flag, space, format, list), space)
HEDDLE_PRINT_TO(__snprintf_chk, __vsnprintf_chk, (char* to, size_t room, int flag, size_t space, const char* format, ...),
                (char* to, size_t room, int flag, size_t space, const char* format, va_list list), (to, room, flag, space, format, list),
                room <= space ? room : 0)

// Prints into a new block.
#define HEDDLE_PRINT_NEW(name, v_name, parameters, v_parameters, arguments) \
  HEDDLE_PRINT(int, name, v_name, parameters, v_parameters, arguments, writes(to))
HEDDLE_PRINT_NEW(asprintf, vasprintf, (char** to, const char* format, ...), (char** to, const char* format, va_list list), (to, format, list))
HEDDLE_PRINT_NEW(__asprintf_chk, __vasprintf_chk, (char** to, int flag, const char* format, ...), (char** to, int flag, const char* format, va_list list),
                 (to, flag, format, list))

#define HEDDLE_PRINT_OUT(result, name, parameters, v_parameters, arguments) \
  HEDDLE_PRINT(result, name, v##name, parameters, v_parameters, arguments, static_cast<void>(0))
HEDDLE_PRINT_OUT(int, dprintf, (int fd, const char* format, ...), (int fd, const char* format, va_list list), (fd, format, list))
HEDDLE_PRINT_OUT(void, syslog, (int priority, const char* format, ...), (int priority, const char* format, va_list list), (priority, format, list))
HEDDLE_PRINT_OUT(void, warn, (const char* format, ...), (const char* format, va_list list), (format, list))
HEDDLE_PRINT_OUT(void, warnx, (const char* format, ...), (const char* format, va_list list), (format, list))
HEDDLE_PRINT(int, __dprintf_chk, __vdprintf_chk, (int fd, int flag, const char* format, ...), (int fd, int flag, const char* format, va_list list),
             (fd, flag, format, list), static_cast<void>(0))
HEDDLE_PRINT(void, __syslog_chk, __vsyslog_chk, (int priority, int flag, const char* format, ...),
             (int priority, int flag, const char* format, va_list list), (priority, flag, format, list), static_cast<void>(0))

// The C library's own would call its own exit(), which nobody sees.
#define HEDDLE_PRINT_AND_EXIT(name, print)                                                               \
  HEDDLE_LIBRARY_NEXT(void, v##name, (int status, const char* format, va_list list))                     \
  static void end_by_##name(int status, const char* format, va_list list, Place here) {                  \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, print_accesses(format, list, here))                        \
    if (current_thread() == nullptr) return next_v##name(status, format, list);                          \
    next_##print(format, list);                                                                          \
    program_ends(status, Ending::handlers, here, #name "()");                                            \
    exit(status);                                                                                        \
  }                                                                                                      \
  HEDDLE_SHIM void heddle_v##name(int status, const char* format, va_list list) asm("v" #name);          \
  void heddle_v##name(int status, const char* format, va_list list) { end_by_##name(status, format, list, HEDDLE_HERE); } \
  HEDDLE_SHIM void heddle_##name(int status, const char* format, ...) asm(#name);                        \
  void heddle_##name(int status, const char* format, ...) {                                              \
    Arguments behind;                                                                                    \
    va_start(behind.list, format);                                                                       \
    end_by_##name(status, format, behind.list, HEDDLE_HERE);                                             \
  }
HEDDLE_PRINT_AND_EXIT(err, vwarn)
HEDDLE_PRINT_AND_EXIT(errx, vwarnx)
