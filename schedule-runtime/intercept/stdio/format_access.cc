#include <limits.h>
#include <string.h>
#include <wchar.h>

#include "intercept/library_access.h"
#include "intercept/stdio/format.h"

namespace heddle::rt {
namespace {

using Sort = FormatArgument::Sort;

constinit Next<size_t(char*, wchar_t, mbstate_t*)> libc_wcrtomb{"wcrtomb"};
constinit Next<size_t(wchar_t*, const char*, size_t, mbstate_t*)> libc_mbrtowc{"mbrtowc"};

// How much of a wide string is read if at most `most` bytes are printed: includes the terminator, or the first character without room.
size_t size_made(const wchar_t* text, size_t most) {
  mbstate_t state = {};
  size_t n = 0;
  for (size_t made = 0; made < most && text[n++] != 0;) {
    char bytes[MB_LEN_MAX];
    const size_t more = libc_wcrtomb(bytes, text[n - 1], &state);
    if (more > most - made) break;  // or it is no character
    made += more;
  }
  return n * sizeof *text;
}

// How much of a string is read if at most `most` wide characters are printed.
size_t size_made_wide(const char* text, size_t most) {
  mbstate_t state = {};
  size_t n = 0;
  for (size_t made = 0; made < most; ++n) {
    const size_t more = libc_mbrtowc(nullptr, text + n, 1, &state);
    if (more == 0 || more == ~size_t{0}) return n + 1;
    if (more == 1) ++made;
  }
  return n;
}

size_t bytes(const FormatArgument& argument) {
  const auto* const text = static_cast<const char*>(argument.at);
  const auto* const wide = static_cast<const wchar_t*>(argument.at);
  switch (argument.sort) {
    case Sort::text: return text_size(text, argument.size);
    case Sort::wide_text: return text_size(wide, argument.size);
    case Sort::text_made_wide: return size_made_wide(text, argument.size);
    case Sort::wide_text_made: return size_made(wide, argument.size);
    case Sort::value: break;
  }
  return argument.size;
}

template <typename C>
void print(const C* format, va_list arguments, Place place) {
  LibraryAccesses(false, place).text(format);
  PrintFormat walk(format, arguments);
  for (FormatArgument a; walk.next(a);) library_accesses(a.at, HEDDLE_BYTES(bytes(a)), a.sort == Sort::value, place);
}

template <typename C>
void scan(const C* format, va_list arguments, int count, Place place) {
  ScanFormat walk(format, arguments);
  for (FormatArgument a; count > 0 && walk.next(a);) {
    library_accesses(a.at, HEDDLE_BYTES(bytes(a)), true, place);
    if (a.counted) --count;
  }
}

}  // namespace

void print_accesses(const char* format, va_list arguments, Place place) { print(format, arguments, place); }
void print_accesses(const wchar_t* format, va_list arguments, Place place) { print(format, arguments, place); }
void scan_accesses(const char* format, va_list arguments, int count, Place place) { scan(format, arguments, count, place); }
void scan_accesses(const wchar_t* format, va_list arguments, int count, Place place) { scan(format, arguments, count, place); }

}  // namespace heddle::rt
