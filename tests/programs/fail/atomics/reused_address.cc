// heddle: expect=assertion budget=2000
// Readers compare the address of the version to see whether anything has changed. The old version is freed, and the new one is made in the
// same memory (ABA). To find this, the allocator must reuse freed memory.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
struct Version {
  char text[200];
};
std::atomic<Version*> version;
std::atomic<int> count;  // of versions
std::atomic<int> first, second;

void update() {
  delete version.exchange(nullptr);
  first = 1;
  second = 1;
  ++count;
  version = new Version;
}

void read() {
#ifdef FIXED
  const auto stamp = [] { return count.load(); };
#else
  const auto stamp = [] { return version.load(); };
#endif
  const auto before = stamp();
  if (version == nullptr) return;
  const int f = first, s = second;
  if (version != nullptr && stamp() == before) assert(f == s);
}
}  // namespace

HEDDLE_FUZZ_TEST(reused_address) {
  version = new Version;
  std::thread other(update);
  read();
  other.join();
  delete version.load();
}
