// heddle: expect=heap-use-after-free budget=1000
// The thread that drops the last reference reads the object once more, when its memory already belongs to the report about it.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {
struct Job {
  std::atomic<int> users{2};
  int result = 1;
  char text[200];
};
struct Report {
  volatile int result = 1;
  char text[200];
};

[[gnu::noinline]] bool let_go(Job* job) {
  if (job->users.fetch_sub(1) != 1) return false;
  delete job;
  return true;
}
}  // namespace

HEDDLE_FUZZ_TEST(reused_by_holder) {
  auto* const job = new Job;
  std::thread other([job] { let_go(job); });
#ifdef FIXED
  const int result = job->result;
#endif
  const bool last = let_go(job);
  auto* const report = new Report;
#ifndef FIXED
  const int result = last ? job->result : 0;
#endif
  if (last) report->result = result;
  other.join();
  delete report;
}
