// Opens the library that HEDDLE_TEST_PLUGIN names, in its first execution.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  static void* plugin = nullptr;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (plugin == nullptr) plugin = dlopen(getenv("HEDDLE_TEST_PLUGIN"), RTLD_NOW);
  return 0;
}
