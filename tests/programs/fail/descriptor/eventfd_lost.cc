// heddle: expect=blocked_threads|deadlock budget=10000
// A counter of jobs: a read takes the whole count, and the worker does one job for it.
#include <heddle/heddle.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <thread>

HEDDLE_FUZZ_TEST(eventfd_lost) {
#ifdef FIXED
  const int jobs = eventfd(0, EFD_SEMAPHORE);
#else
  const int jobs = eventfd(0, 0);
#endif
  std::thread worker([&] {
    for (int done = 0; done < 2; ++done) {
      eventfd_t n;
      eventfd_read(jobs, &n);
    }
  });
  eventfd_write(jobs, 1);
  eventfd_write(jobs, 1);
  worker.join();
  close(jobs);
}
