// Wide strings and their conversion.
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

wint_t exactly(wint_t c) { return c; }

// Up to and including the first difference or the end of both strings.
template <wint_t (*Fold)(wint_t) = exactly>
size_t compared(const wchar_t* a, const wchar_t* b, size_t most) {
  size_t i = 0;
  while (i < most && Fold(static_cast<wint_t>(a[i])) == Fold(static_cast<wint_t>(b[i])) && a[i] != 0) ++i;
  return (i < most ? i + 1 : i) * sizeof *a;
}

// Up to and including what was found, or everything.
size_t searched(const wchar_t* s, const wchar_t* found, size_t length_found = 1) {
  return found != nullptr ? (static_cast<size_t>(found - s) + length_found) * sizeof *s : text_size(s);
}

}  // namespace

HEDDLE_LIBRARY_FUNCTION(size_t, wcslen, (const wchar_t* s), (s), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(size_t, wcsnlen, (const wchar_t* s, size_t most), (s, most), reads.text(s, most))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsdup, (const wchar_t* s), (s), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcschr, (const wchar_t* s, wchar_t c), (s, c), reads(s, HEDDLE_BYTES(searched(s, peek_wcschr(s, c)))))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsrchr, (const wchar_t* s, wchar_t c), (s, c), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wmemchr, (const wchar_t* s, wchar_t c, size_t n), (s, c, n), reads(s, [&] {
                          const wchar_t* const found = peek_wmemchr(s, c, n);
                          return (found != nullptr ? static_cast<size_t>(found - s) + 1 : n) * sizeof *s;
                        }))

#define HEDDLE_WIDE_COMPARISON(name, parameters, arguments, size) \
  HEDDLE_LIBRARY_FUNCTION(int, name, parameters, arguments, (reads(a, HEDDLE_BYTES(size)), reads(b, HEDDLE_BYTES(size))))
HEDDLE_WIDE_COMPARISON(wcscmp, (const wchar_t* a, const wchar_t* b), (a, b), compared(a, b, ~size_t{0}))
HEDDLE_WIDE_COMPARISON(wcsncmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), compared(a, b, n))
HEDDLE_WIDE_COMPARISON(wmemcmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), n * sizeof *a)

HEDDLE_WIDE_COMPARISON(wcscasecmp, (const wchar_t* a, const wchar_t* b), (a, b), compared<towlower>(a, b, ~size_t{0}))
HEDDLE_WIDE_COMPARISON(wcsncasecmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), compared<towlower>(a, b, n))

HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsstr, (const wchar_t* s, const wchar_t* what), (s, what),
                        (reads.text(what), reads(s, HEDDLE_BYTES(searched(s, peek_wcsstr(s, what), length(what))))))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcspbrk, (const wchar_t* s, const wchar_t* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES(searched(s, peek_wcspbrk(s, set))))))
HEDDLE_LIBRARY_FUNCTION(size_t, wcsspn, (const wchar_t* s, const wchar_t* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES((peek_wcsspn(s, set) + 1) * sizeof *s))))
HEDDLE_LIBRARY_FUNCTION(size_t, wcscspn, (const wchar_t* s, const wchar_t* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES((peek_wcscspn(s, set) + 1) * sizeof *s))))

#define HEDDLE_WIDE_COPY(name, parameters, arguments, of_from, of_to) \
  HEDDLE_LIBRARY_FUNCTION(wchar_t*, name, parameters, arguments, (reads(from, HEDDLE_BYTES(of_from)), writes(to, HEDDLE_BYTES(of_to))))
HEDDLE_WIDE_COPY(wcscpy, (wchar_t* to, const wchar_t* from), (to, from), text_size(from), text_size(from))
HEDDLE_WIDE_COPY(__wcscpy_chk, (wchar_t* to, const wchar_t* from, size_t room), (to, from, room), text_size(from), text_size(from))
HEDDLE_WIDE_COPY(wcpcpy, (wchar_t* to, const wchar_t* from), (to, from), text_size(from), text_size(from))
HEDDLE_WIDE_COPY(wcpncpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), text_size(from, n), n * sizeof *to)
HEDDLE_WIDE_COPY(wmempcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(wcsncpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), text_size(from, n), n * sizeof *to)
HEDDLE_WIDE_COPY(wmemcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(__wmemcpy_chk, (wchar_t* to, const wchar_t* from, size_t n, size_t room), (to, from, n, room), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(wmemmove, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), n * sizeof *to, n * sizeof *to)
HEDDLE_WIDE_COPY(__wmemmove_chk, (wchar_t* to, const wchar_t* from, size_t n, size_t room), (to, from, n, room), n * sizeof *to, n * sizeof *to)

HEDDLE_LIBRARY_FUNCTION(wchar_t*, wmemset, (wchar_t* to, wchar_t c, size_t n), (to, c, n), writes(to, HEDDLE_BYTES(n * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcscat, (wchar_t* to, const wchar_t* from), (to, from), {
  reads.text(to);
  reads.text(from);
  writes(to + length(to), HEDDLE_BYTES(text_size(from)));
})
HEDDLE_LIBRARY_FUNCTION(wchar_t*, wcsncat, (wchar_t* to, const wchar_t* from, size_t most), (to, from, most), {
  reads.text(to);
  reads.text(from, most);
  writes(to + length(to), HEDDLE_BYTES((length(from, most) + 1) * sizeof *to));
})

// One character. How much is read is known only afterwards. Without a state argument, the C library uses its own state.
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, mbrtowc, (wchar_t* to, const char* from, size_t most, mbstate_t* state), (to, from, most, state),
                             (reads(state), writes(state)), if (from != nullptr) {
                               reads(from, HEDDLE_BYTES(answer == 0 ? 1 : answer <= most ? answer : most));
                               if (answer <= most) writes(to);
                             })
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, wcrtomb, (char* to, wchar_t c, mbstate_t* state), (to, c, state), (reads(state), writes(state)),
                             if (to != nullptr && answer != ~size_t{0}) writes(to, HEDDLE_BYTES(answer)))
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, mbsrtowcs, (wchar_t* to, const char** from, size_t most, mbstate_t* state), (to, from, most, state),
                             (reads(from), reads.text(*from), reads(state), writes(state)), if (to != nullptr && answer != ~size_t{0}) {
                               writes(from);
                               writes(to, HEDDLE_BYTES((answer < most ? answer + 1 : answer) * sizeof *to));
                             })
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, wcsrtombs, (char* to, const wchar_t** from, size_t most, mbstate_t* state), (to, from, most, state),
                             (reads(from), reads.text(*from), reads(state), writes(state)), if (to != nullptr && answer != ~size_t{0}) {
                               writes(from);
                               writes(to, HEDDLE_BYTES(answer < most ? answer + 1 : answer));
                             })

// The result is the number of written characters without the terminator. The terminator is written if there was room.
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, mbstowcs, (wchar_t* to, const char* from, size_t most), (to, from, most), reads.text(from),
                             if (to != nullptr && answer != ~size_t{0}) writes(to, HEDDLE_BYTES((answer < most ? answer + 1 : answer) * sizeof *to)))
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, wcstombs, (char* to, const wchar_t* from, size_t most), (to, from, most), reads.text(from),
                             if (to != nullptr && answer != ~size_t{0}) writes(to, HEDDLE_BYTES(answer < most ? answer + 1 : answer)))
