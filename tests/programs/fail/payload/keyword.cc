// heddle: expect=assertion budget=20000
// The race comes after a word that strcmp() looks for.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string command(reinterpret_cast<const char*>(data), size);
  [[maybe_unused]] const bool reset = strcmp(command.c_str(), "reset") == 0;
  std::atomic<int> resets{0};
  auto handle = [&] {
#ifdef FIXED
    ++resets;
#else
    if (reset) resets = resets + 1;
    else ++resets;
#endif
  };
  std::thread one(handle), two(handle);
  one.join();
  two.join();
  assert(resets == 2);
  return 0;
}
