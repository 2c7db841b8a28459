// Called before calls that read or change files (primitives/file_operation.h).
#pragma once

#include "intercept/library_access.h"
#include "primitives/file_operation.h"

namespace heddle::rt {

// Libraries' calls count, too, because std::filesystem and streams are libraries. A thread that is alone needs no choice point.
inline bool in_company() {
  const Thread* const t = current_thread();
  return t != nullptr && t->gate != nullptr && !t->alone;
}
inline void file_call(Kind kind, Place place, const Commit& how = {}) {
  if (kind == Kind::file_write && current_thread() != nullptr) engine().changes_files();
  if (in_company()) primitives::file_operation(kind, place, how);
}

// The call names a file by this number.
inline void file_number_use(int descriptor, Place place) {
  const Thread* const t = current_thread();
  if (t != nullptr && t->gate != nullptr) primitives::file_number_use(descriptor, place);
}

// For a descriptor that is a file of the program. Descriptors 0 to 2 are left out: no thread of the execution sees what is written there.
inline void file_call(Kind kind, int descriptor, Place place, const Commit& how = {}) {
  if (descriptor <= 2) return;
  file_number_use(descriptor, place);
  file_call(kind, place, how);
}

// The number may be another thread's by the time it is closed: it is closed a second time, and a file was opened meanwhile. To open one is a
// file call, too. Files themselves do not change.
inline void file_closes(int descriptor, Place place) {
  if (descriptor > 2 && in_company()) primitives::file_close(descriptor, place);
}

}  // namespace heddle::rt

// Like HEDDLE_LIBRARY_FUNCTION, for a file call of that kind.
#define HEDDLE_FILE_FUNCTION(kind, result, name, parameters, arguments, ...)                                                         \
  HEDDLE_LIBRARY_FUNCTION_AFTER(result, name, parameters, arguments, HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)          \
                                ::heddle::rt::file_call(::heddle::Kind::kind, here);)
