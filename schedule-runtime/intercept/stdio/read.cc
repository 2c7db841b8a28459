#include <stdlib.h>
#include <string.h>

#include "intercept/stdio/stream.h"

using namespace heddle::rt;
using heddle::Kind;

HEDDLE_REAL_OR_ASAN(int, fgetc, (FILE*));
HEDDLE_REAL_OR_ASAN(int, getc, (FILE*));

namespace {

bool has_input(const FILE* file) { return file->_IO_read_ptr < file->_IO_read_end; }

// For an outside file: a real wait would stop all threads.
void check_outside(const char* name, FILE* file, Place place) {
  if (current_thread() != nullptr && file != nullptr && file->_fileno >= 0 && !has_input(file)) {
    wait_outside(name, file->_fileno, POLLIN, 0, place);
  }
}

int take_byte(const char* name, FILE* file, Place place) {
  if (has_input(file)) {
    Uncontrolled guard;
    return real_fgetc(file);
  }
  int byte = EOF;
  when_ready(name, Kind::descriptor_read, file, place, [&] {
    byte = real_fgetc(file);
    return byte != EOF ? 1 : 0;
  });
  return byte;
}

size_t take(const char* name, FILE* file, char* to, size_t size, int delimiter, Place place) {
  size_t n = 0;
  while (n < size) {
    const int byte = take_byte(name, file, place);
    if (byte == EOF) break;
    to[n++] = static_cast<char>(byte);
    if (byte == delimiter) break;
  }
  if (n != 0) buffer_accessed(to, n, true, place);
  return n;
}

size_t take_items(const char* name, FILE* file, void* to, size_t size, size_t count, Place place) {
  return size == 0 || count == 0 ? 0 : take(name, file, static_cast<char*>(to), size * count, EOF, place) / size;
}

char* take_text(const char* name, FILE* file, char* to, int size, Place place) {
  if (size <= 0) return nullptr;
  const size_t n = take(name, file, to, static_cast<size_t>(size) - 1, '\n', place);
  if (n == 0 && size > 1) return nullptr;
  buffer_accessed(to + n, 1, true, place);
  to[n] = 0;
  return to;
}

ssize_t take_line(const char* name, FILE* file, char** line, size_t* room, int delimiter, Place place) {
  if (line == nullptr || room == nullptr) {
    errno = EINVAL;
    return -1;
  }
  if (*line == nullptr) *room = 0;
  size_t n = 0;
  for (;;) {
    if (n + 2 > *room) {
      const size_t more = *room < 120 ? 120 : *room * 2;
      char* const grown = static_cast<char*>(realloc(*line, more));
      if (grown == nullptr) return -1;
      *line = grown;
      *room = more;
    }
    const int byte = take_byte(name, file, place);
    if (byte == EOF) break;
    (*line)[n++] = static_cast<char>(byte);
    if (byte == delimiter) break;
  }
  (*line)[n] = 0;
  buffer_accessed(*line, n + 1, true, place);
  return n != 0 ? static_cast<ssize_t>(n) : -1;
}

// For a call on an outside stream, after it has returned: only then the size is known.
void has_written(const void* to, size_t size, Place place) {
  if (asked_by_program(place)) library_accesses(to, HEDDLE_BYTES(size), true, place);
}

template <typename Real>
int scan(const char* name, Real& real, FILE* file, const char* format, va_list arguments, Place place) {
  stream_read(name, file, 1, EOF, place);
  if (!made_here(file)) {
    check_outside(name, file, place);
  } else {
    const int byte = take_byte(name, file, place);
    if (byte == EOF) return EOF;
    ungetc(byte, file);
  }
  va_list again;
  va_copy(again, arguments);
  const int n = real(file, format, arguments);
  if (asked_by_program(place)) scan_accesses(format, again, n, place);
  va_end(again);
  return n;
}

}  // namespace

// Reads `most` bytes, or up to the delimiter. `here`: for a stream of the execution. `outside`: other data that libc has written, in
// addition to its `answer`.
#define HEDDLE_READ(result, name, parameters, arguments, most, up_to, here, outside) \
  HEDDLE_REAL_OR_ASAN(result, name, parameters);                                     \
  HEDDLE_READ_AS(result, name, parameters, arguments, most, up_to, here, outside)
#define HEDDLE_READ_AS(result, name, parameters, arguments, most, up_to, here, outside) \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                               \
  result heddle_##name parameters {                                                     \
    const Place place = HEDDLE_HERE;                                                    \
    stream_read(#name, file, most, up_to, place);                                       \
    if (made_here(file)) return here;                                                   \
    check_outside(#name, file, place);                                                  \
    const auto answer = real_##name arguments;                                          \
    outside;                                                                            \
    return answer;                                                                      \
  }

HEDDLE_READ_AS(int, fgetc, (FILE* file), (file), 1, EOF, take_byte("fgetc", file, place), )
HEDDLE_READ_AS(int, getc, (FILE* file), (file), 1, EOF, take_byte("getc", file, place), )

#define HEDDLE_READ_ITEMS(name, parameters, arguments)                                                                 \
  HEDDLE_READ(size_t, name, parameters, arguments, size * count, EOF, take_items(#name, file, to, size, count, place), \
              has_written(to, answer * size, place))
HEDDLE_READ_ITEMS(fread, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file))
HEDDLE_READ_ITEMS(fread_unlocked, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file))
HEDDLE_READ_ITEMS(__fread_chk, (void* to, size_t room, size_t size, size_t count, FILE* file), (to, room, size, count, file))
HEDDLE_READ_ITEMS(__fread_unlocked_chk, (void* to, size_t room, size_t size, size_t count, FILE* file), (to, room, size, count, file))

#define HEDDLE_READ_TEXT(name, parameters, arguments)                                                                                          \
  HEDDLE_READ(char*, name, parameters, arguments, size > 0 ? static_cast<size_t>(size) - 1 : 0, '\n', take_text(#name, file, to, size, place), \
              if (answer != nullptr) has_written(to, text_size(to), place))
HEDDLE_READ_TEXT(fgets, (char* to, int size, FILE* file), (to, size, file))
HEDDLE_READ_TEXT(fgets_unlocked, (char* to, int size, FILE* file), (to, size, file))
HEDDLE_READ_TEXT(__fgets_chk, (char* to, size_t room, int size, FILE* file), (to, room, size, file))
HEDDLE_READ_TEXT(__fgets_unlocked_chk, (char* to, size_t room, int size, FILE* file), (to, room, size, file))

#define HEDDLE_READ_LINE(name, parameters, arguments, delimiter)                                                               \
  HEDDLE_READ(ssize_t, name, parameters, arguments, SIZE_MAX, delimiter, take_line(#name, file, line, room, delimiter, place), \
              if (answer > 0) has_written(*line, static_cast<size_t>(answer) + 1, place))
HEDDLE_READ_LINE(getdelim, (char** line, size_t* room, int delimiter, FILE* file), (line, room, delimiter, file), delimiter)
HEDDLE_READ_LINE(__getdelim, (char** line, size_t* room, int delimiter, FILE* file), (line, room, delimiter, file), delimiter)
HEDDLE_READ_LINE(getline, (char** line, size_t* room, FILE* file), (line, room, file), '\n')

// A scan waits only for its first byte. `listed` is the form with arguments after the format.
#define HEDDLE_SCAN_OF(name, listed, parameters, v_parameters, next, file)          \
  HEDDLE_SHIM int heddle_##name v_parameters asm(#name);                            \
  int heddle_##name v_parameters {                                                  \
    return scan(#listed, real_##next, file, format, arguments, HEDDLE_HERE);        \
  }                                                                                 \
  HEDDLE_SHIM int heddle_##listed parameters asm(#listed);                          \
  int heddle_##listed parameters {                                                  \
    va_list arguments;                                                              \
    va_start(arguments, format);                                                    \
    const int n = scan(#listed, real_##next, file, format, arguments, HEDDLE_HERE); \
    va_end(arguments);                                                              \
    return n;                                                                       \
  }
#define HEDDLE_SCAN(standard)                                                                                                                     \
  HEDDLE_REAL_OR_ASAN(int, standard##vfscanf, (FILE*, const char*, va_list));                                                                     \
  HEDDLE_SCAN_OF(standard##vfscanf, standard##fscanf, (FILE* file, const char* format, ...), (FILE* file, const char* format, va_list arguments), \
                 standard##vfscanf, file)                                                                                                         \
  HEDDLE_SCAN_OF(standard##vscanf, standard##scanf, (const char* format, ...), (const char* format, va_list arguments), standard##vfscanf, stdin)
HEDDLE_SCAN()
HEDDLE_SCAN(__isoc99_)
HEDDLE_SCAN(__isoc23_)
