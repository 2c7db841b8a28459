#include "intercept/stdio/stream.h"

#include <string.h>

#include "intercept/descriptors/file_call.h"
#include "primitives/stream.h"

namespace heddle::rt {
namespace {

constexpr int kUnbuffered = 0x2, kLineBuffered = 0x200;
constexpr size_t kUsualBuffer = 4096;

bool keeps_nothing(const FILE* file) { return (file->_flags & (kUnbuffered | kLineBuffered)) != 0; }

// The buffer of a wide stream is private to libc. So each call on it counts as an access to the file.
bool wide(const FILE* file) { return file->_mode > 0; }

// The stream's position, as far as it is known without a system call.
uint32_t standing(const FILE* file) {
  const auto offset = [file](const char* at) { return static_cast<uint64_t>(at - file->_IO_buf_base); };
  uint64_t h = static_cast<uint64_t>(file->_offset);
  for (const char* at : {file->_IO_read_ptr, file->_IO_read_end, file->_IO_write_ptr}) h = mix(h, offset(at));
  return static_cast<uint32_t>(h);
}

// No thread of the execution sees what is written to the standard streams.
bool for_outside(const FILE* file) { return file->_fileno == 1 || file->_fileno == 2; }

// `file_too`: what libc is about to do with the file behind the stream, if anything.
void call(const char* name, FILE* file, Kind kind, Kind file_too, Place place) {
  if (for_outside(file)) return primitives::stream_waits(file, place);
  const int number = made_here(file) ? -1 : file->_fileno;
  if (file_too != Kind::none && number >= 0) {
    file_call(file_too, number, place, {.value = standing(file), .news = file_too == Kind::file_write}, name);
  }
  const uint32_t event = primitives::stream_call(file, kind, standing(file), place);
  if (race_detector_watches() && event != kNoEvent) note_file(event, {.call = name, .number = number});  // the stream may be closed by now
}

bool concerns_others(const FILE* file) { return file != nullptr && in_company(); }

Kind written_back(const FILE* file) { return pending(file) != 0 || wide(file) ? Kind::file_write : Kind::none; }

bool has_input(const FILE* file, size_t size, int delimiter) {
  const auto left = static_cast<size_t>(file->_IO_read_end - file->_IO_read_ptr);
  return size <= left || (delimiter != EOF && left != 0 && memchr(file->_IO_read_ptr, delimiter, left) != nullptr);
}

}  // namespace

size_t pending(const FILE* file) {
  return file->_IO_write_ptr > file->_IO_write_base ? static_cast<size_t>(file->_IO_write_ptr - file->_IO_write_base) : 0;
}

void stream_read(const char* name, FILE* file, size_t size, int delimiter, Place place) {
  if (!concerns_others(file)) return;
  const bool from_file = wide(file) || !has_input(file, size, delimiter);
  call(name, file, Kind::file_write, pending(file) != 0 ? Kind::file_write : from_file ? Kind::file_read : Kind::none, place);
}

void stream_written(const char* name, FILE* file, size_t size, Place place) {
  if (!concerns_others(file)) return;
  const char* const end = file->_IO_buf_end;
  const char* const from = pending(file) != 0 ? file->_IO_write_ptr : file->_IO_buf_base;
  const size_t room = end != nullptr ? static_cast<size_t>(end - from) : kUsualBuffer;
  const bool to_file = wide(file) || keeps_nothing(file) || size > room;
  call(name, file, Kind::file_write, to_file ? Kind::file_write : Kind::none, place);
}

void stream_printed(const char* name, FILE* file, const char* format, va_list arguments, Place place) {
  if (!concerns_others(file)) return;
  int size = 0;
  if (!for_outside(file) && !keeps_nothing(file)) {
    va_list again;
    va_copy(again, arguments);
    size = vsnprintf(nullptr, 0, format, again);
    va_end(again);
  }
  stream_written(name, file, size > 0 ? static_cast<size_t>(size) : 0, place);
}

void stream_moved(const char* name, FILE* file, Place place) {
  if (!concerns_others(file)) return;
  const Kind back = written_back(file);
  call(name, file, Kind::file_write, back != Kind::none ? back : Kind::file_read, place);
}

void stream_changed(const char* name, FILE* file, Place place) {
  if (concerns_others(file)) call(name, file, Kind::file_write, Kind::none, place);
}

void stream_asked(const char* name, FILE* file, Place place) {
  if (concerns_others(file)) call(name, file, Kind::file_read, Kind::none, place);
}

void stream_flushed(const char* name, FILE* file, Place place) {
  if (concerns_others(file)) call(name, file, Kind::file_write, written_back(file), place);
  else if (file == nullptr) file_call(Kind::file_write, {.call = name}, place, {.news = true});
}

}  // namespace heddle::rt
