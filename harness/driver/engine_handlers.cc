#include "harness/driver/engine_handlers.h"

#include <signal.h>

#include <cstdint>
#include <cstring>

#include "analyses/own_failures.h"
#include "trace/sites.h"

namespace heddle::driver {

void drop_engine_handlers() {
  rt::follow_sanitizers(false);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    const char* function = rt::sites()[rt::sites().index_of(reinterpret_cast<uintptr_t>(action.sa_handler) + 1)].function;
    if (function == nullptr || std::strncmp(function, "_ZN6fuzzer", 10) == 0) signal(number, SIG_DFL);
  }
}

}  // namespace heddle::driver
