#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "base/path.h"
#include "engine/program_exit.h"
#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/file_lock.h"
#include "intercept/descriptors/standard_descriptors_change.h"
#include "intercept/outer_place.h"
#include "intercept/stdio/stream.h"
#include "restore/process_state.h"

using namespace heddle::rt;
using heddle::Kind;
using primitives::RawCall;

HEDDLE_REAL_OR_ASAN(size_t, fwrite, (const void*, size_t, size_t, FILE*));
HEDDLE_REAL_OR_ASAN(int, fflush, (FILE*));
HEDDLE_REAL_OR_ASAN(int, fclose, (FILE*));

namespace {

// Less than libc's buffer. So libc writes at most that buffer, 4096 bytes. A pipe that is ready for writing has room for that.
constexpr size_t kPart = 2048;

bool flush(FILE* file, Place place) {
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

// Would libc keep everything in its buffer?
bool fits(const FILE* file, const char* from, size_t size) {
  constexpr int kLineBuffered = 0x200, kUnbuffered = 2;
  if ((file->_flags & kUnbuffered) != 0 || file->_IO_write_ptr == nullptr) return false;
  if ((file->_flags & kLineBuffered) != 0 && memchr(from, '\n', size) != nullptr) return false;
  return file->_IO_write_ptr < file->_IO_buf_end && size < static_cast<size_t>(file->_IO_buf_end - file->_IO_write_ptr);
}

}  // namespace

size_t heddle::rt::put(const char* name, FILE* file, const void* data, size_t size, Place place) {
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

namespace {

int put_text(const char* name, FILE* file, const char* text, Place place) {
  const size_t size = length(text);
  return put(name, file, text, size, place) == size ? 1 : EOF;
}

int put_byte(const char* name, int byte, FILE* file, Place place) {
  const char c = static_cast<char>(byte);
  return put(name, file, &c, 1, place) == 1 ? static_cast<unsigned char>(byte) : EOF;
}

}  // namespace

// `size`: number of bytes. `here`: for a stream of the execution. `...`: what libc reads for an outside stream.
#define HEDDLE_WRITE(result, name, parameters, arguments, file, size, here, ...) \
  HEDDLE_REAL_OR_ASAN(result, name, parameters);                                 \
  HEDDLE_WRITE_AS(result, name, parameters, arguments, file, size, here, __VA_ARGS__)
#define HEDDLE_WRITE_AS(result, name, parameters, arguments, file, size, with, ...) \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                           \
  result heddle_##name parameters {                                                 \
    const Place here = HEDDLE_HERE;                                                 \
    if (current_thread() != nullptr) stream_written(#name, file, size, here);       \
    if (made_here(file)) return with;                                               \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)                          \
    return real_##name arguments;                                                   \
  }

#define HEDDLE_WRITE_ITEMS(name)                                                                                                          \
  HEDDLE_WRITE_AS(size_t, name, (const void* from, size_t size, size_t count, FILE* file), (from, size, count, file), file, size * count, \
                  size == 0 ? 0 : put(#name, file, from, size * count, here) / size, reads(from, HEDDLE_BYTES(size * count)))
HEDDLE_WRITE_ITEMS(fwrite)
HEDDLE_REAL_OR_ASAN(size_t, fwrite_unlocked, (const void*, size_t, size_t, FILE*));
HEDDLE_WRITE_ITEMS(fwrite_unlocked)

#define HEDDLE_WRITE_TEXT(name)                                                                                                                      \
  HEDDLE_WRITE(int, name, (const char* text, FILE* file), (text, file), file, text != nullptr ? length(text) : 0, put_text(#name, file, text, here), \
               reads.text(text))
HEDDLE_WRITE_TEXT(fputs)
HEDDLE_WRITE_TEXT(fputs_unlocked)
HEDDLE_WRITE(int, puts, (const char* text), (text), stdout, 1,
             put_text("puts", stdout, text, here) == EOF || put("puts", stdout, "\n", 1, here) != 1 ? EOF : 1,
             reads.text(text))

#define HEDDLE_WRITE_BYTE(name) \
  HEDDLE_WRITE(int, name, (int byte, FILE* file), (byte, file), file, 1, put_byte(#name, byte, file, here), )
HEDDLE_WRITE_BYTE(fputc)
HEDDLE_WRITE_BYTE(putc)
HEDDLE_WRITE(int, putw, (int word, FILE* file), (word, file), file, sizeof word, put("putw", file, &word, sizeof word, here) == sizeof word ? 0 : EOF, )

namespace {

int flush_any(FILE* file, Place place) {
  stream_flushed("fflush", file, place);
  if (!made_here(file)) return real_fflush(file);
  return flush(file, place) ? 0 : EOF;
}

}  // namespace

HEDDLE_SHIM int fflush(FILE* file) { return flush_any(file, HEDDLE_HERE); }
HEDDLE_SHIM int fflush_unlocked(FILE* file) { return flush_any(file, HEDDLE_HERE); }

namespace {

// libFuzzer closes the file that it has saved and ignores the result. On a full disk, it says that an input was written even though it was
// not.
void tell_of_lost_output(FILE* file) {
  static constinit bool told = false;
  if (told || ((pending(file) == 0 || real_fflush(file) == 0) && !ferror_unlocked(file))) return;
  told = true;
  const int error = errno;
  char room[256];
  std::string_view path = path_of_number(file->_fileno, room);
  if (path.empty()) path = "a file";
  print_line(2, "heddle: note: not all of %.*s could be written: %s\n", static_cast<int>(path.size()), path.data(), strerrordesc_np(error));
  errno = error;
}

}  // namespace

HEDDLE_SHIM int fclose(FILE* file) {
  const Place here = HEDDLE_HERE;
  if (file != nullptr && current_thread() == nullptr) tell_of_lost_output(file);
  if (in_program() && is_standard_stream(file)) note_unrestorable("fclose of a standard stream");
  if (file != nullptr) stream_flushed("fclose", file, here);
  const OuterPlace outer(here.pc);  // libc frees the stream
  if (file != nullptr) {
    number_closes(file->_fileno, here);
    standard_descriptors_change(static_cast<unsigned>(file->_fileno), static_cast<unsigned>(file->_fileno));
  }
  if (!made_here(file)) {
    if (file != nullptr && in_company()) primitives::file_number_closes(file->_fileno, here);
    return real_fclose(file);
  }
  flush(file, here);
  auto call = [&](int, iovec*, int) -> long {
    Uncontrolled guard;
    return real_fclose(file);
  };
  return static_cast<int>(primitives::descriptor_close(file->_fileno, RawCall(call), here));
}
