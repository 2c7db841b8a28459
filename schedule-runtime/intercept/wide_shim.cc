// Wide strings and their conversion.
#include <stdlib.h>
#include <wchar.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

constinit Next<size_t(const wchar_t*)> wide_length{"wcslen"};
constinit Next<size_t(const wchar_t*, size_t)> wide_bounded_length{"wcsnlen"};

size_t bytes(const wchar_t* s) { return (wide_length(s) + 1) * sizeof *s; }
size_t bytes(const wchar_t* s, size_t most) {
  const size_t n = wide_bounded_length(s, most);
  return (n < most ? n + 1 : n) * sizeof *s;
}
// Up to the first difference or the end of both, with it.
size_t compared(const wchar_t* a, const wchar_t* b, size_t most) {
  size_t i = 0;
  while (i < most && a[i] == b[i] && a[i] != 0) ++i;
  return (i < most ? i + 1 : i) * sizeof *a;
}

}  // namespace

HEDDLE_LIBRARY_FUNCTION(size_t, wcslen, (const wchar_t* s), (s), reads(s, HEDDLE_BYTES(bytes(s))))
HEDDLE_LIBRARY_FUNCTION(size_t, wcsnlen, (const wchar_t* s, size_t most), (s, most), reads(s, HEDDLE_BYTES(bytes(s, most))))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsdup, (const wchar_t* s), (s), reads(s, HEDDLE_BYTES(bytes(s))))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcschr, (const wchar_t* s, wchar_t c), (s, c), reads(s, [&] {
                          const wchar_t* const found = peek_wcschr(s, c);
                          return found != nullptr ? static_cast<size_t>(found - s + 1) * sizeof *s : bytes(s);
                        }))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsrchr, (const wchar_t* s, wchar_t c), (s, c), reads(s, HEDDLE_BYTES(bytes(s))))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wmemchr, (const wchar_t* s, wchar_t c, size_t n), (s, c, n), reads(s, [&] {
                          const wchar_t* const found = peek_wmemchr(s, c, n);
                          return (found != nullptr ? static_cast<size_t>(found - s) + 1 : n) * sizeof *s;
                        }))

#define HEDDLE_WIDE_COMPARISON(name, parameters, arguments, size) \
  HEDDLE_LIBRARY_FUNCTION(int, name, parameters, arguments, (reads(a, HEDDLE_BYTES(size)), reads(b, HEDDLE_BYTES(size))))
HEDDLE_WIDE_COMPARISON(wcscmp, (const wchar_t* a, const wchar_t* b), (a, b), compared(a, b, ~size_t{0}))
HEDDLE_WIDE_COMPARISON(wcsncmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), compared(a, b, n))
HEDDLE_WIDE_COMPARISON(wmemcmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), n * sizeof *a)

#define HEDDLE_WIDE_COPY(name, parameters, arguments, of_from, of_to) \
  HEDDLE_LIBRARY_FUNCTION(wchar_t*, name, parameters, arguments, (reads(from, HEDDLE_BYTES(of_from)), writes(to, HEDDLE_BYTES(of_to))))
HEDDLE_WIDE_COPY(wcscpy, (wchar_t* to, const wchar_t* from), (to, from), bytes(from), bytes(from))
HEDDLE_WIDE_COPY(__wcscpy_chk, (wchar_t* to, const wchar_t* from, size_t room), (to, from, room), bytes(from), bytes(from))
HEDDLE_WIDE_COPY(wcsncpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), bytes(from, n), n * sizeof *to)
HEDDLE_WIDE_COPY(wmemcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(__wmemcpy_chk, (wchar_t* to, const wchar_t* from, size_t n, size_t room), (to, from, n, room), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(wmemmove, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(__wmemmove_chk, (wchar_t* to, const wchar_t* from, size_t n, size_t room), (to, from, n, room), n * sizeof *to, n * sizeof *to)

HEDDLE_LIBRARY_FUNCTION(wchar_t*, wmemset, (wchar_t* to, wchar_t c, size_t n), (to, c, n), writes(to, HEDDLE_BYTES(n * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcscat, (wchar_t* to, const wchar_t* from), (to, from), {
  reads(to, HEDDLE_BYTES(bytes(to)));
  reads(from, HEDDLE_BYTES(bytes(from)));
  writes(to + wide_length(to), HEDDLE_BYTES(bytes(from)));
})

// The answer is how many were written, without the end; there is one if there was room.
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, mbstowcs, (wchar_t* to, const char* from, size_t most), (to, from, most), reads(from, HEDDLE_BYTES(length(from) + 1)),
                             if (to != nullptr && answer != ~size_t{0}) writes(to, HEDDLE_BYTES((answer < most ? answer + 1 : answer) * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, wcstombs, (char* to, const wchar_t* from, size_t most), (to, from, most), reads(from, HEDDLE_BYTES(bytes(from))),
                             if (to != nullptr && answer != ~size_t{0}) writes(to, HEDDLE_BYTES(answer < most ? answer + 1 : answer)))
