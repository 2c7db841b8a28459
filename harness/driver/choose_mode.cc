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

namespace heddle::driver {

uint8_t wanted_assumptions() { return assumptions_wanted(rt::options().spurious, rt::options().timeouts); }

static void choose_assumptions() {
  const std::string_view timeouts = rt::options().timeouts;
  if (timeouts != "any" && timeouts != "patient") {
    rt::print_line(2, "heddle: HEDDLE_OPTIONS: timeouts is any or patient\n");
    _exit(2);
  }
  mutator::process_mutator().set_assumptions(wanted_assumptions());
}

void choose_mode() {
  choose_assumptions();
  const char* wanted = rt::options().mode;
  if (mutator::process_mutator().set_mode(wanted)) return;
  rt::print_line(2, "heddle: HEDDLE_OPTIONS: unknown mode '%s'; the modes are %s\n", wanted, mutator::mode_names().c_str());
  _exit(rt::kUsageExit);
}

}  // namespace heddle::driver
