// main() of every target: the linker's --wrap directs crt1.o's call here.
//
// Without a harness, an execution runs the program's own main(), and the engine gets the command line. The same rule serves both kinds of
// target: a program with a harness and a main() (#ifdef FUZZ) is a harness.
#include <cstdio>
#include <cstdlib>

#include "engine/initialisation.h"
#include "engine/run.h"
#include "engine/spin_verdict.h"
#include "harness/driver/program_fork.h"
#include "harness/driver/choose_restore.h"
#include "harness/driver/constructors.h"
#include "harness/driver/engine_names.h"
#include "harness/driver/requests.h"
#include "harness/driver/saved_input.h"
#include "harness/driver/target.h"
#include "harness/driver/whole_program.h"
#include "intercept/descriptors/new_files.h"
#include "intercept/process/signal_actions.h"
#include "restore/exit_handlers.h"
#include "schema/request.h"

extern "C" {
// From libFuzzer, libAFLDriver.a, or harness/driver/standalone_main.cc. Absent in other engines, which have their own main().
__attribute__((weak)) int LLVMFuzzerRunDriver(int* argc, char*** argv, int (*body)(const uint8_t* data, size_t size));
int __wrap_LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
}

// Used if the program has no main(). A main() in an object, or in a library before heddle's, takes precedence.
extern "C" __attribute__((visibility("hidden"), used)) int heddle_no_main(int, char**, char**) {
  std::fprintf(stderr, "heddle: the program has no main() and no LLVMFuzzerTestOneInput\n");
  return 2;
}
extern "C" __attribute__((weak, alias("heddle_no_main"), visibility("default"))) int main(int, char**, char**);

using namespace heddle;

extern "C" __attribute__((visibility("default"))) int __wrap_main(int argc, char** argv, char** environment) {
  // The program calls main() itself.
  if (rt::controlled()) return __real_main(argc, argv, environment);
  rt::initialisation().end();
  rt::end_early_handlers();
  driver::end_constructors();
  if (driver::is_program() && driver::runs_uncontrolled(argc, argv)) {
    driver::become_ordinary();
    return __real_main(argc, argv, environment);
  }
  const bool has_body = driver::is_program() || &__real_LLVMFuzzerTestOneInput != nullptr;
  if (!has_body || &LLVMFuzzerRunDriver == nullptr) return __real_main(argc, argv, environment);
  if (getenv(kQuickVerdictVariable) != nullptr) rt::set_spin_verdict(rt::kQuickVerdict);
  unsetenv(kQuickVerdictVariable);  // the program could see it
  driver::note_engine_names();
  rt::share_new_files();
  if (driver::is_program()) {
    rt::take_destructors();
    rt::remember_signals_of_constructors();
    driver::remember_arguments(argc, argv);
    driver::follow_forks();
    driver::prepare_saved_input(argc, argv);  // before the server's process begins: its executions report
    if (!driver::serves_requests()) driver::prepare_restore();
  }
  return LLVMFuzzerRunDriver(&argc, &argv, __wrap_LLVMFuzzerTestOneInput);
}
