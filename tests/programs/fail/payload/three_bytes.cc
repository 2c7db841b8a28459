// heddle: expect=assertion budget=20000
// Three bytes of a header, each of which must have one certain value, before the order matters.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  [[maybe_unused]] int stage = 0;
  if (size >= 6) {
    if (data[0] == 'V') stage = 1;
    if (stage == 1 && data[3] == 3) stage = 2;
    if (stage == 2 && data[5] == 0x90) stage = 3;
  }
  std::atomic<int> sessions{0};
  auto join = [&] {
#ifdef FIXED
    ++sessions;
#else
    if (stage == 3) sessions = sessions + 1;
    else ++sessions;
#endif
  };
  std::thread one(join), two(join);
  one.join();
  two.join();
  assert(sessions == 2);
  return 0;
}
