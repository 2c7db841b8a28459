// Each execution takes a tenth of a second in which the processor does nothing for it, as on a
// machine that is busy with other things; with data, a quarter of that.
#include <sys/syscall.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <thread>

static void wait_really(long nanoseconds) {
  const timespec time = {0, nanoseconds};
  // The functions of the C library take virtual time.
#if defined(__x86_64__)
  long result = SYS_nanosleep;
  asm volatile("syscall" : "+a"(result) : "D"(&time), "S"(0L) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_nanosleep;
  register const timespec* first asm("x0") = &time;
  register long second asm("x1") = 0;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
#endif
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t size) {
  wait_really(size == 0 ? 100'000'000 : 25'000'000);
  std::atomic<int> counter{0}, noise{0};
  const auto increment = [&] {
    noise = noise + 1;
    counter = counter + 1;
    noise = noise + 1;
  };
  std::thread one(increment), other(increment), third(increment);
  one.join();
  other.join();
  third.join();
  assert(counter == 3);
  return 0;
}
