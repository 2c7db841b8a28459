// stdio. There is a choice point before each call on a stream that several threads use, and before each call that reaches the file behind it.
//
// For descriptors that the execution made, libc reads and writes inside libc, where no shim sees it. So a thread that would find the buffer
// empty or full waits in the scheduler first. After that, libc's call does not wait.
//
// Reads go byte by byte through libc's buffer. Writes are split into parts, so that each needs at most one write of libc.
#pragma once

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "intercept/descriptors/descriptor_call.h"
#include "intercept/library_access.h"

namespace heddle::rt {

inline bool made_here(FILE* file) { return file != nullptr && made_here(file->_fileno); }

// Runs libc's work as an operation, when it can no longer wait.
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

// What the stream has not written yet. For a wide stream, characters that are not converted to bytes yet are unknown.
size_t pending(const FILE* file);

// Called by the shims before libc's work: other threads may go first (primitives/stream.h). For a null stream, nothing happens. `name`: the
// shim's, for reports.
//
// Reads `size` bytes, or up to the delimiter (EOF: no delimiter).
void stream_read(const char* name, FILE* file, size_t size, int delimiter, Place place);
void stream_written(const char* name, FILE* file, size_t size, Place place);
void stream_printed(const char* name, FILE* file, const char* format, va_list arguments, Place place);
void stream_moved(const char* name, FILE* file, Place place);    // to another position
void stream_changed(const char* name, FILE* file, Place place);  // without its file
void stream_asked(const char* name, FILE* file, Place place);    // where it stands
void stream_flushed(const char* name, FILE* file, Place place);  // or closed. Null: all of them are

// Writes to a stream of the execution. Returns how much was written.
size_t put(const char* name, FILE* file, const void* data, size_t size, Place place);

}  // namespace heddle::rt
