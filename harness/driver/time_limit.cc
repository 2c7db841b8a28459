#include "harness/driver/time_limit.h"

#include <cstring>

#include "analyses/time_out.h"
#include "harness/driver/fork_server.h"

extern "C" {
__attribute__((weak)) void __real___sanitizer_print_stack_trace();
}

namespace heddle::driver {

void limit_time(int* argc, char*** argv) {
  constexpr int kMost = 4096;
  static char limit[] = "-timeout=30";
  static char* all[kMost + 2];
  constexpr size_t kName = sizeof "-timeout=" - 1;
  if (*argc > kMost) return;
  for (int i = 0; i < *argc; ++i) {
    all[i] = (*argv)[i];
    if (std::strncmp(all[i], limit, kName) == 0) return;
  }
  all[*argc] = limit;
  all[++*argc] = nullptr;
  *argv = all;
}

}  // namespace heddle::driver

// libFuzzer calls this between the two lines of its report of a time-out, after it has saved the input. It also calls it elsewhere, and the
// program may call it, too.
extern "C" __attribute__((visibility("default"))) void __wrap___sanitizer_print_stack_trace() {
  if (heddle::driver::tell_forked_time_out()) return;  // the engine's own stack says nothing
  heddle::rt::report_time_out();
  if (&__real___sanitizer_print_stack_trace != nullptr) __real___sanitizer_print_stack_trace();
}
