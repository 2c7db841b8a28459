// C strings: what the library's functions read and write, as in TSan. Comparisons are in libc/compare.cc.
#include <string.h>

#include "intercept/copy_parts.h"
#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

// Up to and including what was found, or everything.
size_t searched(const char* s, const char* found) { return found != nullptr ? static_cast<size_t>(found - s) + 1 : text_size(s); }

template <typename T>
T* past(T* bytes, size_t done) {
  return const_cast<char*>(static_cast<const char*>(bytes)) + done;
}

// How many bytes of the program's copy are done: see begin_copy. `read` and `written` say what is left after so many bytes.
template <typename Read, typename Written>
[[gnu::always_inline]] inline size_t begin_library_copy(void* to, const void* from, Read read, Written written, Place place) {
  if (!asked_by_program(place)) return 0;
  return begin_copy(to, from, [&] { return read(0); }, [&](size_t done, bool write) {
    return write ? library_accesses(past(to, done), [&] { return written(done); }, true, place)
                 : library_accesses(past(from, done), [&] { return read(done); }, false, place);
  });
}

// Reports the accesses of strcat. Another thread may have appended something after the end of `to` was looked for. Or the copy has begun. Then
// the rest of it is done here. False if the C library is to do all.
bool appended(char* to, const char* from, size_t most, size_t room, Place place) {
  if (!asked_by_program(place)) return false;
  LibraryAccesses(false, place).text(to);
  char* const end = to + length(to);
  const auto read = [&](size_t done) { return text_size(from + done, most - done); };
  const auto written = [&](size_t done) { return length(from + done, most - done) + 1; };
  const size_t done = begin_library_copy(end, from, read, written, place);
  if (done == 0 && to + length(to) == end) return false;
  const size_t left = length(from + done, most - done);
  if (static_cast<size_t>(end - to) + done + left >= room) return false;  // the C library says what is wrong
  memcpy(end + done, from + done, left);
  end[done + left] = 0;
  return true;
}

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

// A copy from `from` to `to`, which may have two parts (intercept/copy_parts.h). `read` and `written`: what is left of it after `done` bytes.
// `arguments`: those of the call for that. `answer`: of the whole, if that call answers `rest`.
#define HEDDLE_COPY(result, name, parameters, arguments, read, written, answer)                                        \
  HEDDLE_LIBRARY_NEXT(result, name, parameters)                                                                        \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                                                              \
  result heddle_##name parameters {                                                                                    \
    const Place here = HEDDLE_HERE;                                                                                    \
    const size_t done = begin_library_copy(                                                                            \
        to, from, [&](size_t done) { return static_cast<size_t>(read); }, [&](size_t done) { return static_cast<size_t>(written); }, here); \
    [[maybe_unused]] result const rest = next_##name arguments;                                                        \
    return answer;                                                                                                     \
  }

#define HEDDLE_COPY_STRING(name, checked, answer)                                                                      \
  HEDDLE_COPY(char*, name, (char* to, const char* from), (to + done, from + done), text_size(from + done), text_size(from + done), answer) \
  HEDDLE_COPY(char*, checked, (char* to, const char* from, size_t room), (to + done, from + done, room - done), text_size(from + done),    \
              text_size(from + done), answer)
HEDDLE_COPY_STRING(strcpy, __strcpy_chk, to)
HEDDLE_COPY_STRING(stpcpy, __stpcpy_chk, rest)
HEDDLE_COPY(char*, __stpcpy, (char* to, const char* from), (to + done, from + done), text_size(from + done), text_size(from + done), rest)

#define HEDDLE_COPY_BOUNDED(name, checked, answer)                                                                     \
  HEDDLE_COPY(char*, name, (char* to, const char* from, size_t most), (to + done, from + done, most - done),           \
              text_size(from + done, most - done), most - done, answer)                                                \
  HEDDLE_COPY(char*, checked, (char* to, const char* from, size_t most, size_t room), (to + done, from + done, most - done, room - done), \
              text_size(from + done, most - done), most - done, answer)
HEDDLE_COPY_BOUNDED(strncpy, __strncpy_chk, to)
HEDDLE_COPY_BOUNDED(stpncpy, __stpncpy_chk, rest)

// `most`: how many characters of `from` are appended at most. `room`: of the whole destination.
#define HEDDLE_APPEND(name, parameters, arguments, most, room)                  \
  HEDDLE_LIBRARY_NEXT(char*, name, parameters)                                  \
  HEDDLE_SHIM char* heddle_##name parameters asm(#name);                        \
  char* heddle_##name parameters {                                              \
    return appended(to, from, most, room, HEDDLE_HERE) ? to : next_##name arguments; \
  }
HEDDLE_APPEND(strcat, (char* to, const char* from), (to, from), SIZE_MAX, SIZE_MAX)
HEDDLE_APPEND(__strcat_chk, (char* to, const char* from, size_t room), (to, from, room), SIZE_MAX, room)
HEDDLE_APPEND(strncat, (char* to, const char* from, size_t most), (to, from, most), most, SIZE_MAX)
HEDDLE_APPEND(__strncat_chk, (char* to, const char* from, size_t most, size_t room), (to, from, most, room), most, room)

// The _chk forms of functions that the compiler instruments itself (tsan_plain.cc), and older names of these functions.
#define HEDDLE_COPY_BYTES(name, answer)                                                                                \
  HEDDLE_COPY(void*, name, (void* to, const void* from, size_t n), (past(to, done), past(from, done), n - done), n - done, n - done, answer)
#define HEDDLE_COPY_CHECKED(name, answer)                                                                              \
  HEDDLE_COPY(void*, name, (void* to, const void* from, size_t n, size_t room), (past(to, done), past(from, done), n - done, room - done), \
              n - done, n - done, answer)
HEDDLE_COPY_CHECKED(__memcpy_chk, to)
HEDDLE_COPY_CHECKED(__memmove_chk, to)
HEDDLE_COPY_CHECKED(__mempcpy_chk, rest)
HEDDLE_COPY_BYTES(mempcpy, rest)
HEDDLE_COPY_BYTES(__mempcpy, rest)
HEDDLE_LIBRARY_FUNCTION(void, bcopy, (const void* from, void* to, size_t n), (from, to, n), {
  reads(from, HEDDLE_BYTES(n));
  writes(to, HEDDLE_BYTES(n));
})

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
