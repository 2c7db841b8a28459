// Takes its time before libFuzzer is ready: a search may end before.
#include <cstddef>
#include <cstdint>
#include <ctime>

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const timespec time = {3, 0};
  nanosleep(&time, nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return 0; }
