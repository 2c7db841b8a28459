// heddle: expect=assertion budget=500
// A ring whose memory is mapped twice, one view behind the other, so that a message over its end is one piece. The writer looks whether there is room when it
// has written the last message and not before it writes the next one: it writes over what has not been read.
#include <heddle/heddle.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

namespace {

constexpr size_t kSize = 4096, kMessage = 3000;

struct Ring {
  char* bytes;
  std::atomic<size_t> written{0}, read{0};

  Ring() {
    const int file = memfd_create("ring", 0);
    [[maybe_unused]] const int sized = ftruncate(file, kSize);
    assert(sized == 0);
    bytes = static_cast<char*>(mmap(nullptr, 2 * kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (size_t half = 0; half < 2; ++half) {
      [[maybe_unused]] void* const at = mmap(bytes + half * kSize, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
      assert(at == bytes + half * kSize);
    }
    close(file);
  }
  ~Ring() { munmap(bytes, 2 * kSize); }

  void put(char c) {
    const size_t at = written.load(std::memory_order_relaxed);
#ifdef FIXED
    while (at + kMessage - read.load() > kSize) std::this_thread::yield();
#else
    while (at - read.load() > kSize) std::this_thread::yield();
#endif
    memset(bytes + at % kSize, c, kMessage);
    written.store(at + kMessage);
  }
  char take() {
    const size_t at = read.load(std::memory_order_relaxed);
    while (written.load() == at) std::this_thread::yield();
    const char* const message = bytes + at % kSize;
    const char first = message[0];
    assert(message[kMessage - 1] == first);
    read.store(at + kMessage);
    return first;
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(ring) {
  Ring ring;
  std::thread writer([&] {
    for (char c = 1; c <= 3; ++c) ring.put(c);
  });
  for (char c = 1; c <= 3; ++c) {
    [[maybe_unused]] const char got = ring.take();
    assert(got == c);
  }
  writer.join();
}
