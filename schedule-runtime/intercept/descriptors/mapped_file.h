// A file that the program has mapped (MAP_SHARED) is also memory of its threads. So a call that writes the file writes that memory, and a
// call that reads the file reads it.
#pragma once

#include "heap/shared_views.h"
#include "intercept/library_access.h"

namespace heddle::rt {

inline constexpr int64_t kWhereItStands = -1;

void mapped_file_accessed(int descriptor, int64_t at, uint64_t size, bool write, Place place);

// Called directly before the call, after its choice point. `at` is the offset in the file, or kWhereItStands.
inline void file_accessed(int descriptor, int64_t at, uint64_t size, bool write, Place place) {
  if (!shared_views().empty() && asked_in_company(place) && !current_thread()->alone) mapped_file_accessed(descriptor, at, size, write, place);
}

}  // namespace heddle::rt
