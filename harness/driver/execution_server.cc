#include "harness/driver/execution_server.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "analyses/own_failures.h"
#include "analyses/signals.h"
#include "base/asan.h"
#include "base/elf.h"
#include "base/process_exit.h"
#include "engine/engine.h"
#include "feedback/feedback.h"
#include "fiber/fiber.h"
#include "harness/driver/kernel_fork.h"
#include "harness/driver/target.h"
#include "intercept/descriptors/new_files.h"
#include "trace/sites.h"

namespace heddle::driver {
namespace {

constexpr size_t kMostDonors = 64;

}  // namespace

void drop_engine_handlers() {
  rt::follow_sanitizers(false);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    const char* function = rt::sites()[rt::sites().index_of(reinterpret_cast<uintptr_t>(action.sa_handler) + 1)].function;
    // libFuzzer's handler of this signal passes it to ASan's, which it has replaced, and which reports.
    if (number == SIGSEGV && rt::asan_linked()) continue;
    if (function == nullptr || std::strncmp(function, "_ZN6fuzzer", 10) == 0) signal(number, SIG_DFL);
  }
}

void become_execution_server(bool one_execution_each) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prepare_kernel_fork();
  rt::engine().prepare();
  rt::leave_out(rt::kFeedback);  // the engine's process has its memory
  rt::engine().watch_each_execution();
  if (one_execution_each) rt::engine().run_only_once();
  rt::run_one({}, control_probe);  // look-ups with a cache are done here, once for all children
  rt::each_function([](const rt::Symbol&, void*) {}, nullptr);  // and the symbols of all modules are sorted
  drop_engine_handlers();
  rt::at_process_exit(rt::process_ends);
  rt::skip_certificate();
}

int execute_in_child(size_t donors, int connection, void (*execute)(void* argument), void* argument) {
  fiber::provide_donors(std::min(donors, kMostDonors));
  const pid_t child = kernel_fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (connection >= 0) close(connection);
    execute(argument);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  rt::remove_new_files();
  return status;
}

}  // namespace heddle::driver
