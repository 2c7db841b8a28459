// stdio on descriptors that the execution has made. libc's own reads and writes are inside it, where no shim stands: so whoever would find its
// buffer empty, or full, waits in the scheduler first, and what libc then does never waits.
//
// Reading goes byte by byte through libc's buffer; writing in parts that are one write of libc's at most.
#pragma once

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "intercept/descriptor_shim.h"
#include "intercept/library_access.h"

namespace heddle::rt {

inline bool made_here(FILE* file) { return file != nullptr && made_here(file->_fileno); }

// libc's work, once it cannot wait any more, as an operation.
template <typename Work>
void when_ready(const char* name, Kind kind, FILE* file, const Place& place, Work work) {
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

// Writes to a stream made here; how much has been written.
size_t put(const char* name, FILE* file, const void* data, size_t size, const Place& place);

}  // namespace heddle::rt
