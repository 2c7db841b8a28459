// stdio. There is a choice point before each call on a stream that several threads use, and before each call that reaches the file behind it.
//
// For descriptors that the execution made, libc's own reads and writes happen inside libc, where no shim sees them. So a thread that would find
// the buffer empty, or full, waits in the scheduler first. The call of libc then never waits.
//
// Reading goes byte by byte through libc's buffer. Writing is split into parts that are at most one write of libc each.
#pragma once

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "intercept/descriptors/descriptor_call.h"
#include "intercept/library_access.h"

namespace heddle::rt {

inline bool made_here(FILE* file) { return file != nullptr && made_here(file->_fileno); }

// libc's work, once it cannot wait any more, as an operation.
template <typename Work>
void when_ready(const char* name, Kind kind, FILE* file, Place place, Work work) {
  const primitives::Description* const d = primitives::find_description(file->_fileno);
  const bool waits = d != nullptr && !d->nonblocking;
  auto call = [&](int real, iovec*, int) -> long {
    pollfd one = {real, static_cast<short>(kind == Kind::descriptor_read ? POLLIN : POLLOUT), 0};
    if (waits && primitives::raw_poll(&one, 1) == 0) return -EAGAIN;
    Uncontrolled guard;
    return work();
  };
  const long result = primitives::transfer({.kind = kind, .descriptor = file->_fileno, .call = primitives::RawCall(call)}, place);
  if (result == primitives::kWaitsOutside) descriptor_answer(name, result, place);
}

// What the stream has not written yet; of a wide one, what it has not even turned into bytes is not known.
size_t pending(const FILE* file);

// Said by the shims before libc's work: others may go first (primitives/stream.h). Nothing of a null stream.
//
// So many bytes are read, or those up to the delimiter (EOF: there is none).
void stream_read(FILE* file, size_t size, int delimiter, Place place);
void stream_written(FILE* file, size_t size, Place place);
void stream_printed(FILE* file, const char* format, va_list arguments, Place place);
void stream_moved(FILE* file, Place place);    // to another position
void stream_changed(FILE* file, Place place);  // without its file
void stream_asked(FILE* file, Place place);    // where it stands
void stream_flushed(FILE* file, Place place);  // or closed. Null: all of them are

// Writes to a stream made here; how much has been written.
size_t put(const char* name, FILE* file, const void* data, size_t size, Place place);

}  // namespace heddle::rt
