// heddle: expect=assertion budget=1000
// A word is checked as a whole, and then read byte by byte.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>

namespace {
volatile uint32_t word;
[[maybe_unused]] std::mutex m;

void reader() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  if (word != 0) return;
  const auto* bytes = reinterpret_cast<const volatile uint8_t*>(&word);
  assert(bytes[2] == 0);
}
void writer() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  word = 0x01010101;
}
}  // namespace

HEDDLE_FUZZ_TEST(parts_of_word) {
  word = 0;
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
