// The runtime has the option, the mutator has the modes, and neither knows the other.
#include <unistd.h>

#include <string>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "harness/driver/target.h"
#include "mutator/modes/mode.h"
#include "mutator/mutator.h"

namespace heddle::driver {

void choose_mode() {
  const char* wanted = rt::options().mode;
  if (mutator::process_mutator().set_mode(wanted)) return;
  std::string names;
  for (const mutator::ModeEntry& mode : mutator::modes()) names.append(names.empty() ? "" : ", ").append(mode.name);
  rt::print_line(2, "heddle: HEDDLE_OPTIONS: unknown mode '%s'; the modes are %s\n", wanted, names.c_str());
  _exit(rt::kUsageExit);
}

}  // namespace heddle::driver
