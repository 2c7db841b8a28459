// Wide printing into memory and to streams, and wide streams. Scans of wide strings are in stdio/scan.cc. On descriptors of the execution,
// these calls do not wait in the scheduler.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "intercept/stdio/stream.h"

using namespace heddle::rt;

// Each form with a va_list, and the variadic form, which calls it. The last parameters: what is reported about a stream before the call,
// and what was written, from its `answer`.
#define HEDDLE_WIDE_PRINT(name, v_name, parameters, v_parameters, arguments, said, written)                               \
  HEDDLE_LIBRARY_FUNCTION_THEN(int, v_name, v_parameters, arguments, (print_accesses(format, list, here), said), written) \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);                                                                    \
  int heddle_##name parameters {                                                                                          \
    const Place here = HEDDLE_HERE;                                                                                       \
    va_list list;                                                                                                         \
    va_start(list, format);                                                                                               \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, (print_accesses(format, list, here), said))                                 \
    const int answer = next_##v_name arguments;                                                                           \
    va_end(list);                                                                                                         \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, written)                                                                    \
    return answer;                                                                                                        \
  }

// If there is not enough room, this is an error, and the output is cut. That something is written is told before the call, so who reads
// meanwhile comes after a write. How much it was is known after the call.
#define HEDDLE_WIDE_PRINT_TO(name, v_name, parameters, v_parameters, arguments)            \
  HEDDLE_WIDE_PRINT(name, v_name, parameters, v_parameters, arguments,                     \
                    writes(to, HEDDLE_BYTES(room != 0 ? sizeof *to : 0)),                  \
                    writes(to, HEDDLE_BYTES((answer < 0 ? room : static_cast<size_t>(answer) + 1) * sizeof *to)))
HEDDLE_WIDE_PRINT_TO(swprintf, vswprintf, (wchar_t* to, size_t room, const wchar_t* format, ...), (wchar_t* to, size_t room, const wchar_t* format, va_list list),
                     (to, room, format, list))
HEDDLE_WIDE_PRINT_TO(__swprintf_chk, __vswprintf_chk, (wchar_t* to, size_t room, int flag, size_t space, const wchar_t* format, ...),
                     (wchar_t* to, size_t room, int flag, size_t space, const wchar_t* format, va_list list), (to, room, flag, space, format, list))

#define HEDDLE_WIDE_PRINT_OUT(name, v_name, parameters, v_parameters, arguments, file) \
  HEDDLE_WIDE_PRINT(name, v_name, parameters, v_parameters, arguments, stream_written(#name, file, 1, here), static_cast<void>(0))
HEDDLE_WIDE_PRINT_OUT(wprintf, vwprintf, (const wchar_t* format, ...), (const wchar_t* format, va_list list), (format, list), stdout)
HEDDLE_WIDE_PRINT_OUT(fwprintf, vfwprintf, (FILE* file, const wchar_t* format, ...), (FILE* file, const wchar_t* format, va_list list), (file, format, list), file)
HEDDLE_WIDE_PRINT_OUT(__wprintf_chk, __vwprintf_chk, (int flag, const wchar_t* format, ...), (int flag, const wchar_t* format, va_list list),
                      (flag, format, list), stdout)
HEDDLE_WIDE_PRINT_OUT(__fwprintf_chk, __vfwprintf_chk, (FILE* file, int flag, const wchar_t* format, ...),
                      (FILE* file, int flag, const wchar_t* format, va_list list), (file, flag, format, list), file)

HEDDLE_LIBRARY_FUNCTION(int, fputws, (const wchar_t* text, FILE* file), (text, file), (reads.text(text), stream_written("fputws", file, 1, here)))
HEDDLE_LIBRARY_FUNCTION_THEN(wchar_t*, fgetws, (wchar_t* to, int most, FILE* file), (to, most, file), stream_read("fgetws", file, 1, EOF, here),
                             if (answer != nullptr) writes.text(to))
HEDDLE_LIBRARY_FUNCTION_THEN(wchar_t*, __fgetws_chk, (wchar_t* to, size_t room, int most, FILE* file), (to, room, most, file), stream_read("fgetws", file, 1, EOF, here),
                             if (answer != nullptr) writes.text(to))

namespace {

template <typename Function>
int scan(const char* name, Next<Function>& next, FILE* file, const wchar_t* format, va_list arguments, Place place) {
  stream_read(name, file, 1, EOF, place);
  va_list again;
  va_copy(again, arguments);
  const int n = next(file, format, arguments);
  if (asked_by_program(place)) scan_accesses(format, again, n, place);
  va_end(again);
  return n;
}

}  // namespace

#define HEDDLE_WIDE_SCAN(name, v_name, in_name, v_in_name)                                       \
  HEDDLE_LIBRARY_NEXT(int, v_name, (FILE*, const wchar_t*, va_list))                             \
  HEDDLE_SHIM int heddle_##v_name(FILE* file, const wchar_t* format, va_list list) asm(#v_name); \
  int heddle_##v_name(FILE* file, const wchar_t* format, va_list list) {                         \
    return scan(#name, next_##v_name, file, format, list, HEDDLE_HERE);                          \
  }                                                                                              \
  HEDDLE_SHIM int heddle_##name(FILE* file, const wchar_t* format, ...) asm(#name);              \
  int heddle_##name(FILE* file, const wchar_t* format, ...) {                                    \
    va_list list;                                                                                \
    va_start(list, format);                                                                      \
    const int n = scan(#name, next_##v_name, file, format, list, HEDDLE_HERE);                   \
    va_end(list);                                                                                \
    return n;                                                                                    \
  }                                                                                              \
  HEDDLE_SHIM int heddle_##v_in_name(const wchar_t* format, va_list list) asm(#v_in_name);       \
  int heddle_##v_in_name(const wchar_t* format, va_list list) {                                  \
    return scan(#in_name, next_##v_name, stdin, format, list, HEDDLE_HERE);                      \
  }                                                                                              \
  HEDDLE_SHIM int heddle_##in_name(const wchar_t* format, ...) asm(#in_name);                    \
  int heddle_##in_name(const wchar_t* format, ...) {                                             \
    va_list list;                                                                                \
    va_start(list, format);                                                                      \
    const int n = scan(#in_name, next_##v_name, stdin, format, list, HEDDLE_HERE);               \
    va_end(list);                                                                                \
    return n;                                                                                    \
  }
HEDDLE_WIDE_SCAN(fwscanf, vfwscanf, wscanf, vwscanf)
HEDDLE_WIDE_SCAN(__isoc99_fwscanf, __isoc99_vfwscanf, __isoc99_wscanf, __isoc99_vwscanf)
HEDDLE_WIDE_SCAN(__isoc23_fwscanf, __isoc23_vfwscanf, __isoc23_wscanf, __isoc23_vwscanf)
