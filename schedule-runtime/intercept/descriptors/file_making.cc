#include "intercept/descriptors/file_making.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/high_copy.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "intercept/process_call.h"
#include "intercept/real.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

HEDDLE_REAL(chdir);
HEDDLE_REAL(fchdir);
HEDDLE_REAL(umask);

namespace {

constexpr int kNone = -1;
constinit int g_directory = kNone;      // kNone: there still

void return_to_directory() {
  if (raw_syscall(SYS_fchdir, word(g_directory)) != 0) print_line(2, "heddle: warning: cannot return to the initial working directory\n");
  raw_syscall(SYS_close, word(g_directory));
  g_directory = kNone;
}
constinit TouchedState g_directory_touched{return_to_directory};

void leave_directory() {
  if (current_thread() == nullptr || !g_directory_touched.touch()) return;
  g_directory = static_cast<int>(move_high(raw_syscall(SYS_openat, word(AT_FDCWD), word("."), O_PATH | O_DIRECTORY | O_CLOEXEC)));
}

constinit mode_t g_mask = 0;
constinit bool g_mask_changed = false;
constinit TouchedState g_mask_touched{[] {
  g_mask_changed = false;
  raw_syscall(SYS_umask, g_mask);
}};

}  // namespace

void heddle::rt::put_back_file_making() {
  if (g_directory >= 0) raw_syscall(SYS_fchdir, word(g_directory));
  if (g_mask_changed) raw_syscall(SYS_umask, g_mask);
}

HEDDLE_SHIM mode_t umask(mode_t mask) noexcept {
  RunNote* const note = note_process_call("umask", HEDDLE_HERE);
  const mode_t before = real_umask(mask);
  if (note != nullptr) snprintf(note->with, sizeof note->with, " %#o, was %#o", mask, before);
  if (current_thread() != nullptr && g_mask_touched.touch()) {
    g_mask = before;
    g_mask_changed = true;
  }
  return before;
}

HEDDLE_SHIM int chdir(const char* path) noexcept {
  RunNote* const note = note_process_call("chdir", HEDDLE_HERE);
  leave_directory();
  const int result = real_chdir(path);
  // The kernel has read the path, or has refused the pointer.
  if (note != nullptr && (result == 0 || errno != EFAULT)) snprintf(note->with, sizeof note->with, " \"%.36s\"", path);
  return result;
}

HEDDLE_SHIM int fchdir(int descriptor) noexcept {
  note_process_call("fchdir", HEDDLE_HERE);
  leave_directory();
  return real_fchdir(descriptor);
}
