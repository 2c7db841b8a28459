// A harness that does not know heddle, with its own mutator for its data.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>

static bool initialised = false;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  initialised = true;
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (size < max_size) data[size++] = 'a' + seed % 26;
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!initialised) std::abort();
  std::atomic<size_t> sum{0};
  std::thread other([&] { for (size_t i = 0; i < size && i < 8; ++i) sum += data[i]; });
  sum += 1;
  other.join();
  return sum.load() == 0 ? -1 : 0;
}
