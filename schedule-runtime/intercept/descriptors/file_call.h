// In front of the calls that look at files or change them (primitives/file_operation.h).
#pragma once

#include "intercept/library_access.h"
#include "primitives/file_operation.h"

namespace heddle::rt {

// Libraries' calls count as well: std::filesystem and the streams are libraries. A thread that is alone has nobody to choose.
inline bool in_company() {
  const Thread* const t = current_thread();
  return t != nullptr && t->gate != nullptr && !t->alone;
}
inline void file_call(Kind kind, Place place, const Commit& how = {}) {
  if (kind == Kind::file_write && current_thread() != nullptr) engine().changes_files();
  if (in_company()) primitives::file_operation(kind, place, how);
}

// On a descriptor that the execution has not made as a pipe or its like. What goes to the standard streams is seen by nobody in here.
inline void file_call(Kind kind, int descriptor, Place place, const Commit& how = {}) {
  if (descriptor > 2) file_call(kind, place, how);
}

}  // namespace heddle::rt

// As HEDDLE_LIBRARY_FUNCTION, for a call of that kind.
#define HEDDLE_FILE_FUNCTION(kind, result, name, parameters, arguments, ...)                                                         \
  HEDDLE_LIBRARY_FUNCTION_AFTER(result, name, parameters, arguments, HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)          \
                                ::heddle::rt::file_call(::heddle::Kind::kind, here);)
