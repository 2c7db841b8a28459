// heddle: expect=crash budget=100
// A job is called before its function has been set.
#include <heddle/heddle.h>

#include <thread>

static void work() {}

struct Job {
  void (*call)() = nullptr;
};

__attribute__((noinline)) static void run(const Job& job) {
#ifdef FIXED
  if (job.call == nullptr) return;
#endif
  job.call();
  asm volatile("");
}

HEDDLE_FUZZ_TEST(null_call) {
  Job job;
  std::thread sets([&] { job.call = work; }), runs([&] { run(job); });
  sets.join();
  runs.join();
}
