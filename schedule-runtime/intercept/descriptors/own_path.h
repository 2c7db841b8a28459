// File names that refer to another file in an execution. The result of getpid() in a whole program is no real process. So in a name below
// /proc, that number is replaced by /proc/self. And the devices for random bytes become files with bytes of the schedule.
#pragma once

#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>

#include <string_view>

#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/initialisation.h"
#include "engine/program_exit.h"
#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/new_files.h"
#include "intercept/descriptors/random_file.h"
#include "intercept/word_call.h"
#include "restore/process_state.h"

namespace heddle::rt {

class OwnPath {
 public:
  OwnPath(Word path, bool opens) : word_(path) {
    if (path == 0) return;
    const std::string_view name(reinterpret_cast<const char*>(path));
    if (opens && !is_foreign() && is_random_device(name)) be_random_file();
    if (in_program()) be_of_this_process(name);
  }
  ~OwnPath() {
    if (random_file_ >= 0) raw_syscall(SYS_close, static_cast<uintptr_t>(random_file_));
  }
  OwnPath(const OwnPath&) = delete;
  OwnPath& operator=(const OwnPath&) = delete;
  Word word() const { return word_; }

 private:
  void be_random_file() {
    random_file_ = make_random_file();
    if (random_file_ < 0) return;
    snprintf(own_, sizeof own_, "/proc/self/fd/%d", random_file_);
    word_ = reinterpret_cast<Word>(own_);
  }
  void be_of_this_process(std::string_view name) {
    char process[32];
    const auto size = static_cast<size_t>(snprintf(process, sizeof process, "/proc/%d", program_process().number));
    if (name.substr(0, size) != std::string_view(process, size)) return;
    const std::string_view rest = name.substr(size);
    if (!rest.empty() && rest[0] != '/') return;
    if (snprintf(own_, sizeof own_, "/proc/self%s", rest.data()) < PATH_MAX) word_ = reinterpret_cast<Word>(own_);
  }

  Word word_;
  int random_file_ = -1;  // open until its name has been
  char own_[PATH_MAX];
};

inline void path_read(Word path, Place place) {
  const auto* const name = reinterpret_cast<const char*>(path);
  if (name != nullptr && asked_by_program(place)) LibraryAccesses(false, place).text(name);
}

}  // namespace heddle::rt

// `path` is the argument a or b. `type` is that of the call's result. `before`: a statement immediately before the call. The last parameter: what
// happens after it, known from its `answer`.
#define HEDDLE_PATH_CALL_AROUND(type, name, path, opens, kind, before, ...)                                                             \
  HEDDLE_WORD_SHIM_THEN(name, static_cast<void>(::heddle::rt::file_answer(type(answer))); __VA_ARGS__,                                  \
                        ::heddle::rt::path_read(path, HEDDLE_HERE); const auto* const program_path = reinterpret_cast<const char*>(path); \
                        const ::heddle::rt::OwnPath own(path, opens); path = own.word();                                                \
                        ::heddle::rt::file_call(kind, {.call = #name, .named = program_path}, HEDDLE_HERE); before)
#define HEDDLE_PATH_CALL_THEN(type, name, path, opens, kind, ...) HEDDLE_PATH_CALL_AROUND(type, name, path, opens, kind, , __VA_ARGS__)
#define HEDDLE_PATH_CALL(type, name, path, kind) HEDDLE_PATH_CALL_THEN(type, name, path, false, kind, )
// `at`: the directory of a relative path. `creates`: whether the call may create the file.
#define HEDDLE_OPEN_CALL(type, name, at, path, kind, creates, ...)                                                                  \
  HEDDLE_PATH_CALL_AROUND(type, name, path, true, kind,                                                                             \
                          ::heddle::rt::NewFile made(static_cast<int>(at), (creates) ? program_path : nullptr),                     \
                          if (!::heddle::rt::has_failed(type(answer))) made.made(); __VA_ARGS__)
