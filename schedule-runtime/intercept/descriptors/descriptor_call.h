// What the shims of calls on descriptors share.
#pragma once

#include <errno.h>
#include <sys/uio.h>

#include <cstddef>

#include "intercept/library_access.h"
#include "primitives/descriptor.h"

namespace heddle::rt {

// On a controlled thread, and a descriptor that the execution has made?
inline bool made_here(int descriptor) {
  return current_thread() != nullptr && primitives::find_description(descriptor) != nullptr;
}

// The kernel's answer as libc gives it; a wait that nobody under control can end is refused.
long descriptor_answer(const char* call, long result, Place place);
// A call on a descriptor of outside: if it would wait, the thread waits in the scheduler for as long as others can do anything; then it is refused.
void wait_outside(const char* call, int descriptor, short events, int flags, Place place);
// Such a call has been made: those who wait for descriptors of outside look again.
inline void outside_changed() {
  if (current_thread() != nullptr) primitives::outside_changed();
}

// The first `size` bytes of the parts are read, or written, by the thread: for ASan and for the race detector.
void buffers_accessed(const iovec* parts, int count, size_t size, bool write, Place place);
inline void buffer_accessed(const void* buffer, size_t size, bool write, Place place) {
  const iovec part = {const_cast<void*>(buffer), size};
  buffers_accessed(&part, 1, size, write, place);
}

}  // namespace heddle::rt
