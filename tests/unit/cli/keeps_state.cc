// Keeps what heddle does not restore: the fourth execution of a process fails.
#include <cstdlib>

#include <heddle/heddle.h>

namespace {
HEDDLE_KEEP int executions = 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  if (++executions == 4) std::abort();
  return 0;
}
