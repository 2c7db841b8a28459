// The number that getpid() gives a whole program is no process's: a name of a file below /proc that it is part of says /proc/self instead.
#include <limits.h>
#include <stdio.h>

#include <cstdint>
#include <string_view>

#include "engine/program_exit.h"
#include "intercept/real.h"

using namespace heddle::rt;

namespace {

using Word = uintptr_t;
using Function = Word(Word, Word, Word, Word, Word, Word);

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

}  // namespace

// `path` is one of the words a and b. All of them take at most six words and give one back; the C++ names differ from the exported ones, as
// libc's declarations have other types.
#define HEDDLE_PATH_CALL(name, path)                                                              \
  extern "C" __attribute__((weak)) Function heddle_asan_path_##name asm("___interceptor_" #name); \
  HEDDLE_SHIM Word heddle_path_##name(Word, Word, Word, Word, Word, Word) asm(#name);             \
  Word heddle_path_##name(Word a, Word b, Word c, Word d, Word e, Word f) {                       \
    const ProcessPath own(path);                                                                  \
    path = own.word();                                                                            \
    if (&heddle_asan_path_##name != nullptr) return heddle_asan_path_##name(a, b, c, d, e, f);    \
    static constinit Real<Function> real{#name};                                                  \
    return real(a, b, c, d, e, f);                                                                \
  }

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
