#include "intercept/program_ends.h"

#include <string.h>

#include "primitives/interruption.h"
#include "trace/own_failure.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

// libFuzzer, linked into the same binary, ends the process from inside an execution when it has allocated too much; and so do we when a call
// must not go on.
bool of_program(Place place) {
  const char* const function = sites()[sites().index_of(place.pc)].function;
  return function == nullptr || (strncmp(function, "_ZN6fuzzer", 10) != 0 && !is_runtime_function(function));
}

}  // namespace

void program_ends(int status, Ending ending, Place place, const char* how) {
  if (current_thread() == nullptr || !of_program(place)) return;
  if (status != 0) primitives::watchdog_ends_program();
  if (in_program()) exit_program(status, ending, place, how);
  own_failure_sink().exits(place.pc, status, how);
}

}  // namespace heddle::rt
