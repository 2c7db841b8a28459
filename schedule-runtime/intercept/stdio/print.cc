// printf to streams. For streams of the execution, the text is first printed to memory.
#include <stdarg.h>
#include <stdlib.h>

#include "intercept/stdio/stream.h"

using namespace heddle::rt;

namespace {

int put_formatted(FILE* file, const char* format, va_list arguments, Place place) {
  char text[512];
  va_list again;
  va_copy(again, arguments);
  const int size = vsnprintf(text, sizeof text, format, arguments);
  if (size >= 0) {
    if (static_cast<size_t>(size) < sizeof text) {
      put("fprintf", file, text, static_cast<size_t>(size), place);
    } else {
      char* const longer = static_cast<char*>(malloc(static_cast<size_t>(size) + 1));
      if (longer != nullptr) {
        vsnprintf(longer, static_cast<size_t>(size) + 1, format, again);
        put("fprintf", file, longer, static_cast<size_t>(size), place);
        free(longer);
      }
    }
  }
  va_end(again);
  return size;
}

template <typename Real>
int print(const char* name, FILE* file, const char* format, va_list arguments, Place place, Real real) {
  if (asked_by_program(place)) print_accesses(format, arguments, place);
  stream_printed(name, file, format, arguments, place);
  return made_here(file) ? put_formatted(file, format, arguments, place) : real();
}

}  // namespace

// Each form with a va_list, and the variadic form, which calls it.
#define HEDDLE_PRINT(name, v_name, parameters, v_parameters, arguments, file)                   \
  HEDDLE_REAL_OR_ASAN(int, v_name, v_parameters);                                               \
  HEDDLE_SHIM int heddle_##v_name v_parameters asm(#v_name);                                    \
  int heddle_##v_name v_parameters {                                                            \
    return print(#name, file, format, list, HEDDLE_HERE, [&] { return real_##v_name arguments; }); \
  }                                                                                             \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);                                          \
  int heddle_##name parameters {                                                                \
    va_list list;                                                                               \
    va_start(list, format);                                                                     \
    const int n = print(#name, file, format, list, HEDDLE_HERE, [&] { return real_##v_name arguments; }); \
    va_end(list);                                                                               \
    return n;                                                                                   \
  }

HEDDLE_PRINT(printf, vprintf, (const char* format, ...), (const char* format, va_list list), (format, list), stdout)
HEDDLE_PRINT(fprintf, vfprintf, (FILE* file, const char* format, ...), (FILE* file, const char* format, va_list list), (file, format, list), file)
HEDDLE_PRINT(__printf_chk, __vprintf_chk, (int flag, const char* format, ...), (int flag, const char* format, va_list list), (flag, format, list), stdout)
HEDDLE_PRINT(__fprintf_chk, __vfprintf_chk, (FILE* file, int flag, const char* format, ...), (FILE* file, int flag, const char* format, va_list list),
             (file, flag, format, list), file)
