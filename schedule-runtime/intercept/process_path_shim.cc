// The number that getpid() gives a whole program is no process's: a name of a file below /proc that it is part of says /proc/self instead.
#include <limits.h>
#include <stdio.h>

#include <cstdint>
#include <string_view>

#include "engine/program_exit.h"
#include "intercept/library_access.h"
#include "intercept/word_shim.h"

using namespace heddle::rt;

namespace {

class ProcessPath {
 public:
  explicit ProcessPath(Word path) : word_(path) {
    if (path == 0 || !in_program()) return;
    const std::string_view name(reinterpret_cast<const char*>(path));
    if (name.substr(0, kProgramProcessPath.size()) != kProgramProcessPath) return;
    const std::string_view rest = name.substr(kProgramProcessPath.size());
    if (!rest.empty() && rest[0] != '/') return;
    if (snprintf(own_, sizeof own_, "/proc/self%s", rest.data()) < PATH_MAX) word_ = reinterpret_cast<Word>(own_);
  }
  Word word() const { return word_; }

 private:
  Word word_;
  char own_[PATH_MAX];
};

void path_read(Word path, const Place& place) {
  const auto* const name = reinterpret_cast<const char*>(path);
  if (name != nullptr && asked_by_program(place)) library_accesses(name, HEDDLE_BYTES(length(name) + 1), false, place);
}

}  // namespace

// `path` is one of the words a and b.
#define HEDDLE_PATH_CALL(name, path) HEDDLE_WORD_SHIM(name, path_read(path, HEDDLE_HERE); const ProcessPath own(path); path = own.word())

HEDDLE_PATH_CALL(open, a)
HEDDLE_PATH_CALL(open64, a)
HEDDLE_PATH_CALL(__open_2, a)
HEDDLE_PATH_CALL(__open64_2, a)
HEDDLE_PATH_CALL(openat, b)
HEDDLE_PATH_CALL(openat64, b)
HEDDLE_PATH_CALL(fopen, a)
HEDDLE_PATH_CALL(fopen64, a)
HEDDLE_PATH_CALL(opendir, a)
HEDDLE_PATH_CALL(readlink, a)
HEDDLE_PATH_CALL(access, a)
HEDDLE_PATH_CALL(stat, a)
HEDDLE_PATH_CALL(stat64, a)
