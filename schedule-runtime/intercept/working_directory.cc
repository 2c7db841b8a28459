#include "intercept/working_directory.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/touched_state.h"
#include "intercept/real.h"

using namespace heddle::rt;

HEDDLE_REAL(chdir);
HEDDLE_REAL(fchdir);

namespace {

constexpr int kNone = -1;
constexpr uintptr_t kHighNumber = 200;  // not among those that an execution gets
constinit int g_initial = kNone;        // kNone: there still

void put_back() {
  if (raw_syscall(SYS_fchdir, word(g_initial)) != 0) print_line(2, "heddle: warning: there is no way back to the working directory of the start\n");
  raw_syscall(SYS_close, word(g_initial));
  g_initial = kNone;
}
constinit TouchedState g_touched{put_back};

void leave() {
  if (current_thread() == nullptr || !g_touched.touch()) return;
  const long here = raw_syscall(SYS_openat, word(AT_FDCWD), word("."), O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_initial = static_cast<int>(raw_syscall(SYS_fcntl, static_cast<uintptr_t>(here), F_DUPFD_CLOEXEC, kHighNumber));
  raw_syscall(SYS_close, static_cast<uintptr_t>(here));
}

}  // namespace

void heddle::rt::return_to_initial_directory() {
  if (g_initial >= 0) raw_syscall(SYS_fchdir, word(g_initial));
}

HEDDLE_SHIM int chdir(const char* path) noexcept {
  leave();
  return real_chdir(path);
}

HEDDLE_SHIM int fchdir(int descriptor) noexcept {
  leave();
  return real_fchdir(descriptor);
}
