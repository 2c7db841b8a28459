// Names of files that mean another file in an execution. The number that getpid() gives a whole program is no process's: a name below /proc that it is
// part of says /proc/self instead. And the devices for random bytes are files of the schedule's.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdint>
#include <string_view>

#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/process_state.h"
#include "engine/program_exit.h"
#include "intercept/file_call.h"
#include "intercept/file_lock_shim.h"
#include "intercept/random_file.h"
#include "intercept/stdio_stream.h"
#include "intercept/word_shim.h"

using namespace heddle::rt;
using heddle::Kind;

namespace {

class OwnPath {
 public:
  OwnPath(Word path, bool opens) : word_(path) {
    if (path == 0) return;
    const std::string_view name(reinterpret_cast<const char*>(path));
    if (opens && current_thread() != nullptr && is_random_device(name)) be_random_file();
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
    if (name.substr(0, kProgramProcessPath.size()) != kProgramProcessPath) return;
    const std::string_view rest = name.substr(kProgramProcessPath.size());
    if (!rest.empty() && rest[0] != '/') return;
    if (snprintf(own_, sizeof own_, "/proc/self%s", rest.data()) < PATH_MAX) word_ = reinterpret_cast<Word>(own_);
  }

  Word word_;
  int random_file_ = -1;  // open until its name has been
  char own_[PATH_MAX];
};

void path_read(Word path, Place place) {
  const auto* const name = reinterpret_cast<const char*>(path);
  if (name != nullptr && asked_by_program(place)) LibraryAccesses(false, place).text(name);
}

// How the call opens it.
Kind opening(Word flags) { return (flags & (O_CREAT | O_TRUNC)) != 0 ? Kind::file_write : Kind::file_read; }
Kind opening_stream(Word mode) { return mode != 0 && *reinterpret_cast<const char*>(mode) != 'r' ? Kind::file_write : Kind::file_read; }

// A stream that is closed first.
Kind reopening(Word stream, Word mode, Place place) {
  FILE* const file = reinterpret_cast<FILE*>(stream);
  if (in_program() && is_standard_stream(file)) note_unrestorable("freopen of a standard stream");
  if (file != nullptr) stream_flushed(file, place), number_closes(file->_fileno, place);
  return opening_stream(mode);
}

void written(Word to, ssize_t size, Place place) {
  if (size > 0 && asked_by_program(place)) LibraryAccesses(true, place)(reinterpret_cast<const void*>(to), HEDDLE_BYTES(size));
}

}  // namespace

// `path` is one of the words a and b; last, what has been written once there is the answer.
#define HEDDLE_PATH_CALL_THEN(name, path, opens, kind, ...)                                                 \
  HEDDLE_WORD_SHIM_THEN(name, __VA_ARGS__, path_read(path, HEDDLE_HERE); const OwnPath own(path, opens);    \
                        path = own.word(); file_call(kind, HEDDLE_HERE))
#define HEDDLE_PATH_CALL(name, path, kind) HEDDLE_PATH_CALL_THEN(name, path, false, kind, )
#define HEDDLE_OPEN_CALL(name, path, kind) HEDDLE_PATH_CALL_THEN(name, path, true, kind, )

HEDDLE_OPEN_CALL(open, a, opening(b))
HEDDLE_OPEN_CALL(open64, a, opening(b))
HEDDLE_OPEN_CALL(__open_2, a, opening(b))
HEDDLE_OPEN_CALL(__open64_2, a, opening(b))
HEDDLE_OPEN_CALL(openat, b, opening(c))
HEDDLE_OPEN_CALL(openat64, b, opening(c))
HEDDLE_OPEN_CALL(fopen, a, opening_stream(b))
HEDDLE_OPEN_CALL(fopen64, a, opening_stream(b))
HEDDLE_OPEN_CALL(freopen, a, reopening(c, b, HEDDLE_HERE))
HEDDLE_OPEN_CALL(freopen64, a, reopening(c, b, HEDDLE_HERE))
HEDDLE_PATH_CALL(opendir, a, Kind::file_read)
HEDDLE_PATH_CALL(access, a, Kind::file_read)
HEDDLE_PATH_CALL_THEN(readlink, a, false, Kind::file_read, written(b, static_cast<ssize_t>(answer), HEDDLE_HERE))
HEDDLE_PATH_CALL_THEN(stat, a, false, Kind::file_read, if (static_cast<int>(answer) == 0) written(b, sizeof(struct stat), HEDDLE_HERE))
HEDDLE_PATH_CALL_THEN(stat64, a, false, Kind::file_read, if (static_cast<int>(answer) == 0) written(b, sizeof(struct stat64), HEDDLE_HERE))
