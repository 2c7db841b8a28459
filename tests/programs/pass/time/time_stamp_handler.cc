// heddle: expect=pass runs=500
// A program that reads the time stamp counter and handles SIGSEGV itself. It never gets heddle's own faults, but gets its own.
#include <heddle/heddle.h>
#include <csetjmp>
#include <csignal>

#include <cassert>
#include <cstdint>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
static uint64_t __rdtsc() { return 1; }
#endif

namespace {

sigjmp_buf back;
void handle(int) { siglongjmp(back, 1); }
volatile int* nothing = nullptr;

}  // namespace

HEDDLE_FUZZ_TEST(time_stamp_handler) {
  std::thread([] {
    const uint64_t begin = __rdtsc();
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_NODEFER;
    if (begin % 2 == 0) assert(__rdtsc() >= begin);
    assert(sigaction(SIGSEGV, &action, nullptr) == 0);
    bool came_back = false;
    if (sigsetjmp(back, 1) != 0) {
      came_back = true;
    } else {
      (void)__rdtsc();
      *nothing = 1;
    }
    assert(came_back);
  }).join();
}
