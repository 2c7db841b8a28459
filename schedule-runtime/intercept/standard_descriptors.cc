#include "intercept/standard_descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "engine/touched_state.h"

namespace heddle::rt {
namespace {

constexpr unsigned kStandard = 3;
constexpr uintptr_t kHigh = 200;  // where nobody counts on a number

constinit long g_copies[kStandard] = {};  // negative: it was closed
constinit bool g_copied = false;

void put_back() {
  for (unsigned i = 0; i < kStandard; ++i) {
    if (g_copies[i] >= 0) raw_syscall(SYS_dup3, static_cast<uintptr_t>(g_copies[i]), i, 0);
    else raw_syscall(SYS_close, i);
  }
}
constinit TouchedState g_touched{put_back};

}  // namespace

void standard_descriptors_change(unsigned first, unsigned last) {
  if (first >= kStandard || last < first || current_thread() == nullptr || in_program() || !g_touched.touch() || g_copied) return;
  g_copied = true;
  for (unsigned i = 0; i < kStandard; ++i) g_copies[i] = raw_syscall(SYS_fcntl, i, F_DUPFD_CLOEXEC, kHigh);
}

}  // namespace heddle::rt
