// Ends as after a report, on one input only.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "analyses/die.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!heddle::rt::libfuzzer_linked()) __builtin_trap();
  if (size == 3 && memcmp(data, "die", 3) == 0 && heddle::rt::acquire_crash_state()) heddle::rt::die();
  return 0;
}
