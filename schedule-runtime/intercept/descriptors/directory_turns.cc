#include "intercept/descriptors/directory_turns.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>

#include <cerrno>

#include "base/high_copy.h"
#include "base/raw_syscall.h"
#include "restore/process_state.h"

namespace heddle::rt {
namespace {

// Numbers of open directories, plus 1. Those that an execution has opened are closed at its end.
constinit int g_open[Directories::kMost] = {}, g_open_in_execution[Directories::kMost] = {};
constinit bool g_given_up[Directories::kMost] = {};

int open_directory(const char* name) {
  const long number = move_high(raw_syscall(SYS_openat, word(AT_FDCWD), word(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return number < 0 ? 0 : static_cast<int>(number) + 1;
}

void lock(uint32_t index, int number) {
  // Another process has it for most of the time: only a short pause finds the moment between two of its executions.
  constexpr timespec kPause = {0, 20'000};
  constexpr int kTries = 20'000;  // some two seconds
  int tries = 0;
  while (!g_given_up[index] && raw_syscall(SYS_flock, word(number), LOCK_EX | LOCK_NB) == -EWOULDBLOCK) {
    raw_syscall(SYS_nanosleep, reinterpret_cast<uintptr_t>(&kPause), 0);
    g_given_up[index] = ++tries == kTries;
  }
}

}  // namespace

bool add_directory(Directories& directories, std::string_view name) {
  for (uint32_t i = 0; i < directories.count; ++i) {
    if (name == directories.names[i]) return false;
  }
  if (directories.count == Directories::kMost || name.size() >= Directories::kLongest) return false;
  memcpy(directories.names[directories.count], name.data(), name.size());
  directories.names[directories.count][name.size()] = 0;
  const uint32_t index = directories.count++;
  const int open = g_open_in_execution[index] = open_directory(directories.names[index]);
  if (open != 0) lock(index, open - 1);
  return true;
}

void lock_directories(const Directories& directories) {
  for (uint32_t i = 0; i < directories.count; ++i) {
    if (g_open[i] == 0) {
      g_open[i] = open_directory(directories.names[i]);
      keep_high_descriptors();
    }
    if (g_open[i] != 0) lock(i, g_open[i] - 1);
  }
}

void unlock_directories() {
  for (uint32_t i = 0; i < Directories::kMost; ++i) {
    if (g_open[i] != 0) raw_syscall(SYS_flock, word(g_open[i] - 1), LOCK_UN);
    if (g_open_in_execution[i] != 0) raw_syscall(SYS_close, word(g_open_in_execution[i] - 1));
    g_open_in_execution[i] = 0;
  }
}

}  // namespace heddle::rt
