// C strings: what the library's functions read and write, as in TSan. Comparisons are in libc/compare.cc.
#include <string.h>

#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

// Up to and including what was found, or everything.
size_t searched(const char* s, const char* found) { return found != nullptr ? static_cast<size_t>(found - s) + 1 : text_size(s); }

}  // namespace

HEDDLE_LIBRARY_FUNCTION(size_t, strlen, (const char* s), (s), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(size_t, strnlen, (const char* s, size_t most), (s, most), reads.text(s, most))
HEDDLE_LIBRARY_FUNCTION(char*, strdup, (const char* s), (s), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(char*, __strdup, (const char* s), (s), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(char*, strndup, (const char* s, size_t most), (s, most), reads.text(s, most))

HEDDLE_LIBRARY_FUNCTION(char*, strchr, (const char* s, int c), (s, c), reads(s, HEDDLE_BYTES(searched(s, peek_strchr(s, c)))))
HEDDLE_LIBRARY_FUNCTION(char*, strchrnul, (const char* s, int c), (s, c), reads(s, HEDDLE_BYTES(searched(s, peek_strchrnul(s, c)))))
HEDDLE_LIBRARY_FUNCTION(char*, strrchr, (const char* s, int c), (s, c), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(char*, index, (const char* s, int c), (s, c), reads(s, HEDDLE_BYTES(searched(s, peek_strchr(s, c)))))
HEDDLE_LIBRARY_FUNCTION(char*, rindex, (const char* s, int c), (s, c), reads.text(s))
HEDDLE_LIBRARY_FUNCTION(size_t, strspn, (const char* s, const char* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES(peek_strspn(s, set) + 1))))
HEDDLE_LIBRARY_FUNCTION(size_t, strcspn, (const char* s, const char* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES(peek_strcspn(s, set) + 1))))
HEDDLE_LIBRARY_FUNCTION(char*, strpbrk, (const char* s, const char* set), (s, set),
                        (reads.text(set), reads(s, HEDDLE_BYTES(searched(s, peek_strpbrk(s, set))))))
HEDDLE_LIBRARY_FUNCTION(void*, memchr, (const void* s, int c, size_t n), (s, c, n), reads(s, [&] {
                          const void* const found = peek_memchr(s, c, n);
                          return found != nullptr ? static_cast<size_t>(static_cast<const char*>(found) - static_cast<const char*>(s)) + 1 : n;
                        }))
HEDDLE_LIBRARY_FUNCTION(void*, rawmemchr, (const void* s, int c), (s, c),
                        reads(s, HEDDLE_BYTES(static_cast<const char*>(peek_rawmemchr(s, c)) - static_cast<const char*>(s) + 1)))
HEDDLE_LIBRARY_FUNCTION(void*, memrchr, (const void* s, int c, size_t n), (s, c, n), reads(s, HEDDLE_BYTES(n)))

#define HEDDLE_COPY_STRING(name, parameters, arguments)         \
  HEDDLE_LIBRARY_FUNCTION(char*, name, parameters, arguments, { \
    const auto size = HEDDLE_BYTES(text_size(from));            \
    reads(from, size);                                          \
    writes(to, size);                                           \
  })
HEDDLE_COPY_STRING(strcpy, (char* to, const char* from), (to, from))
HEDDLE_COPY_STRING(stpcpy, (char* to, const char* from), (to, from))
HEDDLE_COPY_STRING(__stpcpy, (char* to, const char* from), (to, from))
HEDDLE_COPY_STRING(__strcpy_chk, (char* to, const char* from, size_t room), (to, from, room))
HEDDLE_COPY_STRING(__stpcpy_chk, (char* to, const char* from, size_t room), (to, from, room))

#define HEDDLE_COPY_BOUNDED(name, parameters, arguments)        \
  HEDDLE_LIBRARY_FUNCTION(char*, name, parameters, arguments, { \
    reads.text(from, most);                                     \
    writes(to, HEDDLE_BYTES(most));                             \
  })
HEDDLE_COPY_BOUNDED(strncpy, (char* to, const char* from, size_t most), (to, from, most))
HEDDLE_COPY_BOUNDED(stpncpy, (char* to, const char* from, size_t most), (to, from, most))
HEDDLE_COPY_BOUNDED(__strncpy_chk, (char* to, const char* from, size_t most, size_t room), (to, from, most, room))
HEDDLE_COPY_BOUNDED(__stpncpy_chk, (char* to, const char* from, size_t most, size_t room), (to, from, most, room))

// `of_from`: how many bytes of the appended string are read. `added`: how many bytes are written, with the final zero.
#define HEDDLE_APPEND(name, parameters, arguments, of_from, added) \
  HEDDLE_LIBRARY_FUNCTION(char*, name, parameters, arguments, {    \
    reads.text(to);                                                \
    reads(from, HEDDLE_BYTES(of_from));                            \
    writes(to + length(to), HEDDLE_BYTES(added));                  \
  })
HEDDLE_APPEND(strcat, (char* to, const char* from), (to, from), text_size(from), text_size(from))
HEDDLE_APPEND(__strcat_chk, (char* to, const char* from, size_t room), (to, from, room), text_size(from), text_size(from))
HEDDLE_APPEND(strncat, (char* to, const char* from, size_t most), (to, from, most), text_size(from, most), length(from, most) + 1)
HEDDLE_APPEND(__strncat_chk, (char* to, const char* from, size_t most, size_t room), (to, from, most, room), text_size(from, most),
              length(from, most) + 1)

// The _chk forms of functions that the compiler instruments itself (tsan_plain.cc), and older names of these functions.
#define HEDDLE_COPY_BYTES(result, name, parameters, arguments)   \
  HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, { \
    reads(from, HEDDLE_BYTES(n));                                \
    writes(to, HEDDLE_BYTES(n));                                 \
  })
HEDDLE_COPY_BYTES(void*, __memcpy_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
HEDDLE_COPY_BYTES(void*, __memmove_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
HEDDLE_COPY_BYTES(void*, __mempcpy_chk, (void* to, const void* from, size_t n, size_t room), (to, from, n, room))
HEDDLE_COPY_BYTES(void*, mempcpy, (void* to, const void* from, size_t n), (to, from, n))
HEDDLE_COPY_BYTES(void*, __mempcpy, (void* to, const void* from, size_t n), (to, from, n))
HEDDLE_COPY_BYTES(void, bcopy, (const void* from, void* to, size_t n), (from, to, n))

HEDDLE_LIBRARY_FUNCTION(void*, memccpy, (void* to, const void* from, int c, size_t n), (to, from, c, n), {
  const auto size = [&] {
    const void* const found = peek_memchr(from, c, n);
    return found != nullptr ? static_cast<size_t>(static_cast<const char*>(found) - static_cast<const char*>(from)) + 1 : n;
  };
  reads(from, size);
  writes(to, size);
})

#define HEDDLE_FILL(result, name, parameters, arguments) \
  HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, writes(to, HEDDLE_BYTES(n)))
HEDDLE_FILL(void*, __memset_chk, (void* to, int value, size_t n, size_t room), (to, value, n, room))
HEDDLE_FILL(void, bzero, (void* to, size_t n), (to, n))
HEDDLE_FILL(void, explicit_bzero, (void* to, size_t n), (to, n))
HEDDLE_FILL(void, __explicit_bzero_chk, (void* to, size_t n, size_t room), (to, n, room))

// By the rules of a locale.
#define HEDDLE_COLLATE(name)                                                             \
  HEDDLE_LIBRARY_FUNCTION(int, name, (const char* a, const char* b), (a, b),             \
                          (reads.text(a), reads.text(b)))
HEDDLE_COLLATE(strcoll)
HEDDLE_COLLATE(strverscmp)
HEDDLE_LIBRARY_FUNCTION_THEN(size_t, strxfrm, (char* to, const char* from, size_t room), (to, from, room), reads.text(from),
                             if (answer < room) writes(to, HEDDLE_BYTES(answer + 1)))

HEDDLE_LIBRARY_FUNCTION_THEN(char*, strerror_r, (int code, char* to, size_t room), (code, to, room), , if (answer == to) writes.text(to, room))
HEDDLE_LIBRARY_FUNCTION_THEN(int, __xpg_strerror_r, (int code, char* to, size_t room), (code, to, room), , if (room != 0) writes.text(to, room))
