// heddle: expect=blocked-threads budget=3000
// Two threads choose by a plain counter where they write in a file. If both choose the same place, main finds too little there, and waits for more.
// What follows from the data race goes through the file, and the threads read much after it. So the race has the stars.
#include <heddle/heddle.h>

#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <thread>

namespace {
constexpr int kRecords = 8192;
volatile int records[kRecords];
}  // namespace

HEDDLE_FUZZ_TEST(awaits_a_lost_record) {
  const int file = memfd_create("records", 0);
  sem_t more;
  sem_init(&more, 0, 0);
  std::mutex m;
  int next_slot = 0;
  const auto append = [&] {
#ifdef FIXED
    m.lock();
#endif
    const int slot = next_slot;
    next_slot = slot + 1;
#ifdef FIXED
    m.unlock();
#endif
    (void)!pwrite(file, "x", 1, slot);
    for (volatile const int& record : records) (void)record;
  };
  std::thread a(append), b(append);
  a.join();
  b.join();
  if (lseek(file, 0, SEEK_END) != 2) sem_wait(&more);
  sem_destroy(&more);
  close(file);
}
