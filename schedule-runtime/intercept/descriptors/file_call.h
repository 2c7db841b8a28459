// Called before calls that read or change files (primitives/file_operation.h).
#pragma once

#include <cerrno>
#include <type_traits>

#include "intercept/library_access.h"
#include "primitives/file_operation.h"
#include "races/race_detector.h"

namespace heddle::rt {

// Libraries' calls count, too, because std::filesystem and streams are libraries. A thread that is alone needs no choice point.
inline bool in_company() {
  const Thread* const t = current_thread();
  return t != nullptr && t->gate != nullptr && !t->alone;
}

// For reports: the call's name, if it says more than the kind of the operation, and which file it names. All may be unknown.
struct NamedFile {
  const char* call = nullptr;
  const char* named = nullptr;
  const char* other = nullptr;  // rename, link
  int number = -1;
};
void note_file(uint32_t event, const NamedFile& file);
void note_file_error(int error);
void note_opened_number(int number);

inline void file_call(Kind kind, const NamedFile& file, Place place, const Commit& how = {}) {
  if (kind == Kind::file_write && current_thread() != nullptr) engine().changes_files();
  if (!in_company()) return;
  const uint32_t event = primitives::file_operation(kind, place, how);
  if (race_detector_watches() && event != kNoEvent) note_file(event, file);
}

// By the call's answer.
template <typename Answer>
bool has_failed(Answer answer) {
  if constexpr (std::is_pointer_v<Answer>) return answer == nullptr;
  else return answer < 0;
}

// How the call that was just noted has ended. Returns its answer.
template <typename Answer>
Answer file_answer(Answer answer) {
  if (has_failed(answer) && race_detector_watches()) note_file_error(errno);
  return answer;
}

// The same of a call that has opened a file.
inline void file_opened(int number) {
  if (number >= 0 && in_company() && race_detector_watches()) note_opened_number(number);
}

// The call names a file by this number.
inline void file_number_use(int descriptor, Place place) {
  const Thread* const t = current_thread();
  if (t != nullptr && t->gate != nullptr) primitives::file_number_use(descriptor, place);
}

// For a descriptor that is a file of the program. Descriptors 0 to 2 are left out: no thread of the execution sees what is written there.
inline void file_call(Kind kind, int descriptor, Place place, const Commit& how = {}, const char* name = nullptr) {
  if (descriptor <= 2) return;
  file_number_use(descriptor, place);
  file_call(kind, {.call = name, .number = descriptor}, place, how);
}

// The number may be another thread's by the time it is closed: it is closed a second time, and a file was opened meanwhile. To open one is a
// file call, too. Files themselves do not change.
inline void file_closes(int descriptor, Place place) {
  if (descriptor <= 2 || !in_company()) return;
  const uint32_t event = primitives::file_close(descriptor, place);
  if (race_detector_watches() && event != kNoEvent) note_file(event, {.number = descriptor});
}

}  // namespace heddle::rt

// Like HEDDLE_LIBRARY_FUNCTION, for a file call of that kind. `file`: a NamedFile without the call, in parentheses.
#define HEDDLE_FILE_FUNCTION(kind, result, name, parameters, arguments, file, ...) \
  HEDDLE_FILE_FUNCTION_AROUND(kind, result, name, parameters, arguments, file, , , __VA_ARGS__)
// `before`, `after`: statements immediately around the call. The latter can use its `answer`.
#define HEDDLE_FILE_FUNCTION_AROUND(kind, result, name, parameters, arguments, file, before, after, ...) \
  HEDDLE_LIBRARY_NEXT(result, name, parameters)                                                  \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                                        \
  result heddle_##name parameters {                                                              \
    const ::heddle::rt::Place here = HEDDLE_HERE;                                                \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, __VA_ARGS__)                                       \
    ::heddle::rt::file_call(::heddle::Kind::kind, {.call = #name, HEDDLE_UNPACKED file}, here); \
    before;                                                                                      \
    const result answer = ::heddle::rt::file_answer(next_##name arguments);                      \
    after;                                                                                       \
    return answer;                                                                               \
  }
#define HEDDLE_UNPACKED(...) __VA_ARGS__
