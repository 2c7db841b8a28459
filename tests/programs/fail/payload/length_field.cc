// heddle: expect=assertion budget=20000
// A length of 16 bits in network order, which has to be that of what follows, and a type of as many.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

HEDDLE_FUZZ_TEST(length_field) {
  const auto bytes = heddle::payload();
  std::atomic<int> open{0};
  [[maybe_unused]] bool session = false;
  if (bytes.size() >= 4) {
    const uint16_t length = static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
    const uint16_t type = static_cast<uint16_t>(bytes[2] << 8 | bytes[3]);
    session = length == bytes.size() - 4 && type == 0x8137;
  }
  auto connect = [&] {
#ifdef FIXED
    ++open;
#else
    if (session) open = open + 1;
    else ++open;
#endif
  };
  std::thread one(connect), two(connect);
  one.join();
  two.join();
  assert(open == 2);
}
