// A target that dies of itself, once two increments have met: by what its payload's first byte says.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::atomic<int> counter{0};
  const auto increment = [&] { counter = counter + 1; };
  std::thread one(increment), other(increment);
  if (size != 0 && data[0] == 'j') return 0;  // destroys them while joinable
  one.join();
  other.join();
  if (size == 0) return 0;
  if (data[0] == 'a') assert(counter == 99);
  if (data[0] == 't') __builtin_trap();
  if (data[0] == 'b') std::abort();
  if (data[0] == 'u') {  // a finding of heddle's own, after which the run could go on
    std::mutex mutex;
    mutex.unlock();
    std::thread([&] { counter = 0; }).join();
  }
  if (data[0] == 'e') std::thread([] { throw std::out_of_range("far"); }).join();
  return 0;
}
