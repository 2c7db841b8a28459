// scanf from memory. Streams are in stdio/read.cc. What a scan has written is known after it has returned.
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

template <typename Function, typename C>
int scan(Next<Function>& next, const C* s, const C* format, va_list arguments, Place place) {
  if (!asked_by_program(place)) return next(s, format, arguments);
  LibraryAccesses(false, place).text(s);
  va_list again;
  va_copy(again, arguments);
  const int n = next(s, format, arguments);
  scan_accesses(format, again, n, place);
  va_end(again);
  return n;
}

}  // namespace

// Each form with a va_list, and the variadic form, which calls it.
#define HEDDLE_SCAN(name, v_name, C)                                                  \
  HEDDLE_LIBRARY_NEXT(int, v_name, (const C*, const C*, va_list))                     \
  HEDDLE_SHIM int heddle_##v_name(const C* s, const C* format, va_list) asm(#v_name); \
  int heddle_##v_name(const C* s, const C* format, va_list list) {                    \
    return scan(next_##v_name, s, format, list, HEDDLE_HERE);                         \
  }                                                                                   \
  HEDDLE_SHIM int heddle_##name(const C* s, const C* format, ...) asm(#name);         \
  int heddle_##name(const C* s, const C* format, ...) {                               \
    va_list list;                                                                     \
    va_start(list, format);                                                           \
    const int n = scan(next_##v_name, s, format, list, HEDDLE_HERE);                  \
    va_end(list);                                                                     \
    return n;                                                                         \
  }
HEDDLE_SCAN(sscanf, vsscanf, char)
HEDDLE_SCAN(__isoc99_sscanf, __isoc99_vsscanf, char)
HEDDLE_SCAN(__isoc23_sscanf, __isoc23_vsscanf, char)
HEDDLE_SCAN(swscanf, vswscanf, wchar_t)
HEDDLE_SCAN(__isoc99_swscanf, __isoc99_vswscanf, wchar_t)
HEDDLE_SCAN(__isoc23_swscanf, __isoc23_vswscanf, wchar_t)
