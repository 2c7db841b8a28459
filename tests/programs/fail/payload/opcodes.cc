// heddle: expect=assertion budget=20000
// Two threads take their operations from the data: it needs the right ones, and the right order.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::mutex m;
  bool open = false, used_closed = false;
  auto run = [&](size_t from) {
    for (size_t i = from; i < size && i < 16; i += 2) {
      switch (data[i]) {
        case 0x1b: {
          std::lock_guard lock(m);
          open = true;
          break;
        }
        case 0x4d: {
          std::lock_guard lock(m);
          open = false;
          break;
        }
        case 0xc2: {
#ifdef FIXED
          std::lock_guard lock(m);
          if (open) used_closed |= !open;
#else
          m.lock();
          const bool usable = open;
          m.unlock();
          std::lock_guard lock(m);
          if (usable) used_closed |= !open;
#endif
          break;
        }
        default: return;
      }
    }
  };
  std::thread one(run, 0), two(run, 1);
  one.join();
  two.join();
  assert(!used_closed);
  return 0;
}
