// heddle: expect=assertion budget=1000
// Cells of a local array, counted up by the thread that has it on its stack and by another.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int cells[4] = {};
  std::mutex m;
  const size_t at = size != 0 ? data[0] % 4 : 3;
  std::thread other([&] {
    std::lock_guard lock(m);
    ++cells[at];
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    const int before = cells[at];
    cells[at] = before + 1;
  }
  other.join();
  assert(cells[at] == 2);
  return 0;
}
