// stdio on descriptors that the execution has made. libc's own reads and writes are inside it, where no shim stands: so whoever would find its
// buffer empty, or full, waits in the scheduler first, and what libc then does never waits.
//
// Reading goes byte by byte through libc's buffer; writing in parts that are one write of libc's at most.
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/process_state.h"
#include "engine/program_exit.h"
#include "intercept/descriptor_shim.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;
using primitives::Transfer;

HEDDLE_REAL_OR_ASAN(int, fgetc, (FILE*));
HEDDLE_REAL_OR_ASAN(int, getc, (FILE*));
HEDDLE_REAL_OR_ASAN(char*, fgets, (char*, int, FILE*));
HEDDLE_REAL_OR_ASAN(size_t, fread, (void*, size_t, size_t, FILE*));
HEDDLE_REAL_OR_ASAN(ssize_t, getdelim, (char**, size_t*, int, FILE*));
HEDDLE_REAL_OR_ASAN(ssize_t, __getdelim, (char**, size_t*, int, FILE*));
HEDDLE_REAL_OR_ASAN(ssize_t, getline, (char**, size_t*, FILE*));
HEDDLE_REAL_OR_ASAN(size_t, fwrite, (const void*, size_t, size_t, FILE*));
HEDDLE_REAL_OR_ASAN(int, fputs, (const char*, FILE*));
HEDDLE_REAL_OR_ASAN(int, fputc, (int, FILE*));
HEDDLE_REAL_OR_ASAN(int, putc, (int, FILE*));
HEDDLE_REAL_OR_ASAN(int, vfprintf, (FILE*, const char*, va_list));
HEDDLE_REAL_OR_ASAN(int, fflush, (FILE*));
HEDDLE_REAL_OR_ASAN(int, fclose, (FILE*));

namespace {

// Less than libc's buffer: it then writes that buffer at most, 4096 bytes, for which there is room whenever a pipe can be written to.
constexpr size_t kPart = 2048;

bool made_here(FILE* file) { return file != nullptr && heddle::rt::made_here(file->_fileno); }
bool has_input(const FILE* file) { return file->_IO_read_ptr < file->_IO_read_end; }
size_t pending(const FILE* file) { return file->_IO_write_ptr > file->_IO_write_base ? static_cast<size_t>(file->_IO_write_ptr - file->_IO_write_base) : 0; }

bool blocks(const FILE* file) {
  const primitives::Description* d = primitives::find_description(file->_fileno);
  return d != nullptr && !d->nonblocking;
}

bool is_ready(int descriptor, short events) {
  pollfd one = {descriptor, events, 0};
  return primitives::raw_poll(&one, 1) != 0;
}

// On a file of outside: a real wait would stop everybody.
void check_outside(const char* name, FILE* file, const Place& place) {
  if (current_thread() != nullptr && file != nullptr && file->_fileno >= 0 && !has_input(file)) {
    wait_outside(name, file->_fileno, POLLIN, 0, place);
  }
}

// libc's work, once it cannot wait any more, as an operation.
template <typename Work>
void when_ready(const char* name, Kind kind, FILE* file, const Place& place, Work work) {
  const bool waits = blocks(file);
  auto call = [&](int real, iovec*, int) -> long {
    if (waits && !is_ready(real, kind == Kind::descriptor_read ? POLLIN : POLLOUT)) return -EAGAIN;
    Uncontrolled guard;
    return work();
  };
  const long result = primitives::transfer({.kind = kind, .descriptor = file->_fileno, .call = RawCall(call)}, place);
  if (result == primitives::kWaitsOutside) descriptor_answer(name, result, place);
}

int take_byte(const char* name, FILE* file, const Place& place) {
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

size_t take(const char* name, FILE* file, char* to, size_t size, int delimiter, const Place& place) {
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

ssize_t take_line(FILE* file, char** line, size_t* room, int delimiter, const Place& place) {
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
    const int byte = take_byte("getline", file, place);
    if (byte == EOF) break;
    (*line)[n++] = static_cast<char>(byte);
    if (byte == delimiter) break;
  }
  (*line)[n] = 0;
  return n != 0 ? static_cast<ssize_t>(n) : -1;
}

int scan(const char* name, FILE* file, const Place& place) {
  const int byte = take_byte(name, file, place);
  if (byte != EOF) ungetc(byte, file);
  return byte;
}

bool flush(FILE* file, const Place& place) {
  int result = 0;
  if (pending(file) != 0) {
    when_ready("fflush", Kind::descriptor_write, file, place, [&] {
      const auto size = static_cast<long>(pending(file));
      result = real_fflush(file);
      return result == 0 ? size : -EIO;
    });
  }
  return result == 0;
}

// Would libc keep it all in its buffer?
bool fits(const FILE* file, const char* from, size_t size) {
  constexpr int kLineBuffered = 0x200, kUnbuffered = 2;
  if ((file->_flags & kUnbuffered) != 0 || file->_IO_write_ptr == nullptr) return false;
  if ((file->_flags & kLineBuffered) != 0 && memchr(from, '\n', size) != nullptr) return false;
  return file->_IO_write_ptr < file->_IO_buf_end && size < static_cast<size_t>(file->_IO_buf_end - file->_IO_write_ptr);
}

size_t put(const char* name, FILE* file, const void* data, size_t size, const Place& place) {
  if (size == 0) return 0;
  buffer_accessed(data, size, false, place);
  const char* const from = static_cast<const char*>(data);
  size_t done = 0;
  while (done < size) {
    const size_t part = size - done < kPart ? size - done : kPart;
    size_t written = 0;
    const auto write_part = [&] {
      written = real_fwrite(from + done, 1, part, file);
      return static_cast<long>(written);
    };
    if (fits(file, from + done, part)) {
      Uncontrolled guard;
      write_part();
    } else {
      when_ready(name, Kind::descriptor_write, file, place, write_part);
    }
    done += written;
    if (written != part) break;
  }
  return done;
}

int put_formatted(FILE* file, const char* format, va_list arguments, const Place& place) {
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

}  // namespace

#define HEDDLE_GET_BYTE(name)                                        \
  HEDDLE_SHIM int name(FILE* file) {                                 \
    if (made_here(file)) return take_byte(#name, file, HEDDLE_HERE); \
    check_outside(#name, file, HEDDLE_HERE);                         \
    return real_##name(file);                                        \
  }
HEDDLE_GET_BYTE(fgetc)
HEDDLE_GET_BYTE(getc)

HEDDLE_SHIM char* fgets(char* to, int size, FILE* file) {
  if (!made_here(file)) {
    check_outside("fgets", file, HEDDLE_HERE);
    return real_fgets(to, size, file);
  }
  if (size <= 0) return nullptr;
  const size_t n = take("fgets", file, to, static_cast<size_t>(size) - 1, '\n', HEDDLE_HERE);
  if (n == 0 && size > 1) return nullptr;
  buffer_accessed(to + n, 1, true, HEDDLE_HERE);
  to[n] = 0;
  return to;
}

HEDDLE_SHIM size_t fread(void* to, size_t size, size_t count, FILE* file) {
  if (!made_here(file)) {
    check_outside("fread", file, HEDDLE_HERE);
    return real_fread(to, size, count, file);
  }
  if (size == 0 || count == 0) return 0;
  return take("fread", file, static_cast<char*>(to), size * count, EOF, HEDDLE_HERE) / size;
}

#define HEDDLE_GET_DELIMITED(name)                                                   \
  HEDDLE_SHIM ssize_t name(char** line, size_t* room, int delimiter, FILE* file) {   \
    if (made_here(file)) return take_line(file, line, room, delimiter, HEDDLE_HERE); \
    check_outside(#name, file, HEDDLE_HERE);                                         \
    return real_##name(line, room, delimiter, file);                                 \
  }
HEDDLE_GET_DELIMITED(getdelim)
HEDDLE_GET_DELIMITED(__getdelim)

// libc's header has a body of its own for it.
HEDDLE_SHIM ssize_t heddle_getline(char** line, size_t* room, FILE* file) asm("getline");
ssize_t heddle_getline(char** line, size_t* room, FILE* file) {
  if (made_here(file)) return take_line(file, line, room, '\n', HEDDLE_HERE);
  check_outside("getline", file, HEDDLE_HERE);
  return real_getline(line, room, file);
}

// A scan waits for its first byte only. `listed` is the form with arguments after the format.
#define HEDDLE_SCAN(name, listed)                                                    \
  HEDDLE_SHIM int heddle_##listed(FILE* file, const char* format, ...) asm(#listed); \
  int heddle_##listed(FILE* file, const char* format, ...) {                         \
    if (!made_here(file)) check_outside(#listed, file, HEDDLE_HERE);                 \
    else if (scan(#listed, file, HEDDLE_HERE) == EOF) return EOF;                    \
    va_list arguments;                                                               \
    va_start(arguments, format);                                                     \
    static constinit Real<int(FILE*, const char*, va_list)> real{#name};             \
    const int n = real(file, format, arguments);                                     \
    va_end(arguments);                                                               \
    return n;                                                                        \
  }
HEDDLE_SCAN(vfscanf, fscanf)
HEDDLE_SCAN(__isoc99_vfscanf, __isoc99_fscanf)

HEDDLE_SHIM size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  if (!made_here(file)) return real_fwrite(from, size, count, file);
  return size == 0 ? 0 : put("fwrite", file, from, size * count, HEDDLE_HERE) / size;
}

HEDDLE_SHIM int fputs(const char* text, FILE* file) {
  if (!made_here(file)) return real_fputs(text, file);
  const size_t size = strlen(text);
  return put("fputs", file, text, size, HEDDLE_HERE) == size ? 1 : EOF;
}

#define HEDDLE_PUT_BYTE(name)                                                                  \
  HEDDLE_SHIM int name(int byte, FILE* file) {                                                 \
    if (!made_here(file)) return real_##name(byte, file);                                      \
    const char c = static_cast<char>(byte);                                                    \
    return put(#name, file, &c, 1, HEDDLE_HERE) == 1 ? static_cast<unsigned char>(byte) : EOF; \
  }
HEDDLE_PUT_BYTE(fputc)
HEDDLE_PUT_BYTE(putc)

HEDDLE_SHIM int vfprintf(FILE* file, const char* format, va_list arguments) {
  if (!made_here(file)) return real_vfprintf(file, format, arguments);
  return put_formatted(file, format, arguments, HEDDLE_HERE);
}
HEDDLE_SHIM int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = made_here(file) ? put_formatted(file, format, arguments, HEDDLE_HERE) : real_vfprintf(file, format, arguments);
  va_end(arguments);
  return n;
}

HEDDLE_SHIM int fflush(FILE* file) {
  if (!made_here(file)) return real_fflush(file);
  return flush(file, HEDDLE_HERE) ? 0 : EOF;
}

HEDDLE_SHIM int fclose(FILE* file) {
  if (in_program() && (file == stdin || file == stdout || file == stderr)) note_unrestorable("fclose of a standard stream");
  if (!made_here(file)) return real_fclose(file);
  flush(file, HEDDLE_HERE);
  auto call = [&](int, iovec*, int) -> long {
    Uncontrolled guard;
    return real_fclose(file);
  };
  return static_cast<int>(primitives::descriptor_close(file->_fileno, RawCall(call), HEDDLE_HERE));
}
