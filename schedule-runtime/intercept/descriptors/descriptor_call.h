// Code that the shims of calls on descriptors share.
#pragma once

#include <errno.h>
#include <sys/uio.h>

#include <cstddef>

#include "intercept/library_access.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor.h"

namespace heddle::rt {

// Is this a controlled thread, and a descriptor that the execution has made?
inline bool made_here(int descriptor) {
  return current_thread() != nullptr && primitives::find_description(descriptor) != nullptr;
}

// The same, or it was made here and closed: another thread may open the number before the use has its turn. A use of what was a file is a file
// call (file_call.h).
inline bool used_here(int descriptor) {
  if (made_here(descriptor)) return true;
  const Object* const had_it = current_thread() != nullptr ? primitives::closed_object(descriptor) : nullptr;
  return had_it != nullptr && had_it->family != Family::files;
}

// Converts the kernel's result to libc's. If no controlled thread can end the wait, the call is refused.
long descriptor_answer(const char* call, long result, Place place);
// For a call on an outside descriptor that would wait: the thread waits in the scheduler as long as other threads can run. After that, the
// call is refused.
void wait_outside(const char* call, int descriptor, short events, int flags, Place place);
// A call on an outside descriptor was made. Threads that wait for outside descriptors check again.
inline void outside_changed() {
  if (current_thread() != nullptr) primitives::outside_changed();
}

// The thread reads or writes the first `size` bytes of the parts. For ASan and for the race detector.
void buffers_accessed(const iovec* parts, int count, size_t size, bool write, Place place);
inline void buffer_accessed(const void* buffer, size_t size, bool write, Place place) {
  const iovec part = {const_cast<void*>(buffer), size};
  buffers_accessed(&part, 1, size, write, place);
}

}  // namespace heddle::rt
