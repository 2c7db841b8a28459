// Passes options of the runtime to the mutator. The two do not know each other.
#include <unistd.h>

#include <string_view>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "harness/driver/target.h"
#include "mutator/modes/mode.h"
#include "mutator/mutator.h"
#include "schema/options_text.h"

// The target's own: detail/assembly_atomics.h. Null: built by another compiler.
extern "C" __attribute__((weak)) const char heddle_built_by_clang_before_19;

namespace heddle::driver {

WantedRun wanted_run() {
  const rt::Options& o = rt::options();
  return heddle::wanted_run(o.spurious, o.timeouts, o.report_endless, o.memory);
}

static void choose_run() {
  const std::string_view timeouts = rt::options().timeouts;
  if (timeouts != "any" && timeouts != "patient") {
    rt::print_line(2, "heddle: HEDDLE_OPTIONS: timeouts is any or patient\n");
    _exit(2);
  }
  MemoryModel memory;
  if (!memory_model_of(rt::options().memory, memory)) {
    rt::print_line(2, "heddle: HEDDLE_OPTIONS: memory is sc or rc11\n");
    _exit(rt::kUsageExit);
  }
  if (memory != MemoryModel::sc && &heddle_built_by_clang_before_19 != nullptr) {
    rt::print_line(2, "heddle: note: memory=rc11: clang before version 19 makes a store of an atomic exchange whose result is not used. Such executions are "
                      "not quite those of the program\n");
  }
  mutator::process_mutator().set_wanted_run(wanted_run());
}

void choose_mode() {
  choose_run();
  const std::string_view report = rt::options().report;
  if (report != "full" && report != "short") {
    rt::print_line(2, "heddle: HEDDLE_OPTIONS: report is full or short\n");
    _exit(rt::kUsageExit);
  }
  const char* wanted = rt::options().mode;
  if (mutator::process_mutator().set_mode(wanted)) return;
  rt::print_line(2, "heddle: HEDDLE_OPTIONS: unknown mode '%s'; the modes are %s\n", wanted, mutator::mode_names().c_str());
  _exit(rt::kUsageExit);
}

}  // namespace heddle::driver
