#include "harness/driver/rescue.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "analyses/die.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "harness/driver/saved_input.h"

namespace heddle::driver {
namespace {

void rescue() {
  const char* const path = artifact_path("crash");
  if (path == nullptr) return;
  const CurrentInput input = current_input();
  const long fd = rt::raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), rt::word(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool written = fd >= 0 && rt::write_all(static_cast<int>(fd), reinterpret_cast<const char*>(input.data), input.size);
  rt::print_line(2, written ? "heddle: the input is saved as %s\n" : "heddle: the input could not be written to %s\n", path);
}

}  // namespace

void prepare_rescue() { rt::set_rescue(rescue); }

}  // namespace heddle::driver
