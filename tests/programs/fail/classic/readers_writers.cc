// heddle: expect=assertion budget=10000
// A home-made readers-writer lock: the writer looks for readers before it announces itself.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
std::atomic<int> readers, writers, data[2];

void look() {
  for (;;) {
    ++readers;
    if (writers == 0) break;
    --readers;
    while (writers != 0) std::this_thread::yield();
  }
  assert(data[0] == data[1]);
  --readers;
}

void change() {
#ifdef FIXED
  writers = 1;
  while (readers != 0) std::this_thread::yield();
#else
  while (readers != 0) std::this_thread::yield();
  writers = 1;
#endif
  ++data[0];
  ++data[1];
  writers = 0;
}
}  // namespace

HEDDLE_FUZZ_TEST(readers_writers) {
  std::thread reader(look), writer(change);
  reader.join();
  writer.join();
}
